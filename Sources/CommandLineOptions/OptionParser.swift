internal import CGLib
internal import Synchronization

/// What GOption made of the arguments.
struct ParsedArguments {
  /// The values by the options' long names.
  var values: [String: any Sendable] = [:]
  /// The arguments that are no options, in their order.
  var rest: [[UInt8]] = []

  func has(_ flag: Option<Bool>) -> Bool { values[flag.name] != nil }
}

/// One GOptionContext a call: GOption keeps the rules of `--name=value`, `-nvalue` and `--`.
struct OptionParser {
  let options: [any OptionDeclaration]
  /// Whether everything from the first operand on is left alone.
  let stopsAtOperand: Bool

  func parse(_ arguments: [[UInt8]], command: String?) throws(UsageError) -> ParsedArguments {
    let table = EntryTable(options)
    let context = g_option_context_new(nil)
    defer { g_option_context_free(context) }
    g_option_context_set_help_enabled(context, 0)
    g_option_context_set_strict_posix(context, stopsAtOperand ? 1 : 0)
    g_option_context_add_main_entries(context, table.entries, nil)

    var vector = stringVector([[]] + arguments)
    defer { g_strfreev(vector) }
    var error: UnsafeMutablePointer<GError>?
    guard g_option_context_parse_strv(context, &vector, &error) != 0 else {
      defer { g_error_free(error) }
      let message = error.map { String(cString: $0.pointee.message) } ?? "cannot be understood"
      throw UsageError(message, command: command)
    }
    var parsed = ParsedArguments(rest: table.rest)
    for (index, option) in options.enumerated() {
      guard let bytes = table.argument(index) else { continue }
      do {
        parsed.values[option.name] = try option.value(of: bytes)
      } catch {
        throw UsageError(error.message, command: command)
      }
    }
    return parsed
  }

  func help(program: String, parameters: String, summary: String, epilogue: String?) -> String {
    let table = EntryTable(options)
    let context = g_option_context_new(parameters)
    defer { g_option_context_free(context) }
    g_option_context_set_help_enabled(context, 0)
    g_option_context_set_summary(context, summary)
    g_option_context_set_description(context, epilogue)
    g_option_context_add_main_entries(context, table.entries, nil)
    // The usage line begins with the process's name as GLib knows it, and takes no other.
    return processName.withLock { _ in
      g_set_prgname(program)
      guard let text = g_option_context_get_help(context, 1, nil) else { return "" }
      defer { g_free(text) }
      return String(cString: text)
    }
  }
}

/// Held while GLib's name of the process is ours to set.
private let processName = Mutex<Void>(())

/// A copy that `g_strfreev` releases.
private func stringVector(_ strings: [[UInt8]]) -> UnsafeMutablePointer<
  UnsafeMutablePointer<CChar>?
>? {
  let size = MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
  guard let memory = g_malloc0_n(gsize(strings.count + 1), gsize(size)) else { return nil }
  let vector = memory.bindMemory(
    to: UnsafeMutablePointer<CChar>?.self, capacity: strings.count + 1)
  for (index, string) in strings.enumerated() {
    vector[index] = string.withUnsafeBytes {
      g_strndup($0.bindMemory(to: CChar.self).baseAddress, gsize($0.count))
    }
  }
  return vector
}

/// The entries that GOption reads, and the memory that it writes to; released with the object.
private final class EntryTable {
  let entries: UnsafeMutablePointer<GOptionEntry>
  private let options: [any OptionDeclaration]
  private var names: [UnsafeMutablePointer<CChar>?] = []
  // One word an option: a gboolean, or a string's address; the last one is the operands' vector.
  private let slots: UnsafeMutablePointer<UInt>

  init(_ options: [any OptionDeclaration]) {
    self.options = options
    let count = options.count
    entries = .allocate(capacity: count + 2)
    entries.initialize(repeating: GOptionEntry(), count: count + 2)
    slots = .allocate(capacity: count + 1)
    slots.initialize(repeating: 0, count: count + 1)
    for (index, option) in options.enumerated() {
      // As a file name, because GOption converts other strings from the locale's encoding.
      entries[index].arg = option.placeholder == nil ? G_OPTION_ARG_NONE : G_OPTION_ARG_FILENAME
      entries[index].long_name = UnsafePointer(copy(option.name))
      entries[index].short_name = CChar(option.short?.asciiValue ?? 0)
      entries[index].description = UnsafePointer(copy(option.summary))
      entries[index].arg_description = option.placeholder.flatMap { UnsafePointer(copy($0)) }
      entries[index].arg_data = UnsafeMutableRawPointer(slots + index)
    }
    // G_OPTION_REMAINING, a macro that Swift does not see, is the empty name.
    entries[count].long_name = UnsafePointer(copy(""))
    entries[count].arg = G_OPTION_ARG_FILENAME_ARRAY
    entries[count].arg_data = UnsafeMutableRawPointer(slots + count)
  }

  deinit {
    for (index, option) in options.enumerated() where option.placeholder != nil {
      g_free(UnsafeMutableRawPointer(bitPattern: slots[index]))
    }
    g_strfreev(operands)
    for name in names { g_free(name) }
    entries.deallocate()
    slots.deallocate()
  }

  /// The bytes given for an option; empty for a flag that is set.
  func argument(_ index: Int) -> [UInt8]? {
    if slots[index] == 0 { return nil }
    if options[index].placeholder == nil { return [] }
    return UnsafePointer<CChar>(bitPattern: slots[index]).map(bytes)
  }

  var rest: [[UInt8]] {
    var found: [[UInt8]] = []
    guard var next = operands else { return found }
    while let operand = next.pointee {
      found.append(bytes(operand))
      next += 1
    }
    return found
  }

  private var operands: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    UnsafeMutablePointer(bitPattern: slots[options.count])
  }

  private func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    let copied = g_strdup(text)
    names.append(copied)
    return copied
  }

  private func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: Int(strlen(text))))
  }
}
