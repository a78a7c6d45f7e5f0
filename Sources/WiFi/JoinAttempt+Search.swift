internal import MainLoop
internal import Secrets

extension JoinAttempt {
  /// The access point to join, from what is known or from scans.
  ///
  /// A network that is not in the list is asked for by its name, too: it may be hidden. One that is
  /// there and asks for something else than was given may have a twin that was not heard yet.
  func findAccessPoint() async -> Result<AccessPoint, JoinFailure> {
    hiddenAccessPoints.formUnion(device.hiddenAccessPoints)
    if let point = fittingAccessPoint { return .success(point) }
    let events = events
    var timer = loop.after(limits.scan) { events.send(.scanOverdue) }
    defer { timer.cancel() }
    var scans = 0
    var lastScan = device.lastScan
    await device.requestScan(asking: request.ssid)
    while true {
      let event = await next()
      if let point = fittingAccessPoint { return .success(point) }
      hiddenAccessPoints.formUnion(device.hiddenAccessPoints)
      switch event {
      case .scanChanged:
        guard scans < scansNeeded, device.lastScan != lastScan else { continue }
        lastScan = device.lastScan
        scans += 1
        if scans < scansNeeded {
          // NetworkManager asks for a name in one scan, the next that begins, and before 1.52 it
          // crashes when it is told a name that it has yet to ask for. After one scan that may
          // still be so: it may have begun before. After two it is not.
          await device.requestScan(asking: scans.isMultiple(of: 2) ? request.ssid : nil)
        } else {
          timer.cancel()
          timer = loop.after(limits.scanSettling) { events.send(.scanOverdue) }
        }
      case .scanOverdue:
        return device.accessPoints.best(for: request).map { .success($0) } ?? .failure(notFound)
      default:
        // What the device does before it is asked for anything does not count.
        guard let event = trialEvent(event) else { continue }
        switch event {
        case .device, .supplicant: continue
        default: break
        }
        var trial = ActivationTrial(security: .open)
        if case .fail(let reason, let message) = trial.handle(event) {
          return .failure(JoinFailure(reason, message))
        }
      }
    }
  }

  private var fittingAccessPoint: AccessPoint? {
    device.accessPoints.best(for: request).flatMap { request.fits($0.security) ? $0 : nil }
  }

  /// After how many scans a network is not there.
  ///
  /// The first results may be those of a scan that began before the access point was there, and one
  /// that does not tell its name may miss a question: a scan waits a thirtieth of a second.
  private var scansNeeded: Int { request.isHidden || !hiddenAccessPoints.isEmpty ? 3 : 2 }

  private var notFound: JoinFailure {
    let others = device.accessPoints.filter { $0.ssid == request.ssid }
    if let other = others.first {
      var evidence = JoinEvidence()
      evidence.security = other.security
      return JoinFailure(
        .securityNotSupported, "the network is there, and not of the kind that was asked for",
        evidence: evidence)
    }
    if device.hasForeignCell(request.ssid) {
      return JoinFailure(.securityNotSupported, "an ad-hoc or mesh network cannot be joined")
    }
    return request.isHidden
      ? JoinFailure(.hiddenNetworkSilent, "no access point answers to the hidden SSID")
      : JoinFailure(.networkNotFound, "no access point answers to the SSID")
  }

  /// Why what was given cannot be what the network asks for.
  func objection(to point: AccessPoint) -> JoinFailure? {
    var evidence = JoinEvidence()
    let security = point.security
    evidence.security = security
    guard security.isSupported else {
      return JoinFailure(
        .securityNotSupported, "\(security) networks are not supported", evidence: evidence)
    }
    if (request.login != nil) != (security == .enterprise) {
      return JoinFailure(
        .passwordFormat,
        request.login == nil
          ? "an enterprise network asks for an identity"
          : "an identity was given for a network that asks for none",
        evidence: evidence)
    }
    // What a login consists of has been checked where it was given.
    if security == .enterprise { return nil }
    let objection =
      request.password.map { security.objection(to: $0) }
      ?? security.objection(to: EmptyCollection())
    return objection.map { JoinFailure(.passwordFormat, $0, evidence: evidence) }
  }
}
