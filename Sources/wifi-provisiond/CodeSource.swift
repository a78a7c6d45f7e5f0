internal import CommandLineOptions
internal import Glibc
internal import ProvisioningProtocol
internal import Secrets

/// Where `set-code` takes the code from.
enum CodeSource: Equatable {
  case generator
  /// Every user of the system can read it there.
  case argument([UInt8])
  case standardInput
  /// What is typed shows, as the label that follows does: the digits are there to be compared.
  case terminal

  /// The source that the command line names; without one, the terminal.
  init(_ invocation: Invocation, isTerminal: Bool) throws(UsageError) {
    var named: [CodeSource] = []
    if invocation[Arguments.generate] { named.append(.generator) }
    if invocation[Arguments.standardInput] { named.append(.standardInput) }
    named += invocation.operands.map { .argument($0) }
    guard named.count <= 1 else {
      throw UsageError("give one of --generate, --stdin and CODE", command: Arguments.setCode)
    }
    guard let source = named.first ?? (isTerminal ? .terminal : nil) else {
      throw UsageError("--generate, --stdin or CODE is missing", command: Arguments.setCode)
    }
    self = source
  }

  /// Draws the code, or reads and checks it.
  func code() throws(CommandError) -> SetupCode {
    switch self {
    case .generator: return .random()
    case .argument(let text): return try Self.checked(text)
    case .standardInput: break
    case .terminal:
      let prompt = "New setup code: "
      _ = prompt.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
    var line = Self.readLine()
    defer { _ = SecretBytes(wiping: &line) }
    return try Self.checked(line)
  }

  /// Checks what was given; the error does not repeat it.
  static func checked(_ text: [UInt8]) throws(CommandError) -> SetupCode {
    do throws(SetupCode.FormatError) {
      return try SetupCode(text)
    } catch {
      switch error {
      case .notNineDigits:
        throw CommandError("a setup code has nine digits, in groups such as 314-159-266")
      case .checkDigit:
        throw CommandError("the setup code is mistyped: its last digit, which checks it, is wrong")
      case .trivial:
        throw CommandError("the setup code is one of those that are guessed first")
      }
    }
  }

  /// The first line of standard input without its end, or what there is of it.
  private static func readLine() -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(64)
    var byte: UInt8 = 0
    // Longer than any way to write a code.
    while line.count < 64 {
      let got = read(STDIN_FILENO, &byte, 1)
      if got < 0, errno == EINTR { continue }
      if got <= 0 || byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }
}
