internal import Glibc
package import MainLoop

/// A message bus of our own, on which programs meet the simulated services.
package struct PrivateBus: Sendable {
  /// The address for `DBUS_SYSTEM_BUS_ADDRESS`.
  package let address: String
  private let daemon: ChildProcess
  private let configuration: String

  /// The bus could not be started.
  package struct StartError: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts dbus-daemon and blocks until it listens: for start-up only, on the loop's thread.
  package init(loop: MainLoop) throws(StartError) {
    configuration = try Self.writeConfiguration()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw StartError(description: "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    do {
      defer { close(ends[1]) }
      // The bus dies with us, however we die.
      daemon = try ChildProcess(
        [
          "setpriv", "--pdeathsig", "TERM", "dbus-daemon", "--nofork", "--nopidfile",
          "--syslog-only",
          "--print-address=1", "--config-file=\(configuration)",
        ], standardOutput: ends[1], loop: loop)
    } catch {
      close(ends[0])
      unlink(configuration)
      throw StartError(description: error.description)
    }
    defer { close(ends[0]) }
    guard let line = Self.readLine(from: ends[0]) else {
      unlink(configuration)
      throw StartError(description: "dbus-daemon ended without an address")
    }
    address = line
  }

  /// Ends the bus and waits for it.
  package func stop() async {
    daemon.send(signal: SIGTERM)
    _ = await daemon.end()
    unlink(configuration)
  }

  private static func writeConfiguration() throws(StartError) -> String {
    var template = Array("/tmp/radio-simulator-bus-XXXXXX.conf".utf8CString)
    let descriptor = mkstemps(&template, 5)
    guard descriptor >= 0 else {
      throw StartError(description: "cannot write to /tmp: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    // No service files: nothing of the machine's own may start on this bus.
    var text = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
       <type>system</type>
       <listen>unix:tmpdir=/tmp</listen>
       <auth>EXTERNAL</auth>
       <policy context="default">
        <allow user="*"/>
        <allow own="*"/>
        <allow send_destination="*"/>
        <allow receive_sender="*"/>
       </policy>
      </busconfig>

      """
    let count = text.utf8.count
    let written = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
    let path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    guard written == count else { throw StartError(description: "cannot write \(path)") }
    return path
  }

  private static func readLine(from descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }
}
