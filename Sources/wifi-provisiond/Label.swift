internal import Glibc
internal import ProvisioningProtocol
internal import QRCode

/// What stands on the device, or on its box: the setup code, the id, and both for a camera.
struct Label {
  let uri: SetupURI

  /// For a terminal.
  func text(_ characters: QRCode.Characters, coloured: Bool) throws(QRCode.Failure) -> String {
    """
    \(try QRCode(uri.text.utf8).text(characters, coloured: coloured))
    Setup code  \(uri.code.label)
    Device id   \(uri.deviceID)
    \(uri.text)\n
    """
  }

  /// For a label printer: the QR code alone.
  func png() throws(QRCode.Failure) -> [UInt8] { try QRCode(uri.text.utf8).png(scale: 8) }

  /// For a label printer: the QR code, the setup code and the id.
  func svg() throws(QRCode.Failure) -> String {
    try QRCode(uri.text.utf8).svg(caption: [uri.code.label, uri.deviceID.description])
  }
}

extension Label {
  /// Writes the pictures that are asked for; without any, shows the label on standard output.
  func output(png: String?, svg: String?) throws(CommandError) {
    if let png { try Self.write(try drawn(self.png), to: png) }
    if let svg { try Self.write(Array(try drawn(self.svg).utf8), to: svg) }
    guard png == nil, svg == nil else { return }
    setlocale(LC_CTYPE, "")
    let isUTF8 = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } == "UTF-8"
    let characters: QRCode.Characters = isUTF8 ? .unicode : .ascii
    let text = try drawn { () throws(QRCode.Failure) -> String in
      try self.text(characters, coloured: isatty(STDOUT_FILENO) == 1)
    }
    try Self.write(Array(text.utf8), descriptor: STDOUT_FILENO, name: "standard output")
  }

  private func drawn<Picture>(
    _ draw: () throws(QRCode.Failure) -> Picture
  ) throws(CommandError) -> Picture {
    do {
      return try draw()
    } catch {
      throw CommandError(error)
    }
  }

  /// Writes a file that only its owner may read, for the code is in it.
  private static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    try write(bytes, descriptor: file, name: path)
  }

  private static func write(
    _ bytes: [UInt8], descriptor: Int32, name: String
  ) throws(CommandError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw failure(name)
      }
      rest = rest.dropFirst(written)
    }
  }

  private static func failure(_ name: String) -> CommandError {
    let code = errno
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return CommandError("cannot write \(name): \(reason)")
  }
}
