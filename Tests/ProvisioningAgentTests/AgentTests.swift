import Diagnostics
import ProvisioningAgent
import ProvisioningProtocol
import Testing

private let link = WiFiLink(
  ipv4: IPv4Address("192.0.2.7"), rssi: -50, connectivity: .full)

@Suite struct ProvisioningTests {
  @Test func theWholeJob() throws {
    let board = try Harness()
    #expect(board.peripheral.advertised?.state == .notProvisioned)
    #expect(board.provision("Home", "correct horse") == nil)
    #expect(board.station.calls.contains(.prepare))
    #expect(
      board.station.calls.last
        == .join(ssid: Array("Home".utf8), password: Array("correct horse".utf8)))
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .connecting)
    board.reach(.associating)
    board.reach(.authenticating)
    board.reach(.obtainingAddress)
    board.reach(.checkingConnectivity)
    board.finish(.connected(link, saved: true))
    #expect(
      board.peripheral.notified.map(\.state) == [
        .credentialsReceived, .preparing, .associating, .authenticating, .obtainingAddress,
        .checkingConnectivity, .connected,
      ])
    let status = try board.status()
    #expect(status.ipv4 == link.ipv4)
    #expect(status.connectivity == .full)
    #expect(status.attempt == 1)
    board.disconnect()
    #expect(board.station.calls.last == .release)
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .connected)
    #expect(board.clock.timerCount == 0)
  }

  @Test func wiFiIsMadeReadyWhileTheCentralStillLooksAround() throws {
    let board = try Harness()
    board.connect()
    #expect(board.station.calls.last == .prepare)
    board.wait(20)
    #expect(board.station.calls.last == .release)
    #expect(board.clock.timerCount == 0)
    board.connect()
    #expect(board.provision("Home", "correct horse") == nil)
    board.wait(20)
    #expect(!board.station.calls.dropFirst(3).contains(.release))
    let refusing = try Harness(mode: .code)
    refusing.connect()
    #expect(!refusing.station.calls.contains(.prepare))
    #expect(refusing.clock.timerCount == 0)
  }

  @Test func aFailureIsNotifiedBeforeTheDeviceIsBack() throws {
    let board = try Harness(wifi: StationState(link: link))
    board.provision("Home", "wrong horse")
    board.reach(.associating)
    board.reach(.authenticating)
    // A second attempt with other settings.
    board.reach(.associating)
    board.fail(.wrongPassword)
    #expect(
      board.peripheral.notified.suffix(4).map(\.state) == [
        .associating, .authenticating, .associating, .failed,
      ])
    #expect(try board.status().isReturning)
    #expect(board.lines.count(of: "failing") == 1)
    // Meanwhile the next one is asked for; it waits for its turn, and not for the way back.
    #expect(!board.station.calls.contains(.cancelled))
    #expect(board.provision("Home", "correct horse") == nil)
    #expect(board.station.calls.contains(.cancelled))
    #expect(try board.status().state == .preparing)
    let joins = board.station.calls.count { if case .join = $0 { true } else { false } }
    #expect(joins == 1)
    board.finish(.rolledBack(.wrongPassword, link))
    #expect(board.station.isJoining)
    board.finish(.connected(link, saved: true))
    let status = try board.status()
    #expect(status.state == .connected && status.attempt == 2)
  }

  @Test func theDeviceSaysThatItIsBack() throws {
    let board = try Harness(wifi: StationState(link: link))
    board.provision("Home", "wrong horse")
    board.reach(.associating)
    board.wifi(StationState())
    board.fail(.wrongPassword)
    board.wifi(StationState(link: link))
    #expect(try board.status().isReturning)
    board.finish(.rolledBack(.wrongPassword, link))
    #expect(board.lines.count(of: "failing") == 1 && board.lines.count(of: "seen") == 0)
    let status = try board.status()
    #expect(status.state == .rolledBack && status.reason == .wrongPassword)
    #expect(status.ipv4 == link.ipv4 && status.attempt == 1)
  }

  @Test func whatBecomesOfTheNetworkRightAfterTheAttemptIsNotified() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    board.reach(.associating)
    var limited = link
    limited.connectivity = .limited
    board.finish(.connected(limited, saved: true))
    board.wait(3)
    board.wifi(StationState(link: link))
    #expect(board.peripheral.notified.last?.connectivity == .full)
    board.wait(3)
    board.wifi(StationState())
    let status = try #require(board.peripheral.notified.last)
    #expect(status.state == .failed && status.reason == .outOfRange && status.attempt == 1)
  }

  @Test func theWrongPasswordAndThenTheRightOne() throws {
    let board = try Harness()
    board.provision("Home", "wrong horse")
    board.reach(.authenticating)
    board.finish(.failed(.wrongPassword))
    #expect(try board.status().state == .failed)
    #expect(try board.status().reason == .wrongPassword)
    #expect(board.peripheral.notified.last?.reason == .wrongPassword)
    #expect(board.provision("Home", "right horse") == nil)
    board.finish(.connected(link, saved: true))
    let status = try board.status()
    #expect(status.state == .connected)
    #expect(status.reason == .none)
    #expect(status.attempt == 2)
  }

  @Test func theProvisionerHearsTheResultBeforeAnythingElseHappens() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    board.disconnect()
    board.finish(.connected(link, saved: true))
    board.wait(1)
    let last = Array(board.peripheral.calls.suffix(2))
    guard case .notify(let status) = last.first, case .advertise = last.last else {
      Issue.record("\(last)")
      return
    }
    #expect(status.state == .connected)
    #expect(board.station.calls.last == .release)
  }

  @Test func thePasswordIsGoneWhenTheAttemptIsOver() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    #expect(board.station.passwordLives)
    board.finish(.failed(.noAddress))
    #expect(!board.station.passwordLives)
  }

  @Test func noLineOfTheLogHasThePassword() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    board.finish(.failed(.wrongPassword))
    board.write("battery", to: .password)
    #expect(board.lines.count(of: "horse") == 0)
    #expect(board.lines.count(of: "battery") == 0)
    #expect(board.lines.count(of: "joining ‘Home’, attempt 1") == 1)
    #expect(board.lines.count(of: "failed: wrong-password") == 1)
  }

  @Test func cancelEndsTheAttemptAndItsLateResultIsNoNews() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    #expect(board.control(.cancel) == nil)
    #expect(board.station.calls.last == .cancelled)
    #expect(try board.status().reason == .cancelled)
    let count = board.peripheral.notified.count
    board.finish(.connected(link, saved: true))
    #expect(board.peripheral.notified.count == count)
  }

  @Test func anAttemptWaitsUntilTheOneBeforeHasCleanedUp() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    board.control(.cancel)
    board.provision("Office", "battery staple")
    #expect(
      board.station.calls.last
        != .join(
          ssid: Array("Office".utf8), password: Array("battery staple".utf8)))
    board.finish(.failed(.cancelled))
    #expect(
      board.station.calls.last
        == .join(ssid: Array("Office".utf8), password: Array("battery staple".utf8)))
    #expect(try board.status().state == .preparing)
    board.finish(.connected(link, saved: true))
    #expect(try board.status().state == .connected)
    #expect(try board.status().attempt == 2)
  }

  @Test func anAttemptThatTakesTooLongIsStopped() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    board.wait(119)
    #expect(board.station.isJoining)
    board.wait(1)
    #expect(board.station.calls.last == .cancelled)
    #expect(try board.status().reason == .timedOut)
  }

  @Test func whatTheDeviceCannotDoIsRefused() throws {
    let board = try Harness()
    #expect(board.control(.forget) == .unsupported)
    #expect(board.control(.identify) == .unsupported)
  }
}

@Suite struct SessionTests {
  @Test func oneProvisionerAtATime() throws {
    let board = try Harness()
    #expect(board.write("Home", to: .ssid, from: "A") == nil)
    #expect(board.write("Office", to: .ssid, from: "B") == .busy)
    #expect(board.control(.connect, from: "B") == .busy)
    #expect(try board.status(for: "B").reason == .busy)
    #expect(try board.status(for: "A").reason == .none)
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .sessionInProgress)
    board.disconnect("A")
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .notProvisioned)
    #expect(board.write("Office", to: .ssid, from: "B") == nil)
  }

  @Test func silenceReleasesTheDevice() throws {
    let board = try Harness()
    board.write("Home", to: .ssid, from: "A")
    board.wait(59)
    #expect(board.write("correct horse", to: .password, from: "A") == nil)
    board.wait(59)
    #expect(board.write("Office", to: .ssid, from: "B") == .busy)
    board.wait(1)
    board.wait(1)
    #expect(board.clock.timerCount == 0)
    #expect(board.station.calls.last == .release)
    #expect(board.write("Office", to: .ssid, from: "B") == nil)
  }

  @Test func whatAVanishedCentralWroteIsGone() throws {
    let board = try Harness()
    board.write("Home", to: .ssid, from: "A")
    board.write("correct horse", to: .password, from: "A")
    board.disconnect("A")
    #expect(board.control(.connect, from: "B") == .notNow)
    board.disconnect("B")
    #expect(board.provision("Home", "correct horse", from: "A") == nil)
    board.finish(.connected(link, saved: true))
    #expect(try board.status().state == .connected)
  }

  @Test func anAttemptGoesOnWhenItsCentralVanishes() throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    board.disconnect()
    #expect(board.station.isJoining)
    #expect(!board.station.calls.contains(.release))
    board.finish(.connected(link, saved: true))
    #expect(board.station.calls.last == .release)
    #expect(try board.status(for: "B").state == .connected)
  }

  @Test func threeCentralsReadTheStatusAtOnce() throws {
    let board = try Harness()
    board.provision("Home", "correct horse", from: "A")
    for central in ["A", "B", "C"] {
      let status = try board.status(for: central)
      #expect(status.state == .preparing)
      #expect(status.reason == (central == "A" ? .none : .busy))
    }
  }

  @Test(arguments: [
    (ProvisioningCharacteristic.ssid, 0, ApplicationError.ssidLength), (.ssid, 33, .ssidLength),
    (.password, 8, .notNow), (.control, 0, .unsupported), (.control, 2, .unsupported),
    (.status, 1, .unsupported),
  ])
  func badWritesAreRefusedAndSaid(
    characteristic: ProvisioningCharacteristic, count: Int, error: ApplicationError
  ) throws {
    let board = try Harness()
    #expect(board.write([UInt8](repeating: 0x41, count: count), to: characteristic) == error)
    #expect(try board.status().reason == error.reason)
    #expect(board.provision("Home", "correct horse") == nil)
  }

  @Test func withoutASetupCodeNobodyWrites() throws {
    let board = try Harness(mode: .code)
    #expect(board.write("Home", to: .ssid) == .setupCodeRequired)
    #expect(board.control(.connect) == .setupCodeRequired)
    #expect(try board.status().reason == .setupCodeRequired)
    #expect(board.peripheral.advertised?.flags == .setupCodeRequired)
    #expect(board.lines.count(of: "warning: credentials are refused") == 1)
    #expect(board.clock.timerCount == 0)
  }

  @Test func whoeverIsRefusedAllDayDoesNotFillTheLog() throws {
    let board = try Harness(mode: .code)
    for _ in 0..<100 { board.write("Home", to: .ssid) }
    #expect(board.lines.count(of: "SSID of A refused: setup-code-required") == 20)
  }

  @Test func theInformationSaysWhatTheDeviceIs() throws {
    let board = try Harness()
    let information = try DeviceInformation(decoding: board.read(.information))
    #expect(information.deviceID.description == "0123456789ab")
    #expect(information.name == "Board")
    #expect(information.profiles == [.plain])
    #expect(information.securities == [.open, .wpaPSK])
    #expect(information.features.isEmpty)
  }

  @Test func aDescriptionThatIsTooLongIsAnError() throws {
    let id = try #require(DeviceID("0123456789ab"))
    let device = DeviceDescription(
      id: id, name: String(repeating: "x", count: 500), mode: .open, securities: [])
    let board = try Harness()
    #expect(throws: DeviceInformation.EncodingError.self) {
      try Agent(
        device: device, policy: OpeningPolicy(), peripheral: board.peripheral,
        station: board.station, clock: board.clock, executor: board.executor,
        log: .standardError(threshold: .error, program: "test"),
        notifier: .init(socketPath: nil))
    }
  }
}

@Suite struct RecoveryTests {
  @Test func bluetoothGoesAndComesBack() throws {
    let board = try Harness(bluetooth: .unavailable("BlueZ is not running"))
    board.bluetooth(.unavailable("BlueZ is not running"))
    #expect(board.lines.count(of: "BlueZ is not running") == 1)
    board.bluetooth(.advertising)
    #expect(board.provision("Home", "correct horse") == nil)
    board.bluetooth(.unavailable("BlueZ is not running"))
    board.disconnect()
    #expect(board.lines.count(of: "BlueZ is not running") == 2)
    board.finish(.connected(link, saved: true))
    board.bluetooth(.advertising)
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .connected)
    #expect(board.provision("Home", "correct horse", from: "B") == nil)
  }

  @Test func wifiIsLeftAloneUntilBluetoothHasSpoken() throws {
    let board = try Harness(bluetooth: nil, wifi: nil)
    #expect(board.station.calls.isEmpty)
    board.bluetooth(.advertising)
    #expect(board.station.calls == [.start])
    board.bluetooth(.unavailable("off"))
    board.bluetooth(.advertising)
    #expect(board.station.calls == [.start])
  }

  @Test func networkManagerGoesAndComesBack() throws {
    let board = try Harness(wifi: StationState(obstacle: .networkManagerNotRunning))
    #expect(board.lines.count(of: "NetworkManager is not running") == 1)
    board.provision("Home", "correct horse")
    board.finish(.failed(.networkManagerNotRunning))
    #expect(try board.status().reason == .networkManagerNotRunning)
    board.wifi(StationState())
    #expect(board.lines.count(of: "Wi-Fi can be used") == 1)
    #expect(board.provision("Home", "correct horse") == nil)
    board.finish(.connected(link, saved: true))
    #expect(try board.status().state == .connected)
  }

  @Test func aConnectionThatIsThereAlreadyIsSaid() throws {
    let board = try Harness(wifi: StationState(link: link))
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .connected)
    #expect(try board.status().state == .connected)
    board.wifi(StationState())
    board.wait(1)
    #expect(board.peripheral.advertised?.state == .notProvisioned)
    #expect(try board.status().state == .idle)
  }

  @Test func stoppingTellsTheProvisionerFirst() async throws {
    let board = try Harness()
    board.provision("Home", "correct horse")
    let stopping = board.stop()
    #expect(board.station.calls.last == .cancelled)
    #expect(!board.peripheral.calls.contains(.stop))
    board.finish(.failed(.cancelled))
    await stopping.value
    #expect(board.peripheral.notified.last?.reason == .cancelled)
    #expect(board.peripheral.calls.last == .stop)
    #expect(board.clock.timerCount == 0)
  }

  @Test func anIdleAgentHasNoTimer() throws {
    let board = try Harness()
    #expect(board.clock.timerCount == 0)
    _ = try board.status()
    board.disconnect("stranger")
    #expect(board.clock.timerCount == 0)
  }
}
