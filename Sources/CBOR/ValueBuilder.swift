internal import Secrets

/// Puts tokens together to a value, with a stack of its own.
struct ValueBuilder {
  /// An item that is not complete yet.
  private struct Frame {
    enum Kind {
      case array
      case map
      case tag(UInt64)
      case bytes
      case text
    }

    let kind: Kind
    /// How many values are still to come; nil for an item that ends with a stop.
    var missing: UInt64?
    /// The values so far; of a map, keys and values in turn.
    var values: [CBORValue] = []
    /// The chunks so far, each checked if it is text.
    var chunks: [SecretBytes] = []

    /// Whether each key, if these are keys, has its value.
    var isPaired: Bool {
      if case .map = kind { values.count.isMultiple(of: 2) } else { true }
    }
  }

  private let limits: CBORLimits
  private var stack: [Frame] = []
  private var items = 0

  init(limits: CBORLimits) { self.limits = limits }

  /// Takes the token at `offset`, and gives the value when it is complete.
  mutating func add(_ token: Token, at offset: Int) throws(CBORError) -> CBORValue? {
    if case .stop = token {
      guard let frame = stack.popLast(), frame.missing == nil, frame.isPaired else {
        throw .malformed(offset: offset)
      }
      return try place(Self.close(frame))
    }
    items += 1
    guard items <= limits.items else { throw .tooManyItems }
    switch (token, stack.last?.kind) {
    // A string in chunks holds definite strings of its own kind, and nothing else.
    case (.value(.bytes(let chunk)), .bytes):
      stack[stack.count - 1].chunks.append(chunk)
    case (.text(let chunk), .text):
      stack[stack.count - 1].chunks.append(SecretBytes(try Self.text(chunk, at: offset).utf8))
    case (_, .bytes), (_, .text):
      throw .malformed(offset: offset)
    case (.value(let value), _):
      return try place(value)
    case (.text(let content), _):
      return try place(.text(Self.text(content, at: offset)))
    case (.arrayStart(let count), _):
      return try open(.array, missing: count)
    case (.mapStart(let count), _):
      // A count whose double does not fit is beyond any limit on items.
      guard (count ?? 0) <= UInt64.max / 2 else { throw .tooManyItems }
      return try open(.map, missing: count.map { $0 * 2 })
    case (.tag(let tag), _):
      return try open(.tag(tag), missing: 1)
    case (.bytesStart, _):
      return try open(.bytes, missing: nil)
    case (.textStart, _):
      return try open(.text, missing: nil)
    case (.stop, _):
      break
    }
    return nil
  }

  private mutating func open(
    _ kind: Frame.Kind, missing: UInt64?
  ) throws(CBORError) -> CBORValue? {
    guard stack.count < limits.depth else { throw .tooDeep }
    let frame = Frame(kind: kind, missing: missing)
    if missing == 0 { return try place(Self.close(frame)) }
    stack.append(frame)
    return nil
  }

  /// Puts a value where it belongs, and closes what is complete with it.
  private mutating func place(_ value: CBORValue) throws(CBORError) -> CBORValue? {
    var value = value
    while !stack.isEmpty {
      let top = stack.count - 1
      stack[top].values.append(value)
      guard let missing = stack[top].missing else { return nil }
      stack[top].missing = missing - 1
      guard missing == 1 else { return nil }
      value = try Self.close(stack.removeLast())
    }
    return value
  }

  /// The value of a frame that has all its parts.
  private static func close(_ frame: Frame) throws(CBORError) -> CBORValue {
    switch frame.kind {
    case .array: return .array(frame.values)
    case .map: return try map(frame.values)
    case .tag(let tag): return .tagged(tag, frame.values[0])
    case .bytes: return CBORValue(bytes: frame.chunks.joined())
    case .text: return .text(String(decoding: frame.chunks.joined(), as: UTF8.self))
    }
  }

  private static func text(_ content: [UInt8], at offset: Int) throws(CBORError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .invalidText(offset: offset)
    }
    return text
  }

  /// Pairs keys with values, sorted as encoding does, so that equal maps compare equal.
  private static func map(_ values: [CBORValue]) throws(CBORError) -> CBORValue {
    let entries = stride(from: 0, to: values.count, by: 2).map { index in
      (key: values[index].encoded, entry: CBORValue.Entry(values[index], values[index + 1]))
    }
    let sorted = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.key == next.key {
      throw .duplicateKey
    }
    return .map(sorted.map(\.entry))
  }
}
