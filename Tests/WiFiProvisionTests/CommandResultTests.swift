import Provisioner
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct CommandResultTests {
  /// A result of every kind.
  static var all: [CommandResult] {
    [.done(), .usage("--ssid is missing"), .interrupted(by: 2)]
      + errors.map { CommandResult($0.0) }
      + outcomes(.failed).map(\.result) + outcomes(.rolledBack).map(\.result)
      + outcomes(.connected).map(\.result)
  }

  private static func outcomes(
    _ state: ProvisioningState
  ) -> [(reason: Reason, result: CommandResult)] {
    guard let ssid = try? SSID(Array("Home\u{1B}[2J".utf8)) else { return [] }
    let before = ProvisioningStatus(state: .authenticating, attempt: 1)
    return (Reason.allCases + [Reason(rawValue: 0x7F)]).map { reason in
      let status = ProvisioningStatus(state: state, reason: reason, attempt: 1, rssi: -50)
      let outcome = Provisioner.Outcome(
        last: DeviceStatus(status, evidence: AttemptEvidence(summary: "reason 15 \u{1B}[2J")),
        before: before)
      return (reason, CommandResult(outcome, joining: ssid))
    }
  }

  private static let device: [DeviceSighting] = {
    guard let id = DeviceID("0123456789ab"), let address = PeerAddress("AA:BB:CC:DD:EE:FF") else {
      return []
    }
    let data = ProvisioningAdvertisement(
      state: .failed, flags: .setupCodeRequired, deviceID: id)
    let heard = Advertisement(
      address: address, name: "\u{1B}[31mKitchen", rssi: -40, serviceData: data.encoded)
    return DeviceSighting(heard).map { [$0] } ?? []
  }()

  private static let errors: [(ProvisionerError, Int32)] =
    [
      AdapterProblem.noBus("no socket"), .noService, .noAdapter(name: nil),
      .noAdapter(name: "hci7"), .poweredOff, .blocked, .unsupported, .notPermitted,
    ].map { (.adapter($0), 3) } + [
      (.deviceNotFound(.name("\u{1B}c"), others: []), 4),
      (.deviceNotFound(.name("Kitchen"), others: device), 4),
      (.ambiguous(.name("Kitchen"), candidates: device + device), 4),
      (.connectionFailed(CentralError(.failed, "le-connection-refused")), 5),
      (.incomplete(missing: [.status, .control]), 5),
      (.connectionLost(.search, CentralError(.failed)), 3),
      (.connectionLost(.sendSSID, CentralError(.linkLost)), 5),
      (.connectionLost(.awaitOutcome, CentralError(.linkLost)), 5),
      (.refused(.sendSSID, .reason(.busy)), 6), (.refused(.sendSSID, .attribute(0x0E)), 6),
      (.refused(.sendSSID, .pairingRequired), 6),
      (.refused(.pair, .pairingFailed), 6), (.refused(.pair, .passkeyRequired), 6),
      (.timedOut(.pair), 15),
      (.refused(.request, .failure(RequestFailure(.busy))), 6),
      (.wrongCode(guessesLeft: 4), 7), (.wrongCode(guessesLeft: nil), 7),
      (.lockedOut(seconds: 30), 8), (.insecureOnly, 6),
      (.sessionBroken(.request, .malformed), 5),
      (.malformed(.information, "it is no CBOR map"), 5),
      (.timedOut(.awaitOutcome), 15), (.timedOut(.connect), 15), (.cancelled, 20),
    ]

  @Test func everyErrorHasItsStatus() {
    for (error, status) in Self.errors {
      #expect(CommandResult(error).exitCode.rawValue == status, "\(error)")
    }
  }

  @Test func everyFailureSaysWhatHappenedAndNothingThatMovesACursor() {
    for result in Self.all where result.outcome == .failed {
      #expect(!result.message.isEmpty)
      for text in [result.message, result.advice] {
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }, "\(text)")
      }
    }
  }

  @Test func everyReasonHasItsStatus() {
    let expected: [Reason: Int32] = [
      .wrongPassword: 10, .networkNotFound: 11, .hiddenNetworkSilent: 11, .outOfRange: 11,
      .noAddress: 12, .addressConflict: 12, .rejected: 13, .accessPointRefused: 13,
      .enterpriseRefused: 13, .securityNotSupported: 14, .timedOut: 15,
      .ssidLength: 6, .passwordFormat: 6, .setupCodeRequired: 6, .lockedOut: 6, .busy: 6,
      .malformedMessage: 6, .notNow: 6, .unsupported: 6, .invalidSettings: 6,
    ]
    for state in [ProvisioningState.failed, .rolledBack] {
      for (reason, result) in Self.outcomes(state) where reason != .none {
        #expect(result.outcome == .failed)
        #expect(result.exitCode.rawValue == expected[reason] ?? 20, "\(reason.name)")
        #expect(result.reason == reason.name)
      }
    }
  }

  @Test func connectedIsSuccessUnlessTheNextStartLosesIt() throws {
    let ssid = try SSID(Array("Home".utf8))
    var status = ProvisioningStatus(
      state: .connected, attempt: 1, ipv4: IPv4Address("192.0.2.7"), rssi: -50)
    let good = CommandResult(
      Provisioner.Outcome(last: DeviceStatus(status), before: nil), joining: ssid)
    #expect(good.outcome == .connected && good.exitCode == .done)
    #expect(good.message == "The device is in ‘Home’ as 192.0.2.7, signal -50 dBm.")
    #expect(good.advice.isEmpty)
    status.connectivity = .portal
    let portal = CommandResult(
      Provisioner.Outcome(last: DeviceStatus(status), before: nil), joining: ssid)
    #expect(portal.exitCode == .done && !portal.advice.isEmpty)
    status.reason = .notSaved
    let lost = CommandResult(
      Provisioner.Outcome(last: DeviceStatus(status), before: nil), joining: ssid)
    #expect(lost.outcome == .failed && lost.exitCode == .otherFailure)
  }

  @Test func aFailureTellsWhereAndHowWellItWasHeard() throws {
    let before = ProvisioningStatus(state: .authenticating, attempt: 1, rssi: -50)
    let status = ProvisioningStatus(
      state: .rolledBack, reason: .wrongPassword, attempt: 1, rssi: -70)
    let result = CommandResult(
      Provisioner.Outcome(
        last: DeviceStatus(status, ssid: try SSID(Array("Old".utf8))), before: before),
      joining: try SSID(Array("Home".utf8)))
    #expect(
      result.message == """
        No connection to ‘Home’: The Wi-Fi password is wrong. It failed while authenticating, \
        with a signal of -50 dBm. The device is back in ‘Old’.
        """)
    #expect(result.advice == "Check the password and try again.")
  }

  @Test func whatTheDeviceSawIsSafeToShow() throws {
    let evidence = AttemptEvidence(
      summary: "status 17\u{1B}[2J", advice: "Ask\nthe admin.", security: .wpaEAP, rssi: -70,
      frequency: 2437, supplicant: ["eap failure"])
    let status = ProvisioningStatus(state: .failed, reason: .rejected, attempt: 1)
    let result = CommandResult(
      Provisioner.Outcome(last: DeviceStatus(status, evidence: evidence), before: nil),
      joining: try SSID(Array("Home".utf8)))
    #expect(result.evidence == evidence)
    #expect(evidence.words == "status 17\\x1b[2J (wpa-eap, -70 dBm, 2437 MHz, eap failure)")
    #expect(result.advice == "Ask\\x0athe admin.")
  }

  @Test func aSignalEndsWith128AndItsNumber() {
    #expect(CommandResult.interrupted(by: 2).exitCode.rawValue == 130)
    #expect(CommandResult.interrupted(by: 15).exitCode.rawValue == 143)
  }
}
