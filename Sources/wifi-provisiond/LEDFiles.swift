internal import Glibc

/// The files in which the kernel shows and takes what a LED does.
struct LEDFiles {
  enum Name: String {
    case trigger
    case brightness
    /// Milliseconds; there while the trigger is `timer`.
    case delayOn = "delay_on"
    case delayOff = "delay_off"
  }

  /// Why a file cannot be read or written, in words.
  struct Failure: Error, Equatable {
    let reason: String
  }

  /// The LED's folder.
  let path: String

  /// The list of triggers has one or more for each processor.
  private static let largestFile = 65536

  /// The contents of a file, without the end of the line.
  func read(_ name: Name) throws(Failure) -> String {
    let file = open("\(path)/\(name.rawValue)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(errno, name) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.largestFile)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      guard got >= 0 else { throw Failure(errno, name) }
      if got == 0 { break }
      count += got
    }
    return String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self)
  }

  func write(_ text: String, to name: Name) throws(Failure) {
    let file = open("\(path)/\(name.rawValue)", O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard file >= 0 else { throw Failure(errno, name) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    // The kernel takes all of it or nothing.
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Failure(errno, name) }
  }

  /// Why this process may not write; nil where it may.
  var objectionToWriting: String? {
    for name in [Name.trigger, .brightness]
    where faccessat(AT_FDCWD, "\(path)/\(name.rawValue)", W_OK, AT_EACCESS) != 0 {
      return Failure(errno, name).reason
    }
    return nil
  }

  /// The path without symbolic links, of which the class's folder is full.
  var realPath: String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The LEDs in a folder; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

extension LEDFiles.Failure {
  fileprivate init(_ code: Int32, _ name: LEDFiles.Name) {
    let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    self.init(reason: "\(name.rawValue): \(words)")
  }
}
