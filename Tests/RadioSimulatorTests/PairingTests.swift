import DBus
import RadioSimulator
import Synchronization
import Testing

private let manager = ObjectPath(literal: "/org/bluez")
private let agent = ObjectPath(literal: "/agent")
private let central = ObjectPath(literal: "/org/bluez/hci0/dev_00_AA_01_00_00_01")

extension Connection {
  fileprivate func agentManager(_ member: String, _ arguments: [Value]) async throws {
    _ = try await call("org.bluez", manager, "org.bluez.AgentManager1", member, arguments)
  }

  /// Registers an agent that agrees to everything, or to nothing; returns what it is asked.
  fileprivate func pair(_ capability: String, agrees: Bool = true) async throws -> Questions {
    let questions = Questions()
    export(
      agent,
      [
        Interface(
          "org.bluez.Agent1",
          methods: [
            Method("RequestAuthorization", in: "o") { call in
              questions.add(call)
              return agrees
                ? .reply([]) : .error(BusError(name: "org.bluez.Error.Rejected", message: ""))
            }
          ])
      ])
    try await agentManager("RegisterAgent", [.objectPath(agent), .string(capability)])
    return questions
  }
}

private final class Questions: Sendable {
  private let calls = Mutex<[MethodCall]>([])
  var asked: [ObjectPath?] {
    calls.withLock { $0.map { $0.arguments.first?.asObjectPath } }
  }
  func add(_ call: MethodCall) { calls.withLock { $0.append(call) } }
}

@Suite(.timeLimit(.minutes(1))) struct PairingTests {
  /// What bluetoothd does for its clients, whether they want it or not.
  @Test func aWriteThatNeedsEncryptionPairsByItselfAndLeavesNoBond() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([Characteristic("/board/service/a", "ff01", ["encrypt-write"])])
      try await board.advertise()
      let questions = try await board.bus.pair("NoInputNoOutput")
      try await laptop.connect()
      try await laptop.write(try await laptop.characteristic("ff01"), [1])
      #expect(questions.asked == [central])
      for path in [Laptop.device, central] {
        #expect(
          try await laptop.property("Paired", of: "org.bluez.Device1", path) == .boolean(false))
      }
    }
  }

  @Test func whatNeedsAPasskeyIsNotForWhoPairedWithoutOne() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([
        Characteristic("/board/service/a", "ff01", ["encrypt-authenticated-write"])
      ])
      try await board.advertise()
      _ = try await board.bus.pair("NoInputNoOutput")
      try await laptop.connect()
      try await laptop.call(Laptop.device, "org.bluez.Device1", "Pair")
      let path = try await laptop.characteristic("ff01")
      let error = await #expect(throws: BusError.self) { try await laptop.write(path, [1]) }
      #expect(error?.message == "Operation failed with ATT error: 0x0e")
    }
  }

  @Test func aRefusedPairingFailsAndEndsTheLink() async throws {
    try await inRoom { _, board, laptop in
      try await board.serve([Characteristic("/board/service/a", "ff01", ["encrypt-write"])])
      try await board.advertise()
      _ = try await board.bus.pair("NoInputNoOutput", agrees: false)
      try await laptop.connect()
      await #expect(
        throws: BusError(
          name: "org.bluez.Error.AuthenticationFailed", message: "Authentication Failed")
      ) {
        try await laptop.call(Laptop.device, "org.bluez.Device1", "Pair")
      }
      _ = await laptop.wait(for: "Connected", of: Laptop.device, "org.bluez.Device1") {
        $0.asBool == false
      }
    }
  }

  @Test func agentsAreRegisteredAsWithBlueZ() async throws {
    try await inRoom { _, board, laptop in
      func expect(
        _ name: String, _ member: String, _ arguments: [Value]
      ) async {
        let error = await #expect(throws: BusError.self) {
          try await board.bus.agentManager(member, arguments)
        }
        #expect(error?.name == "org.bluez.Error." + name)
      }
      await expect("InvalidArguments", "RegisterAgent", [.objectPath(agent), .string("Mouse")])
      await expect("DoesNotExist", "UnregisterAgent", [.objectPath(agent)])
      await expect("DoesNotExist", "RequestDefaultAgent", [.objectPath(agent)])
      func isPairable() async throws -> Value? {
        try await laptop.property("Pairable", of: "org.bluez.Adapter1", Laptop.adapter)
      }
      #expect(try await isPairable() == .boolean(false))
      _ = try await board.bus.pair("")
      #expect(try await isPairable() == .boolean(true))
      await expect("AlreadyExists", "RegisterAgent", [.objectPath(agent), .string("")])
      try await board.bus.agentManager("RequestDefaultAgent", [.objectPath(agent)])
      try await board.bus.agentManager("UnregisterAgent", [.objectPath(agent)])
      #expect(try await isPairable() == .boolean(false))
    }
  }
}
