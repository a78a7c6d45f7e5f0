import DBus
import MainLoop
import RadioSimulator
import Synchronization
import TestSupport
import Testing

private let echoPath = ObjectPath(literal: "/echo")

private func echoInterface() -> Interface {
  Interface(
    "test.Echo",
    methods: [
      Method("Echo", in: "v", out: "v") { .reply($0.arguments) },
      Method("Fail") { _ in .error(BusError(name: "test.Error.Refused", message: "not today")) },
      Method("Silent") { _ in .later },
    ],
    properties: [
      Property("Level", .int32(7)),
      Property("Broken", "ao", get: { nil }),
    ])
}

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
  @Test func callsReachExportedObjects() async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      await server.export(echoPath, [echoInterface()])
      let name = await server.uniqueName
      let reply = try await client.call(
        name, echoPath, "test.Echo", "Echo", [.variant(.string("hello"))])
      #expect(reply == [.variant(.string("hello"))])
      #expect(try await client.property("Level", of: "test.Echo", name, echoPath) == .int32(7))
      await client.close()
      await server.close()
    }
  }

  @Test(
    arguments: [
      ("test.Echo", "Fail", [], "test.Error.Refused"),
      ("test.Echo", "Nothing", [], BusError.Name.unknownMethod),
      ("test.Other", "Echo", [], BusError.Name.unknownInterface),
      ("test.Echo", "Echo", [.int32(1)], BusError.Name.invalidArguments),
      (StandardInterface.properties, "Get", [], BusError.Name.invalidArguments),
      (
        StandardInterface.properties, "Get", [.string("test.Echo"), .string("Nope")],
        BusError.Name.unknownProperty
      ),
      (
        StandardInterface.properties, "Get", [.string("test.Echo"), .string("Broken")],
        BusError.Name.unknownProperty
      ),
      (
        StandardInterface.properties, "Set",
        [.string("test.Echo"), .string("Level"), .variant(.int32(1))],
        BusError.Name.propertyReadOnly
      ),
      (
        StandardInterface.properties, "Set", [.string("test.Echo"), .string("Level"), .int32(1)],
        BusError.Name.invalidArguments
      ),
    ] as [(String, String, [Value], String)]
  )
  func errorsCarryTheirName(
    interface: String, member: String, arguments: [Value], expected: String
  ) async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      await server.export(echoPath, [echoInterface()])
      let name = await server.uniqueName
      let error = await #expect(throws: BusError.self) {
        try await client.call(name, echoPath, interface, member, arguments)
      }
      #expect(error?.name == expected)
    }
  }

  @Test func unansweredCallsEndAtTheirDeadlineOrCancellation() async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      await server.export(echoPath, [echoInterface()])
      let name = await server.uniqueName
      let late = await #expect(throws: BusError.self) {
        try await client.call(
          name, echoPath, "test.Echo", "Silent", timeout: .milliseconds(20))
      }
      #expect(late?.name == BusError.Name.noReply)
      let task = Task { try await client.call(name, echoPath, "test.Echo", "Silent") }
      task.cancel()
      #expect(await task.result.failure as? BusError == .cancelled)
      let pending = Task { try await client.call(name, echoPath, "test.Echo", "Silent") }
      // A round trip on the same connection: the call above has been sent.
      _ = try await client.call(name, echoPath, "test.Echo", "Echo", [.variant(.byte(1))])
      await client.close()
      #expect(await pending.result.failure as? BusError == .disconnected)
    }
  }

  @Test func aBusThatGoesAwayIsToldAndEndsCalls() async throws {
    try await onLoop { loop in
      let bus = try PrivateBus(loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
      await client.onClose { continuation.finish() }
      await bus.stop()
      for await _ in closed {}
      let error = await #expect(throws: BusError.self) {
        try await client.call("a.b", .root, "a.b", "C")
      }
      #expect(error?.name == BusError.Name.disconnected)
    }
  }

  @Test func noBusIsAnErrorOfItsOwn() async throws {
    try await onLoop { loop in
      let error = await #expect(throws: BusError.self) {
        try await Connection.open(.address("unix:path=/nonexistent"), loop: loop)
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.FileNotFound")
    }
  }

  @Test func signalsAreHeardInOrderAndOnlyFromTheirSender() async throws {
    try await onPrivateBus { loop, bus in
      let service = try await Connection.open(.address(bus.address), loop: loop)
      let stranger = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      try await service.requestName("test.service")
      let (heard, continuation) = AsyncStream.makeStream(of: Value.self)
      let subscription = try await client.subscribe(
        MatchRule(sender: "test.service", interface: "test.Signals", member: "Tick")
      ) { message in if let first = message.arguments.first { continuation.yield(first) } }
      let name = await client.uniqueName
      await stranger.emit(echoPath, "test.Signals", "Tick", [.int32(-1)], to: name)
      await stranger.emit(echoPath, "test.Signals", "Tick", [.int32(-2)])
      _ = try await stranger.call(name, .root, "org.freedesktop.DBus.Peer", "Ping")
      for number in 0..<100 {
        await service.emit(echoPath, "test.Signals", "Tick", [.int32(Int32(number))])
      }
      var seen: [Value] = []
      for await value in heard {
        seen.append(value)
        if seen.count == 100 { break }
      }
      #expect(seen == (0..<100).map { .int32($0) })
      subscription.cancel()
      await service.emit(echoPath, "test.Signals", "Tick", [.int32(100)])
      _ = try await service.call(name, .root, "org.freedesktop.DBus.Peer", "Ping")
      continuation.finish()
      for await value in heard { Issue.record("heard \(value) after the end") }
    }
  }

  @Test func aHandlerMayEndItsOwnSubscriptionAndHearsNoMore() async throws {
    try await onPrivateBus { loop, bus in
      let service = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let heard = Mutex<[Value]>([])
      let held = Mutex<Subscription?>(nil)
      let subscription = try await client.subscribe(
        MatchRule(sender: await service.uniqueName, interface: "test.Signals")
      ) { message in
        heard.withLock { $0 += message.arguments }
        held.withLock { $0.take() }?.cancel()
      }
      held.withLock { $0 = subscription }
      for number in 0..<10 {
        await service.emit(echoPath, "test.Signals", "Tick", [.int32(Int32(number))])
      }
      _ = try await service.call(
        await client.uniqueName, .root, "org.freedesktop.DBus.Peer", "Ping")
      #expect(heard.withLock { $0 } == [.int32(0)])
    }
  }

  @Test func nameOwnersAreFollowed() async throws {
    try await onPrivateBus { loop, bus in
      let service = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let (owners, continuation) = AsyncStream.makeStream(of: String?.self)
      let watch = try await client.watchName("test.service") { continuation.yield($0) }
      var next = owners.makeAsyncIterator()
      #expect(await next.next() == .some(nil))
      try await service.requestName("test.service")
      #expect(await next.next() == .some(await service.uniqueName))
      await service.close()
      #expect(await next.next() == .some(nil))
      watch.cancel()
    }
  }

  @Test func objectManagersTellWhatIsBelowThem() async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let app = ObjectPath(literal: "/app")
      await server.exportObjectManager(at: app)
      await server.export(ObjectPath(literal: "/app/one"), [echoInterface()])
      await server.export(ObjectPath(literal: "/apple"), [echoInterface()])
      // A round trip: the bus has seen what these two announced before the client listens.
      try await server.requestName("test.app")
      let name = await server.uniqueName
      let (heard, continuation) = AsyncStream.makeStream(of: Message.self)
      let subscription = try await client.subscribe(
        MatchRule(sender: name, path: app, interface: StandardInterface.objectManager)
      ) { continuation.yield($0) }
      let managed = try await client.call(
        name, app, StandardInterface.objectManager, "GetManagedObjects")
      let one = ObjectPath(literal: "/app/one")
      #expect(managed.first?.asEntries?.map(\.key) == [.objectPath(one)])
      let properties = managed.first?.asEntries?.first?.value.asDictionary?["test.Echo"]
      #expect(properties?.asDictionary == ["Level": .int32(7)])
      await server.export(ObjectPath(literal: "/app/two"), [echoInterface()])
      await server.unexport(ObjectPath(literal: "/app/two"))
      var next = heard.makeAsyncIterator()
      let added = await next.next()
      #expect(added?.member == "InterfacesAdded")
      let removed = await next.next()
      #expect(removed?.member == "InterfacesRemoved")
      #expect(removed?.arguments.last == .strings(["test.Echo"]))
      subscription.cancel()
    }
  }

  @Test(arguments: [
    Value.string("a\u{0}b"),
    .array(element: .string, [.int32(1)]),
    .array(element: .byte, [.byte(1)]),
    .structure([]),
    .dictionary(key: .variant, value: .string, []),
    (0..<70).reduce(Value.byte(0)) { inner, _ in .variant(inner) },
  ])
  func whatCannotBeSentIsRefusedAndTheConnectionLives(value: Value) async throws {
    try await onPrivateBus { loop, bus in
      let server = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      await server.export(echoPath, [echoInterface()])
      let name = await server.uniqueName
      let error = await #expect(throws: BusError.self) {
        try await client.call(name, echoPath, "test.Echo", "Echo", [value])
      }
      #expect(error?.name == BusError.Name.invalidArguments)
      let reply = try await client.call(
        name, echoPath, "test.Echo", "Echo", [.variant(.byte(1))])
      #expect(reply == [.variant(.byte(1))])
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
