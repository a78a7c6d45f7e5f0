internal import Glibc
internal import ProvisioningProtocol
internal import Secrets

/// Where the Wi-Fi password comes from: never from the command line, which every user can read.
enum PasswordSource: Equatable, Sendable {
  case standardInput
  /// A path, as the shell passed it.
  case file([UInt8])
  case terminal

  /// The longest password that the protocol carries, in bytes.
  static let maximumLength = ProvisioningCharacteristic.password.valueLength.upperBound

  /// Reads the password, without the line end that may follow it; blocks until it is there.
  func read() throws(PasswordError) -> WiFiPassword {
    switch self {
    case .standardInput:
      return try Self.read(from: STDIN_FILENO, until: .endOfFile, named: "standard input")
    case .file(let path):
      let name = "‘\(printableText(path))’"
      let descriptor = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        $0.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
      }
      guard descriptor >= 0 else { throw .unreadable(source: name, reason: Self.reason(errno)) }
      defer { close(descriptor) }
      return try Self.read(from: descriptor, until: .endOfFile, named: name)
    case .terminal:
      guard isatty(STDIN_FILENO) == 1, let terminal = Terminal() else { throw .noTerminal }
      return try terminal.withoutEcho(prompt: "Wi-Fi password: ") {
        descriptor throws(PasswordError) in
        try Self.read(from: descriptor, until: .lineEnd, named: "the terminal")
      }
    }
  }

  /// What ends a password.
  enum End { case endOfFile, lineEnd }

  /// Reads up to the end of the file or of one line; the buffer is wiped.
  static func read(from descriptor: Int32, until end: End, named source: String)
    throws(PasswordError) -> WiFiPassword
  {
    // Room for the line end, and for one byte more than is allowed.
    let capacity = maximumLength + 3
    var buffer = [UInt8](repeating: 0, count: capacity)
    defer { _ = SecretBytes(wiping: &buffer) }
    var count = 0
    while count < capacity {
      let got = buffer.withUnsafeMutableBytes { bytes in
        let free = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
        return Glibc.read(descriptor, free.baseAddress, free.count)
      }
      if got < 0 {
        let error = errno
        if error == EINTR { continue }
        throw .unreadable(source: source, reason: reason(error))
      }
      if got == 0 { break }
      count += got
      if end == .lineEnd, buffer[count - 1] == UInt8(ascii: "\n") { break }
    }
    if count > 0, buffer[count - 1] == UInt8(ascii: "\n") {
      count -= 1
      if count > 0, buffer[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    if count == 0 { throw .empty(source: source) }
    if count > maximumLength { throw .tooLong(source: source) }
    do throws(WiFiPassword.FormatError) {
      return try WiFiPassword(SecretBytes(buffer[..<count]))
    } catch {
      // The length is checked.
      throw .notText(source: source)
    }
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
