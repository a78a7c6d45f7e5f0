internal import CBOR

extension DeviceSession {
  /// Takes note of whether the wrong guesses are stored: the device's proof goes out only then.
  package mutating func wrongGuessesStored(_ isStored: Bool) -> [Action] {
    guard let proof = heldProof.take() else { return [] }
    guard !isStored else { return [.send(proof.encoded)] }
    // Without a count that lasts, who cuts the power could guess for ever.
    return reporting { session, before, _ in
      session.abort(.notEnabled, &before)
    }
  }

  /// Forgets the wrong guesses, as the person at the device wishes.
  package mutating func forgiveGuesses() -> [Action] {
    counter.reset()
    return [.storeWrongGuesses(0)]
  }

  mutating func receive(
    _ segment: [UInt8], at now: Duration, _ before: inout [Action], _ after: inout [Action]
  ) {
    guard var setup else { return }
    if channel == nil { channel = DeviceChannel(at: now) }
    let event =
      channel?.receive(segment, at: now, setup: &setup, counter: &counter) ?? .none
    self.setup = setup
    switch event {
    case .none: break
    case .guess(let answer):
      heldProof = answer
      before.append(.storeWrongGuesses(counter.wrongGuesses))
    case .opened:
      if let owner { before.append(.sessionSecured(owner)) }
      before.append(.storeWrongGuesses(counter.wrongGuesses))
    case .request(let request):
      do throws(RequestFailure) {
        if let result = try answer(request, at: now, &after) {
          say(.response(id: request.id, .success(result)), &before)
        }
      } catch {
        say(.response(id: request.id, .failure(error)), &before)
      }
    case .abort(let reason): abort(reason, &before)
    case .ended(let reason): end(.aborted(reason), &before)
    }
  }

  /// Says something in a sealed record; where that fails, the session is over.
  mutating func say(_ message: DeviceMessage, _ actions: inout [Action]) {
    if let message = channel?.seal(message) {
      actions.append(.send(message.encoded))
    } else {
      abort(.malformed, &actions)
    }
  }

  mutating func abort(_ reason: AbortReason, _ actions: inout [Action]) {
    actions.append(.send(SessionMessage.abort(reason).encoded))
    end(.aborted(reason), &actions)
  }

  /// Does what a request asks for, and gives the result; nil where that takes time.
  private mutating func answer(
    _ request: SealedRequest, at now: Duration, _ actions: inout [Action]
  ) throws(RequestFailure) -> CBORValue? {
    let method = try request.method()
    guard methods.contains(method.name) else { throw RequestFailure(.unsupported) }
    switch method {
    case .info: return DeviceDetails(methods: methods, obstacle: obstacle).map
    case .status: return fullStatus.map
    case .provision(let network):
      guard !phase.isAttempting else { throw RequestFailure(.notNow) }
      if let security = network.security ?? network.enterprise.map({ _ in .wpaEAP }) {
        guard securities.contains(security) else { throw RequestFailure(.securityNotSupported) }
      }
      do throws(NetworkDescriptionError) {
        try network.check()
      } catch {
        throw RequestFailure(error)
      }
      connect(to: network, at: now, &actions)
      return ProvisionAnswer(attempt: attempt, risks: network.risks).map
    case .cancel:
      cancel(&actions)
      return CBORValue.map([])
    case .identify:
      actions.append(.identify)
      return CBORValue.map([])
    case .scan(from: 0):
      actions.append(.scan(errand: try begin(request.id)))
      return nil
    case .scan(let index):
      guard let page = found.flatMap({ ScanPage(of: $0, from: index) }) else {
        throw RequestFailure(.notNow)
      }
      return page.map
    case .list(from: 0):
      actions.append(.list(errand: try begin(request.id)))
      return nil
    case .list(let index):
      guard let page = saved.flatMap({ ListPage(of: $0, from: index) }) else {
        throw RequestFailure(.notNow)
      }
      return page.map
    case .forget(let ssid):
      actions.append(.forgetNetwork(ssid, errand: try begin(request.id)))
      return nil
    }
  }

  /// What this device can be asked.
  private var methods: [RequestMethod.Name] {
    RequestMethod.Name.allCases.filter { name in
      switch name {
      case .info, .scan, .provision, .status, .cancel, .list, .forget: true
      case .identify: features.contains(.identify)
      }
    }
  }

  private mutating func begin(_ request: UInt32) throws(RequestFailure) -> UInt32 {
    guard errand == nil, !isBusy else { throw RequestFailure(.notNow) }
    lastErrand &+= 1
    errand = Errand(number: lastErrand, request: request)
    return lastErrand
  }

  /// Takes the networks that a scan found; ignored where nobody waits for them any more.
  package mutating func scanned(
    _ result: Result<VisibleNetworks, RequestFailure>, errand number: UInt32, at now: Duration
  ) -> [Action] {
    finish(number, at: now) { session in
      result.map { networks in
        session.found = networks
        return ScanPage(of: networks, from: 0)?.map ?? .map([])
      }
    }
  }

  /// Takes the networks that are kept; ignored where nobody waits for them any more.
  package mutating func listed(
    _ result: Result<[SavedNetwork], RequestFailure>, errand number: UInt32, at now: Duration
  ) -> [Action] {
    finish(number, at: now) { session in
      result.map { networks in
        session.saved = networks
        return ListPage(of: networks, from: 0)?.map ?? .map([])
      }
    }
  }

  /// Takes how many profiles of a network were removed; ignored where nobody waits for it any more.
  package mutating func forgot(
    _ result: Result<Int, RequestFailure>, errand number: UInt32, at now: Duration
  ) -> [Action] {
    finish(number, at: now) { _ in
      result.map { CBORValue(number: UInt64(clamping: $0)) }
    }
  }

  private mutating func finish(
    _ number: UInt32, at now: Duration,
    _ result: (inout DeviceSession) -> Result<CBORValue, RequestFailure>
  ) -> [Action] {
    guard let errand, errand.number == number else { return [] }
    return reporting { session, before, _ in
      session.errand = nil
      session.lastHeard = now
      session.say(.response(id: errand.request, result(&session)), &before)
    }
  }
}
