internal import Glibc
internal import ProvisioningProtocol
internal import Secrets

/// Where a secret is read from, so that it need not stand on the command line, which every user of
/// the machine can see.
enum SecretSource: Equatable, Sendable {
  case standardInput
  /// A path, as the shell passed it.
  case file([UInt8])
  case terminal

  /// What ends a secret.
  enum End { case endOfFile, lineEnd }

  /// Reads a secret, without the line end that may follow it; blocks until it is there.
  ///
  /// From standard input a setup code takes one line, so that a password may follow.
  func read(_ secret: Secret) throws(SecretError) -> SecretBytes {
    let end = secret == .setupCode ? End.lineEnd : .endOfFile
    switch self {
    case .standardInput:
      return try Self.read(secret, from: STDIN_FILENO, until: end, named: "standard input")
    case .file(let path):
      let name = "‘\(printableText(path))’"
      let descriptor = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
        $0.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
      }
      guard descriptor >= 0 else {
        throw SecretError(secret, .unreadable(source: name, reason: Self.reason(errno)))
      }
      defer { close(descriptor) }
      return try Self.read(secret, from: descriptor, until: end, named: name)
    case .terminal:
      guard isatty(STDIN_FILENO) == 1, let terminal = Terminal() else {
        throw SecretError(secret, .noTerminal)
      }
      return try terminal.ask(for: secret) { descriptor throws(SecretError) in
        try Self.read(secret, from: descriptor, until: .lineEnd, named: "the terminal")
      }
    }
  }

  /// Reads up to the end of the file or of one line, and nothing after it; the buffer is wiped.
  static func read(
    _ secret: Secret, from descriptor: Int32, until end: End, named source: String
  ) throws(SecretError) -> SecretBytes {
    // Room for the line end, and for one byte more than is allowed.
    let capacity = secret.maximumLength + 3
    var buffer = [UInt8](repeating: 0, count: capacity)
    defer { _ = SecretBytes(wiping: &buffer) }
    var count = 0
    while count < capacity {
      let got = buffer.withUnsafeMutableBytes { bytes in
        // A line is read byte by byte, for the next one may be another secret.
        let free = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
        return Glibc.read(descriptor, free.baseAddress, end == .lineEnd ? 1 : free.count)
      }
      if got < 0 {
        let error = errno
        if error == EINTR { continue }
        throw SecretError(secret, .unreadable(source: source, reason: reason(error)))
      }
      if got == 0 { break }
      count += got
      if end == .lineEnd, buffer[count - 1] == UInt8(ascii: "\n") { break }
    }
    if !secret.isWhole, count > 0, buffer[count - 1] == UInt8(ascii: "\n") {
      count -= 1
      if count > 0, buffer[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    if count == 0 { throw SecretError(secret, .empty(source: source)) }
    if count > secret.maximumLength { throw SecretError(secret, .tooLong(source: source)) }
    return SecretBytes(buffer[..<count])
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
