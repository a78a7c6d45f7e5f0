internal import Glibc

/// The folder with the programs that the owner of a board wants run when something happens.
struct HookFolder {
  /// Why a file or the folder is left out, in words.
  struct Objection: Hashable {
    let path: String
    let reason: String
  }

  let path: String

  init(_ path: String) { self.path = path }

  /// The paths of the programs for an event, in the order of their names, and what is wrong with
  /// the other files; nothing where there is no folder.
  ///
  /// A program named for an event, with or without a number such as `20-` before it, is for that
  /// event alone.
  func hooks(for event: HookEvent.Name) -> (hooks: [String], objections: [Objection]) {
    guard let folder = opendir(path) else {
      let error = errno
      return ([], error == ENOENT ? [] : [Objection(path: path, reason: Self.words(error))])
    }
    defer { closedir(folder) }
    // Who may write to the folder may have anything run.
    if let objection = Self.objection(to: path, kind: S_IFDIR) { return ([], [objection]) }
    var hooks: [String] = []
    var objections: [Objection] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(\.self) }
      guard Self.isProgramName(name) else { continue }
      let text = String(decoding: name, as: UTF8.self)
      if let own = HookEvent.Name(hook: text), own != event { continue }
      if let objection = Self.objection(to: "\(path)/\(text)", kind: S_IFREG) {
        objections.append(objection)
      } else {
        hooks.append(text)
      }
    }
    return (hooks.sorted().map { "\(path)/\($0)" }, objections)
  }

  /// Whether a program is there for this event and no other.
  func hasOwnHook(for event: HookEvent.Name) -> Bool {
    hooks(for: event).hooks.contains {
      HookEvent.Name(hook: String($0.dropFirst(path.utf8.count + 1))) == event
    }
  }

  /// As for run-parts: so that what editors and package managers leave behind is not run.
  private static func isProgramName(_ name: [UInt8]) -> Bool {
    !name.isEmpty
      && name.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func objection(to path: String, kind: mode_t) -> Objection? {
    var status = stat()
    guard stat(path, &status) == 0 else { return Objection(path: path, reason: words(errno)) }
    let reason: String? =
      if status.st_mode & S_IFMT != kind {
        "it is no plain file"
      } else if status.st_uid != 0, status.st_uid != geteuid() {
        "it belongs to another user"
      } else if status.st_mode & 0o022 != 0 {
        "others may write to it"
      } else if faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0 {
        words(errno)
      } else {
        nil
      }
    return reason.map { Objection(path: path, reason: $0) }
  }

  private static func words(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension HookEvent.Name {
  /// The event that a hook's file name names.
  init?(hook name: String) {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1)
    let isNumbered =
      parts.count == 2 && parts[0].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    self.init(rawValue: isNumbered ? String(decoding: parts[1], as: UTF8.self) : name)
  }
}
