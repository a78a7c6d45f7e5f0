import DBus
import MainLoop
import RadioSimulator
import Secrets
import Testing

@testable import WiFi

@Suite(.timeLimit(.minutes(1))) struct JoinTests {
  @Test(arguments: [false, true])
  func connectsToAProtectedNetworkAndKeepsIt(hasSupplicant: Bool) async throws {
    try await inRoom(timeScale: 0.2, hasSupplicant: hasSupplicant) { room in
      let (outcome, steps) = await room.join("Home", Room.password)
      #expect(
        outcome
          == .connected(
            StationSnapshot.Link(
              ssid: Array("Home".utf8), address: IPv4Address("192.0.2.23"), signal: -58,
              connectivity: .full, frequency: 2437, gateways: ["192.0.2.1"],
              nameservers: ["192.0.2.1"]), saved: true))
      #expect(
        steps == [
          .preparing, .associating, .authenticating, .obtainingAddress, .checkingConnectivity,
        ])
      let profiles = await room.networkManager.allProfiles
      let profile = try #require(profiles.first)
      #expect(profiles.count == 1)
      #expect(profile.isSaved && !profile.isVolatile)
      #expect(profile.password == Room.password)
      #expect(profile.keyManagement == "wpa-psk")
      // Free to move to another device, and to come back by itself for ever.
      #expect(profile.settings["connection"]?["interface-name"] == nil)
      #expect(profile.settings["connection"]?["autoconnect-retries"]?.asInteger == 0)
      // What was asked for holds later, too.
      #expect(profile.settings["ipv4"]?["may-fail"]?.asBool == false)
    }
  }

  @Test func connectsToAnOpenNetworkWithoutTheAuthenticatingStep() async throws {
    try await inRoom { room in
      let (outcome, steps) = await room.join("Cafe")
      #expect(outcome.link?.ssid == Array("Cafe".utf8))
      #expect(steps == [.preparing, .associating, .obtainingAddress, .checkingConnectivity])
    }
  }

  @Test(arguments: [
    (SimulatedAccessPoint.Security.wpa2AndWPA3, "wpa-psk"), (.wpa3, "sae"),
  ]) func choosesTheKeyManagement(security: SimulatedAccessPoint.Security, expected: String)
    async throws
  {
    let point = SimulatedAccessPoint(
      name: "home", ssid: Array("Home".utf8), security: security, password: Room.password)
    try await inRoom([point]) { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(await room.networkManager.allProfiles.first?.keyManagement == expected)
    }
  }

  @Test func joinsAnOWENetworkWithoutAPassword() async throws {
    try await inRoom([SimulatedAccessPoint(name: "x", ssid: [1], security: .owe)]) { room in
      #expect(await room.join([1]).0.link != nil)
      #expect(await room.networkManager.allProfiles.first?.keyManagement == "owe")
    }
  }

  @Test func anSSIDIsBytes() async throws {
    let ssid: [UInt8] = Array("A\"😀".utf8) + [0, 0xFF] + Array(repeating: 0x41, count: 24)
    #expect(ssid.count == 32)
    let point = SimulatedAccessPoint(
      name: "odd", ssid: ssid, security: .wpa2, password: Room.password)
    try await inRoom([point]) { room in
      #expect(await room.join(ssid, Room.password).0.link?.ssid == ssid)
      #expect(await room.networkManager.allProfiles.first?.ssid == ssid)
    }
  }

  @Test(arguments: [false, true])
  func aWrongPasswordIsToldAndTheRightOneWorksAfterIt(hasSupplicant: Bool) async throws {
    try await inRoom(hasSupplicant: hasSupplicant) { room in
      let failure = await room.failure("Home", "wrong password")
      #expect(failure?.reason == .wrongPassword)
      #expect(failure?.evidence.security == .wpa2)
      if !hasSupplicant {
        #expect(failure?.evidence.transitions.contains(.init(state: 60, reason: 8)) == true)
      }
      #expect(await room.networkManager.allProfiles.isEmpty)
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(await room.networkManager.allProfiles.count == 1)
    }
  }

  /// Without the handshake's own evidence nobody is told that the password is wrong.
  @Test func aRefusalWithoutEvidenceIsOnlyARefusal() async throws {
    let point = SimulatedAccessPoint(
      name: "home", ssid: Array("Home".utf8), security: .wpa3, password: Room.password)
    try await inRoom([point], hasSupplicant: false) { room in
      #expect(await room.failure("Home", "wrong password")?.reason == .rejected)
      #expect(await room.networkManager.allProfiles.isEmpty)
    }
  }

  /// The attempt without SAE that follows has WPA2's handshake.
  @Test func withoutTheSupplicantTheSecondAttemptTellsAWrongPassword() async throws {
    try await inRoom([Self.mixed], hasSupplicant: false) { room in
      let failure = await room.failure("Home", "wrong password")
      #expect(failure?.reason == .wrongPassword, "\(String(describing: failure))")
      #expect(await room.networkManager.allProfiles.isEmpty)
      // What the first attempt saw is told, too.
      let prompts = failure?.evidence.transitions.filter { $0.state == 60 }.map(\.reason)
      #expect(prompts == [0, 0, 0, 8])
    }
  }

  /// Some radios say that they know WPA3, and fail at it.
  @Test(arguments: [false, true])
  func whereSAEFailsTheNetworkIsJoinedWithoutIt(hasSupplicant: Bool) async throws {
    var point = Self.mixed
    point.failsSAE = true
    try await inRoom([point], hasSupplicant: hasSupplicant) { room in
      #expect(await room.join("Home", Room.password).0.link != nil)
      let profile = await room.networkManager.allProfiles.first
      #expect(profile?.settings["802-11-wireless-security"]?["pmf"]?.asInteger == 1)
    }
  }

  private static let mixed = SimulatedAccessPoint(
    name: "home", ssid: Array("Home".utf8), security: .wpa2AndWPA3, password: Room.password)

  /// NetworkManager says "network not found" after 25 s; wpa_supplicant says it at once.
  @Test(arguments: [SimulatedAccessPoint.Security.wpa2AndWPA3, .wpa3])
  func aRefusedProofOfThePasswordIsAWrongPassword(security: SimulatedAccessPoint.Security)
    async throws
  {
    let point = SimulatedAccessPoint(
      name: "home", ssid: Array("Home".utf8), security: security, password: Room.password)
    try await inRoom([point]) { room in
      let failure = await room.failure("Home", "wrong password")
      #expect(failure?.reason == .wrongPassword, "\(String(describing: failure))")
      #expect(await room.networkManager.allProfiles.isEmpty)
      #expect(await room.join("Home", Room.password).0.link != nil)
    }
  }

  @Test func anAbsentNetworkIsNotTried() async throws {
    try await inRoom { room in
      let failure = await room.failure("Nowhere", Room.password)
      #expect(failure?.reason == .networkNotFound)
      #expect(failure?.evidence.transitions.isEmpty == true)
    }
  }

  @Test func aNetworkThatAppearsIsFoundByTheRescan() async throws {
    try await inRoom([]) { room in
      await room.networkManager.setAccessPoints([Room.home])
      #expect(await room.join("Home", Room.password).0.link != nil)
    }
  }

  @Test func aTwinThatWasNotHeardYetIsLookedFor() async throws {
    let open = SimulatedAccessPoint(name: "open", ssid: Room.home.ssid)
    try await inRoom([open]) { room in
      await room.networkManager.setAccessPoints([open, Room.home])
      #expect(await room.join("Home", Room.password).0.link != nil)
      #expect(await room.networkManager.allProfiles.map(\.keyManagement) == ["wpa-psk"])
    }
  }

  @Test func aNetworkThatGoesAwayIsOutOfRange() async throws {
    try await inRoom { room in
      await room.networkManager.setAccessPoints([])
      let failure = await room.failure("Home", Room.password)
      #expect(failure?.reason == .outOfRange)
    }
  }

  @Test(arguments: [(Room.homeAndCafe[1], nil), (Room.home, Room.password)])
  func anAccessPointThatRefusesEveryoneIsNotThePasswordsFault(
    point: SimulatedAccessPoint, password: String?
  ) async throws {
    var point = point
    point.refusesStations = true
    try await inRoom([point]) { [point] room in
      let outcome = await room.join(point.ssid, password).0
      #expect(outcome.failure?.reason == .accessPointRefused)
    }
  }

  @Test(arguments: [
    (Room.homeAndCafe[1], nil, JoinFailure.Reason.accessPointRefused),
    (Room.home, Room.password, .rejected),
  ])
  func withoutTheSupplicantOnlyAnOpenNetworksRefusalIsClear(
    point: SimulatedAccessPoint, password: String?, reason: JoinFailure.Reason
  ) async throws {
    var point = point
    point.refusesStations = true
    try await inRoom([point], hasSupplicant: false) { [point] room in
      #expect(await room.join(point.ssid, password).0.failure?.reason == reason)
    }
  }

  @Test func withoutDHCPThereIsNoAddress() async throws {
    var point = Room.home
    point.hasDHCP = false
    try await inRoom([point]) { room in
      let (outcome, steps) = await room.join("Home", Room.password)
      let failure = try #require(outcome.failure)
      #expect(failure.reason == .noAddress)
      #expect(steps.last == .obtainingAddress)
      #expect(await room.networkManager.allProfiles.isEmpty)
    }
  }

  @Test(arguments: [
    ("Home", "1234567"), ("Home", String(repeating: "x", count: 64)), ("Home", ""),
    ("Home", "with\u{0}NUL inside"), ("Cafe", "a password"),
  ]) func aPasswordThatCannotBeOneIsRefusedUntried(ssid: String, password: String) async throws {
    try await inRoom { room in
      let failure = await room.failure(ssid, password)
      #expect(failure?.reason == .passwordFormat)
      #expect(failure?.evidence.transitions.isEmpty == true)
    }
  }

  @Test(arguments: [0, 33]) func anSSIDHas1To32Bytes(count: Int) async throws {
    try await inRoom { room in
      let outcome = await room.join([UInt8](repeating: 65, count: count)).0
      #expect(outcome.failure?.reason == .ssidLength)
    }
  }

  @Test func olderProfilesOfTheNetworkGoOnlyAfterSuccess() async throws {
    try await inRoom { room in
      let ssid = Array("Home".utf8)
      let manager = room.networkManager
      await manager.addProfile(
        uuid: "old-1", ssid: ssid, keyManagement: "wpa-psk", password: "some old one")
      await manager.addProfile(
        uuid: "old-2", ssid: ssid, keyManagement: "sae", password: "some other old one")
      await manager.addProfile(uuid: "open", ssid: ssid)
      await manager.addProfile(uuid: "other", ssid: Array("Cafe".utf8))
      #expect(await room.failure("Home", "wrong password")?.reason == .wrongPassword)
      #expect(await manager.allProfiles.map(\.uuid) == ["old-1", "old-2", "open", "other"])

      #expect(await room.join("Home", Room.password).0.link != nil)
      let left = await manager.allProfiles
      #expect(left.map(\.uuid).prefix(2) == ["open", "other"])
      #expect(left.count == 3 && left.last?.password == Room.password)
    }
  }

  @Test func aFailureLeavesThePreviousNetworkInUse() async throws {
    try await inRoom { room in
      #expect(await room.join("Cafe").0.link != nil)
      #expect(await room.failure("Home", "wrong password")?.reason == .wrongPassword)
      try await room.snapshots.first { $0.link?.ssid == Array("Cafe".utf8) }
    }
  }

  @Test func aLinkThatCannotBeSavedIsALinkAllTheSame() async throws {
    try await inRoom { room in
      await room.networkManager.setDiskIsReadOnly(true)
      let (outcome, _) = await room.join("Home", Room.password)
      let link = try #require(outcome.link)
      #expect(link.address != nil)
      #expect(outcome == .connected(link, saved: false))
    }
  }

  @Test func aRefusedUserIsToldSo() async throws {
    try await inRoom { room in
      await room.networkManager.setRefusesEveryone(true)
      #expect(await room.failure("Home", Room.password)?.reason == .permissionDenied)
    }
  }

  @Test func anotherActivationSupersedesTheAttempt() async throws {
    try await inRoom(timeScale: 0.3) { room in
      let manager = room.networkManager
      await manager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await room.snapshots.first { $0.link != nil }
      let outcome = await room.station.join(Room.request) { step in
        guard step == .authenticating else { return }
        Task { await manager.activateProfile(uuid: "cafe") }
      }
      let failure = try #require(outcome.failure)
      #expect(failure.reason == .superseded, "\(failure)")
      #expect(await manager.allProfiles.map(\.uuid) == ["cafe"])
    }
  }

  @Test func networkManagerStoppingEndsTheAttempt() async throws {
    try await inRoom(timeScale: 0.3) { room in
      let manager = room.networkManager
      let outcome = await room.station.join(Room.request) { step in
        guard step == .authenticating else { return }
        Task { await manager.stop() }
      }
      let failure = try #require(outcome.failure)
      #expect(failure.reason == .networkManagerNotRunning)

      try await manager.start()
      #expect(await room.join("Home", Room.password).0.link != nil)
    }
  }

  @Test func theDeviceGoingAwayEndsTheAttempt() async throws {
    try await inRoom(timeScale: 0.3) { room in
      let manager = room.networkManager
      let outcome = await room.station.join(Room.request) { step in
        guard step == .associating else { return }
        Task { await manager.change { $0.hasDevice = false } }
      }
      let failure = try #require(outcome.failure)
      #expect(failure.reason == .noDevice)
    }
  }

  @Test func itsOwnDeadlineEndsAnAttempt() async throws {
    var point = Room.home
    point.hasDHCP = false
    try await inRoom([point], timeScale: 1, limits: { $0.attempt = .seconds(2) }) { room in
      #expect(await room.failure("Home", Room.password)?.reason == .timedOut)
      #expect(await room.networkManager.allProfiles.isEmpty)
    }
  }

  @Test(arguments: [JoinProgress.preparing, .associating, .authenticating, .obtainingAddress])
  func cancellingLeavesNothingBehind(at moment: JoinProgress) async throws {
    try await inRoom(timeScale: 0.2) { room in
      await room.networkManager.addProfile(uuid: "cafe", ssid: Array("Cafe".utf8))
      try await room.snapshots.first { $0.link != nil }
      let station = room.station
      let (moments, continuation) = AsyncStream.makeStream(of: JoinProgress.self)
      let attempt = Task {
        defer { continuation.finish() }
        return await station.join(Room.request) { continuation.yield($0) }
      }
      for await step in moments where step == moment {
        attempt.cancel()
        break
      }
      let failure = try #require(await attempt.value.failure)
      #expect(failure.reason == .cancelled)
      #expect(await room.networkManager.allProfiles.map(\.uuid) == ["cafe"])
      // The network that was left for the attempt is used again.
      try await room.snapshots.first { $0.link?.ssid == Array("Cafe".utf8) }
    }
  }

  @Test func oneAttemptAtATime() async throws {
    try await inRoom { room in
      async let first = room.join("Home", Room.password)
      async let second = room.join("Cafe")
      let outcomes = await [first.0, second.0]
      let failures = outcomes.compactMap { outcome -> JoinFailure.Reason? in
        if case .failed(let failure) = outcome { failure.reason } else { nil }
      }
      #expect(failures == [.busy])
    }
  }

  @Test(arguments: [
    (SimulatedStation(hasNetworkManager: false), JoinFailure.Reason.networkManagerNotRunning),
    (SimulatedStation(hasDevice: false), .noDevice),
    (SimulatedStation(isManaged: false), .deviceNotManaged),
    (SimulatedStation(isRadioOn: false), .radioBlocked),
  ]) func whatIsInTheWayIsNamed(board: SimulatedStation, reason: JoinFailure.Reason) async throws {
    try await inRoom(board: board) { room in
      #expect(await room.failure("Home", Room.password)?.reason == reason)
    }
  }
}
