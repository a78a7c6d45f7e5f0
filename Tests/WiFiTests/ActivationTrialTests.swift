import Testing

@testable import WiFi

/// The sequences are NetworkManager's, as its source and its logs show them.
@Suite struct ActivationTrialTests {
  /// The steps that are more than waiting.
  private func steps(
    _ security: NetworkSecurity, _ states: [(UInt32, UInt32)],
    then event: ActivationTrial.Event? = nil
  ) -> [ActivationTrial.Step] {
    var trial = ActivationTrial(security: security)
    var result = states.map { trial.handle(.device(state: $0.0, reason: $0.1)) }
    if let event { result.append(trial.handle(event)) }
    return result.filter { $0 != .wait }
  }

  private func reason(_ steps: [ActivationTrial.Step]) -> JoinFailure.Reason? {
    if case .fail(let reason, _)? = steps.last { reason } else { nil }
  }

  private static let associated: [(UInt32, UInt32)] = [
    (40, 0), (50, 0), (60, 0), (40, 0), (50, 0),
  ]

  @Test func theFirstRequestForSecretsIsNormal() {
    #expect(
      steps(.wpa2, Self.associated + [(70, 0), (80, 0), (90, 0), (100, 0)]) == [
        .report(.associating), .expectSecretsSoon, .report(.authenticating),
        .report(.obtainingAddress), .activated,
      ])
  }

  @Test func aBrokenHandshakeIsAWrongPassword() {
    #expect(reason(steps(.wpa2, Self.associated + [(60, 8)])) == .wrongPassword)
    #expect(reason(steps(.enterprise, Self.associated + [(60, 8)])) == .rejected)
  }

  @Test(
    arguments: [
      (120, 5, JoinFailure.Reason.noAddress), (120, 15, .noAddress), (120, 17, .noAddress),
      (120, 7, .rejected), (120, 11, .rejected), (120, 53, .rejected), (60, 0, .rejected),
      (120, 9, .securityNotSupported), (120, 10, .internalError), (120, 60, .superseded),
      (120, 39, .superseded), (120, 36, .noDevice), (120, 64, .addressConflict),
      (120, 999, .rejected), (10, 36, .noDevice), (10, 76, .deviceNotManaged),
      (20, 10, .internalError), (20, 0, .radioBlocked),
    ] as [(UInt32, UInt32, JoinFailure.Reason)])
  func reasonsOfAProtectedNetwork(state: UInt32, code: UInt32, expected: JoinFailure.Reason) {
    #expect(reason(steps(.wpa2, Self.associated + [(state, code)])) == expected)
  }

  /// Where there is no password, the access point itself refused.
  @Test(arguments: [11, 53] as [UInt32]) func reasonsOfAnOpenNetwork(code: UInt32) {
    #expect(reason(steps(.open, [(40, 0), (50, 0), (120, code)])) == .accessPointRefused)
  }

  @Test func theEndOfThePreviousConnectionIsNotOurs() {
    #expect(steps(.open, [(110, 60), (30, 60)]).isEmpty)
    #expect(steps(.open, [(120, 7), (30, 0), (100, 0)]).isEmpty)
    #expect(
      steps(.open, [(110, 60), (30, 60), (40, 0), (50, 0), (70, 0), (100, 0)]) == [
        .report(.associating), .report(.obtainingAddress), .activated,
      ])
  }

  /// As after a restart of NetworkManager, which joins a saved network by itself.
  @Test func anActivationThatOursReplacesIsNotOurs() {
    let other: [(UInt32, UInt32)] = [(40, 0), (50, 0), (60, 0), (110, 60), (30, 60)]
    #expect(
      steps(.wpa2, other + Self.associated + [(70, 0), (100, 0)]) == [
        .report(.associating), .expectSecretsSoon, .expectSecretsSoon, .report(.authenticating),
        .report(.obtainingAddress), .activated,
      ])
    #expect(reason(steps(.wpa2, other + Self.associated + [(60, 8)])) == .wrongPassword)
  }

  @Test(
    arguments: [
      (60, JoinFailure.Reason.superseded), (39, .superseded), (38, .superseded), (0, .rejected),
      (78, .radioBlocked),
    ] as [(UInt32, JoinFailure.Reason)])
  func anEndedActivationIsExplainedByTheDevice(code: UInt32, expected: JoinFailure.Reason) {
    let steps = steps(
      .open, [(40, 0), (50, 0), (110, code), (30, code)], then: .activeConnection(state: 4))
    #expect(reason(steps) == expected)
  }

  @Test func theEndMayBeToldWhenTheDeviceHasGoneOnAlready() {
    let steps = steps(
      .wpa2, Self.associated + [(110, 60), (30, 60), (40, 0), (50, 0)],
      then: .activeConnection(state: 4))
    #expect(reason(steps) == .superseded)
  }

  /// NetworkManager goes on waiting for an address after the access point has gone.
  @Test(arguments: [true, false]) func aLinkThatIsLostWhileAnAddressIsAwaited(comesBack: Bool) {
    var trial = ActivationTrial(security: .wpa2, hearsSupplicant: true)
    for (state, reason) in Self.associated + [(70, 0)] {
      _ = trial.handle(.device(state: state, reason: reason))
    }
    #expect(trial.handle(.supplicant(.init(state: "completed"))) == .wait)
    let lost = ActivationTrial.Event.supplicant(.init(state: "disconnected", disconnection: 3))
    #expect(trial.handle(lost) == .expectLinkSoon)
    #expect(trial.handle(.supplicant(.init(state: "scanning"))) == .wait)
    if comesBack {
      #expect(trial.handle(.supplicant(.init(state: "completed"))) == .wait)
      #expect(trial.handle(.linkOverdue) == .wait)
      #expect(reason([trial.handle(.device(state: 120, reason: 5))]) == .noAddress)
    } else {
      var other = trial
      #expect(reason([trial.handle(.linkOverdue)]) == .outOfRange)
      #expect(reason([other.handle(.device(state: 120, reason: 5))]) == .outOfRange)
    }
  }

  @Test func anAddressByHandFailsOnlyWhereSomebodyElseHasIt() {
    var trial = ActivationTrial(security: .open, hasFixedAddress: true)
    for state in [40, 50, 70] as [UInt32] { _ = trial.handle(.device(state: state, reason: 0)) }
    #expect(reason([trial.handle(.device(state: 120, reason: 5))]) == .addressConflict)
  }

  @Test func aPromptThatNobodyAnswersIsARefusal() {
    #expect(
      reason(steps(.wpa2, [(40, 0), (50, 0), (60, 0)], then: .secretsOverdue)) == .rejected)
    #expect(steps(.wpa2, Self.associated, then: .secretsOverdue).last == .report(.authenticating))
  }

  @Test(arguments: [
    (ActivationTrial.Event.cancelled, JoinFailure.Reason.cancelled), (.deadline, .timedOut),
    (.networkManagerStopped, .networkManagerNotRunning), (.deviceRemoved, .noDevice),
  ]) func whatEndsAnAttemptAtAnyTime(
    event: ActivationTrial.Event, expected: JoinFailure.Reason
  ) {
    #expect(reason(steps(.wpa2, [], then: event)) == expected)
    #expect(reason(steps(.wpa2, Self.associated + [(70, 0)], then: event)) == expected)
  }
}
