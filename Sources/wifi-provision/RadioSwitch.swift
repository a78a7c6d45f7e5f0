internal import Glibc

/// The kernel's switches for radios, as rfkill shows them.
enum RadioSwitch {
  /// Whether a Bluetooth radio is switched off there.
  ///
  /// BlueZ tells so only to who tries to switch the adapter on.
  static func blocksBluetooth(directory: String = "/sys/class/rfkill") -> Bool {
    guard let listing = opendir(directory) else { return false }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let radio = "\(directory)/\(name)"
      if word(in: "\(radio)/type") == "bluetooth",
        word(in: "\(radio)/soft") == "1" || word(in: "\(radio)/hard") == "1"
      {
        return true
      }
    }
    return false
  }

  /// The first line of a small file; nil where it cannot be read.
  private static func word(in path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      let line = buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
      return String(decoding: line, as: UTF8.self)
    }
  }
}
