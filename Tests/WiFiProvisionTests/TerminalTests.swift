import Testing

@Suite(.timeLimit(.minutes(1)))
struct TerminalTests {
  private let arguments = ["connect", "0123456789ab", "--ssid", "Home", "--insecure"]

  @Test func aPasswordIsAskedForAndNotShown() async throws {
    let terminal = try PseudoTerminal(arguments)
    try await terminal.shows("Wi-Fi password: ")
    #expect(!terminal.echoes)
    try terminal.type("correct horse\n")
    // The password is taken, and then there is no Bluetooth.
    #expect(try await terminal.status() == 3)
    #expect(!terminal.shown.contains("correct"))
    #expect(terminal.echoes)
  }

  @Test func aSetupCodeIsAskedForUntilItIsOne() async throws {
    let terminal = try PseudoTerminal(["connect", "0123456789ab", "--ssid", "Home"])
    try await terminal.shows("Setup code of the device: ")
    try terminal.type("314-159-267\n")
    try await terminal.shows("mistyped")
    try await terminal.shows("Setup code of the device: ", times: 2)
    #expect(terminal.echoes)
    try terminal.type("314159266\n")
    try await terminal.shows("Wi-Fi password: ")
    try terminal.type("correct horse\n")
    #expect(try await terminal.status() == 3)
  }

  @Test func controlCAtTheQuestionLeavesTheTerminalAsItWas() async throws {
    let terminal = try PseudoTerminal(arguments)
    try await terminal.shows("Wi-Fi password: ")
    try terminal.type("corr\u{03}")
    #expect(try await terminal.status() == 130)
    #expect(!terminal.shown.contains("corr"))
    #expect(terminal.echoes)
  }

  @Test(arguments: ["\n", "\u{04}"])
  func noPasswordIsAUsageError(_ typed: String) async throws {
    let terminal = try PseudoTerminal(arguments)
    try await terminal.shows("Wi-Fi password: ")
    try terminal.type(typed)
    #expect(try await terminal.status() == 2)
    #expect(terminal.shown.contains("--open"))
  }

  @Test func aTooLongPasswordDoesNotReachTheShell() async throws {
    let terminal = try PseudoTerminal(arguments)
    try await terminal.shows("Wi-Fi password: ")
    try terminal.type(String(repeating: "a", count: 1_000) + "\n")
    #expect(try await terminal.status() == 2)
    #expect(!terminal.shown.contains("aa"))
  }
}
