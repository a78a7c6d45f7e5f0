internal import DBus

/// An application that a program registered: whom BlueZ asks for its values.
struct ApplicationKey: Hashable {
  /// The program's unique name.
  let owner: String
  /// The path that it registered.
  let root: ObjectPath
}

/// Where an attribute's values come from.
struct AttributeOwner: Hashable {
  let application: ApplicationKey
  let path: ObjectPath
}

/// What a link must be for an access.
enum LinkNeed: Int, Comparable {
  case none
  case encryption
  case authentication

  static func < (a: LinkNeed, b: LinkNeed) -> Bool { a.rawValue < b.rawValue }

  /// What a client without pairing is told; nil where it may go on.
  var errorWithoutPairing: ATTError? {
    switch self {
    case .none: nil
    case .encryption: .insufficientEncryption
    case .authentication: .insufficientAuthentication
    }
  }
}

/// A characteristic in an adapter's attribute table.
struct CharacteristicAttribute {
  let uuid: UUIDText
  let flags: CharacteristicFlags
  /// Nil for one of BlueZ's own.
  let owner: AttributeOwner?
  /// The declaration; the value's handle is the next one.
  var handle: UInt16 = 0
  /// Where notifications are switched; nil where there are none.
  var configurationHandle: UInt16?
  var descriptors: [DescriptorAttribute] = []
}

/// A descriptor in an adapter's attribute table.
struct DescriptorAttribute {
  let uuid: UUIDText
  let readNeed: LinkNeed?
  let writeNeed: LinkNeed?
  /// Nil for one of BlueZ's own.
  let owner: AttributeOwner?
  var handle: UInt16 = 0
}

/// A service in an adapter's attribute table.
struct ServiceAttribute {
  let uuid: UUIDText
  let isPrimary: Bool
  /// The services that it includes, by their paths in the application.
  let includes: [ObjectPath]
  /// Nil for one of BlueZ's own.
  let owner: AttributeOwner?
  var characteristics: [CharacteristicAttribute] = []
  var handle: UInt16 = 0
}

extension ServiceAttribute {
  /// Whether a client would discover the same, whoever is behind it.
  func looksLike(_ other: ServiceAttribute) -> Bool { outline == other.outline }

  private var outline: [String] {
    let inner = characteristics.flatMap { characteristic in
      ["\(characteristic.handle)", characteristic.uuid.text]
        + characteristic.flags.properties.sorted()
        + characteristic.descriptors.flatMap { ["\($0.handle)", $0.uuid.text] }
    }
    return ["\(handle)", uuid.text, isPrimary ? "primary" : "secondary"] + inner
  }
}

/// The words of `GattCharacteristic1.Flags`, as `parse_chrc_flags` understands them.
struct CharacteristicFlags: Equatable {
  /// The words that a client sees.
  private(set) var properties: Set<String> = []
  /// Nil where the access is not permitted at all.
  private(set) var readNeed: LinkNeed?
  private(set) var writeNeed: LinkNeed?
  private(set) var subscribeNeed = LinkNeed.none

  /// Nil for an unknown word.
  init?(_ words: [String]) {
    for word in words {
      switch word {
      case "broadcast", "extended-properties", "writable-auxiliaries": properties.insert(word)
      case "read": read(.none)
      case "encrypt-read": read(.encryption)
      case "encrypt-authenticated-read", "secure-read": read(.authentication)
      case "write", "write-without-response", "authenticated-signed-writes", "reliable-write":
        write(.none, as: word)
      case "encrypt-write": write(.encryption, as: "write")
      case "encrypt-authenticated-write", "secure-write": write(.authentication, as: "write")
      case "notify", "indicate": subscribe(.none, as: word)
      case "encrypt-notify": subscribe(.encryption, as: "notify")
      case "encrypt-authenticated-notify", "secure-notify":
        subscribe(.authentication, as: "notify")
      case "encrypt-indicate": subscribe(.encryption, as: "indicate")
      case "encrypt-authenticated-indicate", "secure-indicate":
        subscribe(.authentication, as: "indicate")
      case "authorize": break
      default: return nil
      }
    }
  }

  var isNotifying: Bool { properties.contains("notify") || properties.contains("indicate") }

  private mutating func read(_ need: LinkNeed) {
    properties.insert("read")
    readNeed = max(readNeed ?? .none, need)
  }

  private mutating func write(_ need: LinkNeed, as word: String) {
    properties.insert(word)
    writeNeed = max(writeNeed ?? .none, need)
  }

  private mutating func subscribe(_ need: LinkNeed, as word: String) {
    properties.insert(word)
    subscribeNeed = max(subscribeNeed, need)
  }
}
