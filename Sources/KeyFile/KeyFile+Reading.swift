internal import CGLib

extension KeyFile {
  /// Reads one file.
  ///
  /// - Throws: when the file is not there, cannot be read, or is no key file.
  package init(path: String) throws(KeyFileError) {
    var contents: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    var failure: UnsafeMutablePointer<GError>?
    guard g_file_get_contents(path, &contents, &length, &failure) != 0, let contents else {
      throw Self.unreadable(path, taking: failure)
    }
    defer { g_free(contents) }
    try self.init(
      contents: Array(UnsafeRawBufferPointer(start: contents, count: Int(length))), file: path)
  }

  /// Reads a file and then those of the folder `path.d` whose names end in `.conf`, in the order
  /// of their names' bytes; what a later one says counts.
  ///
  /// Names that begin with a dot are left out. The folder need not exist.
  ///
  /// - Parameter mayBeMissing: whether the file need not exist either.
  package init(pathWithDropIns path: String, mayBeMissing: Bool) throws(KeyFileError) {
    do {
      try self.init(path: path)
    } catch {
      guard mayBeMissing, error.problem == .missingFile else { throw error }
      self.init(groups: [])
    }
    let folder = path + ".d"
    for name in try Self.names(in: folder) { merge(try KeyFile(path: "\(folder)/\(name)")) }
  }

  /// Reads bytes.
  ///
  /// - Parameter file: the name for errors.
  package init(contents: [UInt8], file: String) throws(KeyFileError) {
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // GLib would end the value there and say nothing.
    if let index = lines.firstIndex(where: { $0.contains(0) }) {
      throw KeyFileError(
        file: file, line: index + 1, group: nil, key: nil, problem: .syntax("contains a NUL byte"))
    }
    guard let handle = g_key_file_new() else { preconditionFailure("GLib is out of memory") }
    defer { g_key_file_unref(handle) }
    if let message = Self.load(contents, into: handle) {
      throw KeyFileError(
        file: file, line: Self.firstBadLine(lines), group: nil, key: nil, problem: .syntax(message))
    }
    self.init(groups: [])
    try scan(lines, of: handle, file: file)
  }

  /// Finds the line of every group and key that GLib found, which does not tell.
  private mutating func scan(
    _ lines: [ArraySlice<UInt8>], of handle: OpaquePointer, file: String
  ) throws(KeyFileError) {
    var found: [Group] = []
    var current = 0
    for (index, line) in lines.enumerated() {
      let text = line.trimmed
      if text.first == UInt8(ascii: "["), let end = text.lastIndex(of: UInt8(ascii: "]")) {
        let name = String(decoding: text[..<end].dropFirst(), as: UTF8.self)
        guard g_key_file_has_group(handle, name) != 0 else { continue }
        current = found.firstIndex { $0.name == name } ?? found.count
        if current == found.count {
          found.append(Group(name: name, file: file, line: index + 1, entries: []))
        }
      } else if text.first != UInt8(ascii: "#"), found.indices.contains(current),
        let equals = text.firstIndex(of: UInt8(ascii: "="))
      {
        let key = String(decoding: text[..<equals].trimmed, as: UTF8.self)
        let group = found[current]
        guard let value = g_key_file_get_value(handle, group.name, key, nil) else { continue }
        defer { g_free(value) }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(strlen(value)))
        let entry = Entry(key: key, value: Array(Array(bytes).trimmed), file: file, line: index + 1)
        if let first = group[key] {
          throw group.error(.repeatedKey(firstLine: first.line), at: entry)
        }
        found[current].entries.append(entry)
      }
    }
    self = KeyFile(groups: found)
  }

  /// Loads the bytes; returns what GLib has against them.
  private static func load(_ contents: some Sequence<UInt8>, into handle: OpaquePointer)
    -> String?
  {
    // GLib refuses no bytes at all, where it takes an empty line.
    let text = Array(contents) + [UInt8(ascii: "\n")]
    var failure: UnsafeMutablePointer<GError>?
    let loaded = text.withUnsafeBytes {
      // Without this flag GLib drops keys such as name[de] unseen.
      g_key_file_load_from_data(
        handle, $0.bindMemory(to: CChar.self).baseAddress, gsize($0.count),
        G_KEY_FILE_KEEP_TRANSLATIONS, &failure)
    }
    if loaded != 0 { return nil }
    defer { g_error_free(failure) }
    return failure.map { String(cString: $0.pointee.message) } ?? "cannot be understood"
  }

  /// The line, counted from 1, up to which GLib no longer takes the file.
  private static func firstBadLine(_ lines: [ArraySlice<UInt8>]) -> Int? {
    var good = 0
    var bad = lines.count
    while bad - good > 1 {
      let middle = (good + bad) / 2
      guard let handle = g_key_file_new() else { return nil }
      defer { g_key_file_unref(handle) }
      if load(lines[..<middle].joined(separator: [UInt8(ascii: "\n")]), into: handle) == nil {
        good = middle
      } else {
        bad = middle
      }
    }
    return bad
  }

  private static func names(in folder: String) throws(KeyFileError) -> [String] {
    var failure: UnsafeMutablePointer<GError>?
    guard let handle = g_dir_open(folder, 0, &failure) else {
      let error = unreadable(folder, taking: failure)
      if error.problem == .missingFile { return [] }
      throw error
    }
    defer { g_dir_close(handle) }
    var names: [String] = []
    while let name = g_dir_read_name(handle) { names.append(String(cString: name)) }
    return names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func unreadable(
    _ path: String, taking failure: UnsafeMutablePointer<GError>?
  ) -> KeyFileError {
    defer { g_error_free(failure) }
    let missing = g_error_matches(failure, g_file_error_quark(), gint(G_FILE_ERROR_NOENT.rawValue))
    let message = failure.map { String(cString: $0.pointee.message) } ?? "cannot be read"
    return KeyFileError(
      file: path, line: nil, group: nil, key: nil,
      problem: missing != 0 ? .missingFile : .unreadable(message))
  }
}

extension BidirectionalCollection where Element == UInt8 {
  /// Without the blanks, tabs and carriage returns at both ends.
  fileprivate var trimmed: SubSequence {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0d).contains($0) }
    let start = firstIndex { !isBlank($0) } ?? endIndex
    guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
    return self[start...last]
  }
}
