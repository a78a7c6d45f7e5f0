internal import CBOR
internal import Secrets

/// What a restart of the daemon must not forget of how long the device is open; a reboot may.
///
/// Times are milliseconds since the boot; nil for none.
package struct StoredWindow: Equatable, Sendable {
  package var openedByHandUntil: UInt64?
  package var openedUntil: UInt64?
  package var isOver: Bool
  package var isClosedByHand: Bool

  package init(
    openedByHandUntil: UInt64?, openedUntil: UInt64?, isOver: Bool, isClosedByHand: Bool
  ) {
    self.openedByHandUntil = openedByHandUntil
    self.openedUntil = openedUntil
    self.isOver = isOver
    self.isClosedByHand = isClosedByHand
  }
}

extension StoredWindow {
  private enum Key: UInt64 {
    case openedByHandUntil
    case openedUntil
    case isOver
    case isClosedByHand
  }

  /// The contents of the file: a map in deterministic CBOR.
  var encoded: SecretBytes {
    func entry(_ key: Key, _ value: CBORValue) -> CBORValue.Entry {
      CBORValue.Entry(.unsigned(key.rawValue), value)
    }
    var entries = [
      entry(.isOver, .bool(isOver)), entry(.isClosedByHand, .bool(isClosedByHand)),
    ]
    if let openedByHandUntil {
      entries.append(entry(.openedByHandUntil, .unsigned(openedByHandUntil)))
    }
    if let openedUntil { entries.append(entry(.openedUntil, .unsigned(openedUntil))) }
    return CBORValue.map(entries).encodedSecret
  }

  /// Reads the contents of the file; unknown keys are ignored.
  init(decoding bytes: SecretBytes) throws(StateError.Problem) {
    guard case .map(let entries)? = try? CBORValue(decoding: bytes) else { throw .corrupt }
    func value(_ key: Key) -> CBORValue? {
      entries.first { $0.key == .unsigned(key.rawValue) }?.value
    }
    func time(_ key: Key) throws(StateError.Problem) -> UInt64? {
      guard let value = value(key) else { return nil }
      guard case .unsigned(let time) = value else { throw .corrupt }
      return time
    }
    guard case .bool(let isOver)? = value(.isOver),
      case .bool(let isClosedByHand)? = value(.isClosedByHand)
    else { throw .corrupt }
    self.init(
      openedByHandUntil: try time(.openedByHandUntil), openedUntil: try time(.openedUntil),
      isOver: isOver, isClosedByHand: isClosedByHand)
  }
}
