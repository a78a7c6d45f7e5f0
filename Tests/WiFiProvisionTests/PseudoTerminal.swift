import Foundation

/// A terminal with a program on it, as a person sits before.
final class PseudoTerminal {
  private let person: FileHandle
  private let line: FileHandle
  private let process = Process()
  /// What it showed so far.
  private(set) var shown = ""

  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not see.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Starts the program in a session of its own, without a bus where none is given.
  init(_ arguments: [String], bus: String = "unix:path=/nonexistent") throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    person = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    var (locked, number): (CInt, CInt) = (0, 0)
    guard ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0
    else { throw CocoaError(.fileReadUnknown) }
    line = FileHandle(
      fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC),
      closeOnDealloc: true)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["--default-signal=INT,TERM", "setsid", "--ctty", "--wait", RunningProgram.path] + arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["DBUS_SYSTEM_BUS_ADDRESS": bus]) { _, own in own }
    process.standardInput = line
    process.standardOutput = line
    process.standardError = line
    try process.run()
  }

  /// Whether the terminal shows what is typed.
  var echoes: Bool {
    var settings = termios()
    tcgetattr(line.fileDescriptor, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Waits until the terminal shows a text.
  func shows(_ text: String, times: Int = 1) async throws {
    while shown.ranges(of: text).count < times {
      look()
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  func type(_ text: String) throws { try person.write(contentsOf: Data(text.utf8)) }

  /// Waits for the end.
  func status() async throws -> Int32 {
    while process.isRunning {
      // A terminal that nobody reads fills up, and holds the program up at its end.
      look()
      try await Task.sleep(for: .milliseconds(5))
    }
    look()
    return process.terminationStatus
  }

  private func look() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(person.fileDescriptor, &bytes, bytes.count)
    if count > 0 { shown += String(decoding: bytes[..<count], as: UTF8.self) }
  }
}
