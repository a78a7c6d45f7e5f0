import ProvisioningAgent
import ProvisioningProtocol
import Testing

@Suite struct IdentifyTests {
  private let light = FakeIndicator()

  @Test func blinksForTenSeconds() throws {
    let board = try Harness(indicator: light)
    let timers = board.clock.timerCount
    #expect(board.control(.identify) == nil)
    board.disconnect()
    board.wait(9)
    #expect(light.calls == [.begin])
    board.wait(1)
    #expect(light.calls == [.begin, .end])
    #expect(board.clock.timerCount == timers)
    #expect(board.control(.identify) == nil)
    #expect(light.calls == [.begin, .end, .begin])
  }

  @Test func askingAgainOnlyProlongsIt() throws {
    let board = try Harness(indicator: light)
    board.control(.identify)
    board.wait(6)
    board.control(.identify)
    board.wait(9)
    #expect(light.calls == [.begin])
    board.wait(1)
    #expect(light.calls == [.begin, .end])
  }

  @Test func everythingIsPutBackBeforeTheEnd() async throws {
    let board = try Harness(indicator: light)
    board.control(.identify)
    let stopping = board.stop()
    #expect(light.calls == [.begin, .end])
    await stopping.value
    #expect(board.clock.timerCount == 0)
  }

  @Test func isOfferedOnlyWithALight() throws {
    let without = try Harness()
    #expect(try DeviceInformation(decoding: without.read(.information)).features.isEmpty)
    #expect(without.control(.identify) == .unsupported)
    let with = try Harness(indicator: light)
    #expect(try DeviceInformation(decoding: with.read(.information)).features == [.identify])
    #expect(with.control(.forget) == .unsupported)
  }

  @Test func aLightThatFailsIsLogged() throws {
    let board = try Harness(indicator: light)
    board.control(.identify)
    light.fail()
    board.wait(10)
    #expect(board.lines.count(of: "cannot be put back") == 1)
    board.control(.identify)
    #expect(board.lines.count(of: "cannot make itself noticed") == 1)
    board.wait(10)
    #expect(light.calls == [.begin])
  }
}
