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
