import Diagnostics
import Foundation
import Testing

/// A service manager's socket.
private final class Manager {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8)
      if path.hasPrefix("@") { bytes[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
    let bound = withUnsafeBytes(of: &address) {
      bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
    }
    try #require(bound == 0)
  }

  deinit { close(descriptor) }

  /// The datagram that has arrived, if there is one.
  func received() -> String? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}

@Suite struct ServiceNotifierTests {
  @Test(arguments: ["@", "\(FileManager.default.temporaryDirectory.path)/"])
  func statesArriveInOneDatagram(prefix: String) throws {
    let path = prefix + UUID().uuidString
    defer { unlink(path) }
    let manager = try Manager(path)
    let notifier = ServiceNotifier(socketPath: path)
    notifier.notify(.ready, .status("Waiting\nfor a provisioner"))
    #expect(manager.received() == "READY=1\nSTATUS=Waiting\\u{a}for a provisioner")
    notifier.notify(.stopping)
    #expect(manager.received() == "STOPPING=1")
    notifier.notify(.reloading)
    #expect(manager.received()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
    #expect(manager.received() == nil)
  }

  @Test(arguments: [nil, "", "@nobody-listens", "/" + String(repeating: "x", count: 200)])
  func nobodyToTellIsNoError(path: String?) {
    ServiceNotifier(socketPath: path).notify(.ready)
  }
}
