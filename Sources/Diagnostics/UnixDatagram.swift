internal import Glibc

/// Sends datagrams to a service's socket, without waiting.
struct UnixDatagram {
  /// A path, or an abstract name that begins with `@`.
  let socketPath: String

  /// Sends one datagram; false when it was not taken.
  func send(_ bytes: [UInt8]) -> Bool {
    var address = sockaddr_un()
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard let first = socketPath.utf8.first, socketPath.utf8.count < capacity else { return false }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }

    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: socketPath.utf8)
      if first == UInt8(ascii: "@") { path[0] = 0 }
    }
    // The length is counted: an abstract name has no NUL at its end.
    let length = MemoryLayout.size(ofValue: address) - capacity + socketPath.utf8.count
    return withUnsafeBytes(of: &address) { raw in
      bytes.withUnsafeBytes { bytes in
        sendto(
          descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL),
          raw.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(length))
      }
    } == bytes.count
  }
}
