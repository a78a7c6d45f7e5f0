internal import DBus

/// A program that answers questions while devices pair.
struct PairingAgent: Equatable {
  /// What the machine can show and ask for, in BlueZ's words.
  enum Capability: String {
    case displayOnly = "DisplayOnly"
    case displayYesNo = "DisplayYesNo"
    case keyboardOnly = "KeyboardOnly"
    case noInputNoOutput = "NoInputNoOutput"
    case keyboardDisplay = "KeyboardDisplay"

    /// Nil for a word that BlueZ does not know.
    init?(_ word: String) {
      self.init(rawValue: word.isEmpty ? Self.keyboardDisplay.rawValue : word)
    }

    var canShow: Bool { self != .keyboardOnly && self != .noInputNoOutput }
    var canAsk: Bool { self == .keyboardOnly || self == .keyboardDisplay }
  }

  /// The program's unique name.
  let owner: String
  let path: ObjectPath
  let capability: Capability
}
