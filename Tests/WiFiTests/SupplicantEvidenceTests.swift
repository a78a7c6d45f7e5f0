import Testing

@testable import WiFi

/// The sequences are wpa_supplicant's (2.10), as heard on the bus.
@Suite struct SupplicantEvidenceTests {
  private func verdict(_ security: NetworkSecurity, _ reports: [SupplicantReport])
    -> SupplicantEvidence.Verdict?
  {
    var evidence = SupplicantEvidence(security: security)
    for report in reports {
      if let verdict = evidence.add(report) { return verdict }
    }
    return nil
  }

  @Test(arguments: [NetworkSecurity.wpa2, .wpa2WPA3])
  func aHandshakeThatEndsInADisconnectionIsAWrongPassword(security: NetworkSecurity) {
    let handshake = [
      SupplicantReport(state: "associating"), SupplicantReport(state: "associated"),
      SupplicantReport(state: "4way_handshake"),
    ]
    #expect(
      verdict(security, handshake + [SupplicantReport(state: "disconnected", disconnection: 15)])
        == .wrongPassword)
    #expect(
      verdict(
        security, handshake + [SupplicantReport(disconnection: 2), .init(state: "disconnected")])
        == .wrongPassword)
    // We left ourselves.
    #expect(verdict(security, handshake + [SupplicantReport(disconnection: -3)]) == nil)
    // It was over: the link was lost later.
    #expect(
      verdict(security, handshake + [.init(state: "completed"), .init(disconnection: 4)]) == nil)
  }

  @Test func aDisconnectionOutsideTheHandshakeSaysNothing() {
    #expect(verdict(.wpa2, [.init(state: "disconnected", disconnection: 15)]) == nil)
    #expect(
      verdict(.wpa3, [.init(state: "4way_handshake"), .init(disconnection: 15)]) == nil)
  }

  @Test(arguments: [NetworkSecurity.wpa3, .wpa2WPA3, .wpa2])
  func aRefusedConfirmAfterAnAcceptedCommitIsAWrongPassword(security: NetworkSecurity) {
    #expect(
      verdict(
        security,
        [.init(state: "authenticating", authentication: 0), .init(authentication: 1)])
        == .wrongPassword)
    // The access point asks for its token first.
    #expect(
      verdict(
        security,
        [.init(authentication: 76), .init(authentication: 0), .init(state: "associating")]) == nil)
  }

  /// Some radios get through SAE and fail after it; the next attempt is without SAE.
  @Test func aHandshakeThatEndsAfterSAEIsNotThePasswordsFault() {
    let reports = [
      SupplicantReport(state: "authenticating", authentication: 0),
      .init(state: "associating", authentication: 0), .init(state: "associated", association: 0),
      .init(state: "4way_handshake"), .init(state: "disconnected", disconnection: 15),
    ]
    #expect(verdict(.wpa2WPA3, reports) == nil)
    // Without SAE the association follows at once.
    #expect(verdict(.wpa2WPA3, Array(reports.dropFirst())) == .wrongPassword)

    var trial = ActivationTrial(security: .wpa2WPA3, hearsSupplicant: true)
    for (state, reason) in [(40, 0), (50, 0), (60, 0), (40, 0), (50, 0)] as [(UInt32, UInt32)] {
      _ = trial.handle(.device(state: state, reason: reason))
    }
    for report in reports { _ = trial.handle(.supplicant(report)) }
    guard case .fail(.rejected, _) = trial.handle(.device(state: 60, reason: 8)) else {
      Issue.record("not rejected")
      return
    }
  }

  @Test func aLoginIsNoPasswordOfTheNetwork() {
    let accepted = SupplicantReport(state: "authenticating", authentication: 0)
    let refused = SupplicantReport(authentication: 1)
    #expect(verdict(.enterprise, [accepted, refused]) == nil)
    #expect(verdict(.enterprise, [accepted, refused, refused]) == .refused)
    let login = SupplicantReport(eap: .init(status: "completion", detail: "failure"))
    #expect(verdict(.enterprise, [login]) == .loginRefused)
    #expect(verdict(.wpa2, [login]) == nil)
  }

  @Test func refusalsCountFromTheSecond() {
    let refusal = SupplicantReport(state: "disconnected", authentication: 1)
    #expect(verdict(.wpa2, [refusal]) == nil)
    #expect(verdict(.wpa2, [refusal, refusal]) == .refused)
    let accepted = SupplicantReport(state: "associating", authentication: 0)
    #expect(verdict(.wpa2, [accepted, refusal, accepted]) == nil)
    #expect(verdict(.wpa3, [refusal, refusal]) == .refused)
    #expect(verdict(.open, [.init(association: 17), .init(association: 17)]) == .refused)
    #expect(verdict(.open, [.init(association: 30), .init(association: 30)]) == nil)
  }

  @Test(arguments: [
    (NetworkSecurity.open, JoinFailure.Reason.accessPointRefused), (.wpa2, .accessPointRefused),
    (.wpa2WPA3, .rejected), (.wpa3, .rejected),
  ]) func aRefusalOnANetworkWithSAEMayBeThePasswords(
    security: NetworkSecurity, expected: JoinFailure.Reason
  ) {
    var trial = ActivationTrial(security: security, hearsSupplicant: true)
    for (state, reason) in [(40, 0), (50, 0), (60, 0), (40, 0), (50, 0)] as [(UInt32, UInt32)] {
      _ = trial.handle(.device(state: state, reason: reason))
    }
    let refusal = ActivationTrial.Event.supplicant(.init(state: "disconnected", authentication: 1))
    #expect(trial.handle(refusal) == .wait)
    guard case .fail(expected, _) = trial.handle(refusal) else {
      Issue.record("not \(expected)")
      return
    }
  }

  @Test func whatTheSupplicantSaysBeforeTheTrialBeginsIsOfAnotherNetwork() {
    var trial = ActivationTrial(security: .open, hearsSupplicant: true)
    let refusal = ActivationTrial.Event.supplicant(.init(association: 17))
    #expect(trial.handle(refusal) == .wait)
    #expect(trial.handle(refusal) == .wait)
    #expect(trial.handle(.device(state: 40, reason: 0)) == .wait)
    #expect(trial.handle(refusal) == .wait)
    guard case .fail(.accessPointRefused, _) = trial.handle(refusal) else {
      Issue.record("the second refusal decides")
      return
    }
  }
}
