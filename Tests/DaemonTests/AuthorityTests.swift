import DBus
import MainLoop
import RadioSimulator
import Synchronization
import TestSupport
import Testing

@testable import wifi_provisiond

/// Callers of a service that asks for permission, with a polkit that answers as it is told.
@Suite(.timeLimit(.minutes(1))) struct AuthorityTests {
  private static let path = ObjectPath(literal: "/guarded")

  /// What came to polkit.
  private final class Questions: Sendable {
    let asked = Mutex<[[Value]]>([])
  }

  /// Calls as a peer, and returns how it went.
  private func call(
    trusted: Set<UInt32>, polkit answer: Bool?, mayAskUser: Bool = false,
    questions: Questions = Questions()
  ) async throws -> BusError? {
    try await onPrivateBus { loop, bus in
      let service = try await Connection.open(.address(bus.address), loop: loop)
      let client = try await Connection.open(.address(bus.address), loop: loop)
      let polkit = try await Connection.open(.address(bus.address), loop: loop)
      if let answer {
        await polkit.export(
          ObjectPath(literal: "/org/freedesktop/PolicyKit1/Authority"),
          [
            Interface(
              "org.freedesktop.PolicyKit1.Authority",
              methods: [
                Method("CheckAuthorization", in: "(sa{sv})sa{ss}us", out: "(bba{ss})") { call in
                  questions.asked.withLock { $0.append(call.arguments) }
                  return .reply([
                    .structure([
                      .boolean(answer), .boolean(!answer),
                      .dictionary(key: .string, value: .string, []),
                    ])
                  ])
                }
              ])
          ])
        try await polkit.requestName("org.freedesktop.PolicyKit1")
      }
      let authority = Authority(bus: service, trusted: trusted)
      await service.export(
        Self.path,
        [
          Interface(
            "test.Guarded",
            methods: [
              Method("Do") { call in
                Task(executorPreference: loop) {
                  let refusal = await authority.refusal(of: "org.example.do", to: call)
                  call.answer(refusal.map { .error($0) } ?? .reply([]))
                }
                return .later
              }
            ])
        ])
      var failure: BusError?
      do throws(BusError) {
        _ = try await client.call(
          await service.uniqueName, Self.path, "test.Guarded", "Do", mayAskUser: mayAskUser)
      } catch {
        failure = error
      }
      for connection in [service, client, polkit] { await connection.close() }
      return failure
    }
  }

  @Test func rootAndTheDaemonsUserNeedNoPolkit() async throws {
    let questions = Questions()
    let own = Authority(bus: try await anyConnection()).trusted
    #expect(own.contains(0))
    #expect(try await call(trusted: own, polkit: false, questions: questions) == nil)
    #expect(questions.asked.withLock { $0.isEmpty })
  }

  @Test func othersDoWhatPolkitAllows() async throws {
    let questions = Questions()
    #expect(
      try await call(trusted: [], polkit: true, mayAskUser: true, questions: questions) == nil)
    let asked = try #require(questions.asked.withLock { $0.first })
    #expect(asked[0].asArray?.first == .string("system-bus-name"))
    #expect(asked[1] == .string("org.example.do"))
    #expect(asked[3] == .uint32(1))
  }

  @Test func othersAreRefusedOtherwise() async throws {
    let questions = Questions()
    let denied = try await call(trusted: [], polkit: false, questions: questions)
    #expect(denied?.name == BusError.Name.accessDenied)
    #expect(denied?.message.contains("polkit does not allow") == true)
    // Nobody waits for a person who was not to be asked.
    #expect(questions.asked.withLock { $0.first?[3] } == .uint32(0))
  }

  @Test func withoutPolkitOthersAreRefused() async throws {
    let denied = try await call(trusted: [], polkit: nil)
    #expect(denied?.name == BusError.Name.accessDenied)
    #expect(denied?.message.contains("polkit does not run") == true)
  }

  private func anyConnection() async throws -> Connection {
    try await onPrivateBus { loop, bus in
      let connection = try await Connection.open(.address(bus.address), loop: loop)
      await connection.close()
      return connection
    }
  }
}
