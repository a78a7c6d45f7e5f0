internal import CNetworkManager
internal import MainLoop

extension JoinAttempt {
  /// What became of a trial.
  enum Activation {
    case activated(ObjectReference, JoinEvidence)
    case accessPointGone
    /// What is left of the trial has to be taken back.
    case failed(JoinFailure, ObjectReference?)
  }

  /// Has NetworkManager try a profile, and follows it until the result is clear.
  func activate(_ profile: TrialProfile, at point: AccessPoint) async -> Activation {
    guard let connection = profile.connection() else {
      return .failed(JoinFailure(.internalError, "no profile could be built"), nil)
    }
    let events = events
    isAnswered = false
    activePath = nil
    client.beginAdding(connection) { events.send(.profileAdded($0)) }
    // The message is built; libnm keeps no other copy.
    nm_connection_clear_secrets(connection.pointer)

    var trial = ActivationTrial(
      security: point.security, hasFixedAddress: request.ipv4.isFixed,
      hearsSupplicant: hearsSupplicant)
    var added: ObjectReference?
    var active: ObjectReference?
    var secretsTimer: LoopTimer?
    var linkTimer: LoopTimer?
    var isActivated = false
    var endTimer: LoopTimer?
    defer {
      secretsTimer?.cancel()
      linkTimer?.cancel()
      endTimer?.cancel()
    }
    while true {
      let event = await next()
      var trialEvent = trialEvent(event)
      // What the device does before it is asked for anything is not ours.
      if added == nil, case .trial(.device(let state, _)) = event,
        state >= DeviceState.disconnected
      {
        trialEvent = nil
      }
      if case .profileAdded(let result) = event {
        do {
          let answered = try client.finishAdding(result)
          guard device.accessPoints.contains(where: { $0.path == point.path }) else {
            isAnswered = true
            try? await client.deleteProfile(uuid: profile.uuid)
            return .accessPointGone
          }
          added = answered
          client.beginActivation(of: answered, on: device, accessPoint: point.path) {
            events.send(.activationAnswered($0))
          }
        } catch {
          isAnswered = true
          let failure = StationError(error, doing: "adding a profile")
          return .failed(
            JoinFailure(failure.reason, failure.message, evidence: trial.evidence), nil)
        }
      }
      if case .activationAnswered(let result) = event {
        isAnswered = true
        do {
          let answered = try client.finishActivation(result)
          active = answered
          // Where it is connected already it is saved at once, and the order of two requests is not
          // sure.
          if let added, !isActivated { client.makeVolatile(added) }
          activePath = nm_object_get_path(answered.pointer).map { String(cString: $0) }
          if let activePath, endedPaths.contains(activePath) {
            trialEvent = .activeConnection(state: ActiveConnectionState.deactivated)
          } else if activePath == nil {
            endTimer = expectEnd()
          } else if isActivated {
            return .activated(answered, trial.evidence)
          }
        } catch let error where error.isAccessPointGone {
          try? await client.deleteProfile(uuid: profile.uuid)
          return .accessPointGone
        } catch let error where error.isObjectGone {
          endTimer = expectEnd()
        } catch {
          let failure = StationError(error, doing: "activating")
          return .failed(
            JoinFailure(failure.reason, failure.message, evidence: trial.evidence), nil)
        }
      }
      guard let trialEvent else { continue }
      switch trial.handle(trialEvent) {
      case .wait: break
      case .report(let step): progress(step)
      case .expectSecretsSoon:
        secretsTimer?.cancel()
        secretsTimer = loop.after(limits.secrets) { events.send(.trial(.secretsOverdue)) }
      case .expectLinkSoon:
        linkTimer?.cancel()
        linkTimer = loop.after(limits.link) { events.send(.trial(.linkOverdue)) }
      case .activated:
        if let active { return .activated(active, trial.evidence) }
        // libnm has not read the active connection yet.
        isActivated = true
      case .fail(let reason, let message):
        return .failed(await refined(reason, message, point, trial.evidence), active)
      }
    }
  }

  /// libnm saw the active connection go before it could name it: the device's signals say why,
  /// and may still be on their way.
  private func expectEnd() -> LoopTimer {
    let events = events
    return loop.after(.milliseconds(200)) {
      events.send(.trial(.activeConnection(state: ActiveConnectionState.deactivated)))
    }
  }

  /// A network that was there and is not any more was left, not refused; and NetworkManager takes
  /// its devices away before it says that it stops itself.
  private func refined(
    _ reason: JoinFailure.Reason, _ message: String, _ point: AccessPoint, _ evidence: JoinEvidence
  ) async -> JoinFailure {
    if reason == .noDevice || reason == .deviceNotManaged, await managerStops() {
      return JoinFailure(
        .networkManagerNotRunning, "NetworkManager stopped during the attempt",
        evidence: evidence)
    }
    let wasNotSeen = evidence.transitions.contains { $0.reason == DeviceStateReason.ssidNotFound }
    if wasNotSeen { await client.catchUp() }
    if wasNotSeen, !device.accessPoints.contains(where: { $0.ssid == point.ssid }) {
      return JoinFailure(.outOfRange, "the access point went away", evidence: evidence)
    }
    return JoinFailure(reason, message, evidence: evidence)
  }

  /// Whether NetworkManager is gone, or goes within a moment.
  private func managerStops() async -> Bool {
    let events = events
    let timer = loop.after(limits.end) { events.send(.answerOverdue) }
    defer { timer.cancel() }
    while client.isRunning {
      if case .answerOverdue = await next() { return false }
    }
    return true
  }

  /// Leaves nothing of the trial behind.
  func takeBack(_ profile: TrialProfile, _ active: ObjectReference?) async {
    guard client.isRunning else { return }
    var active = active
    if !isAnswered {
      // The request is on its way, and cannot be called back; the bus allows 25 s for the answer.
      let events = events
      let timer = loop.after(.seconds(30)) { events.send(.answerOverdue) }
      var ends: [JoinEvents.Event] = []
      waiting: while true {
        let event = await next()
        switch event {
        case .profileAdded(let result):
          _ = try? client.finishAdding(result)
          break waiting
        case .activationAnswered(let result):
          active = try? client.finishActivation(result)
          break waiting
        case .answerOverdue: break waiting
        case .trial(.cancelled), .trial(.deadline): ends.append(event)
        default: continue
        }
      }
      isAnswered = true
      timer.cancel()
      // They end what comes after this, too.
      for event in ends { events.send(event) }
    }
    if let active { await client.deactivate(active) }
    // NetworkManager drops a volatile profile when the device lets go of it; this is sooner.
    try? await client.deleteProfile(uuid: profile.uuid)
  }
}
