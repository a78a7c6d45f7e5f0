extension CharacteristicProperties {
  /// The flags of `GattCharacteristic1`, by the bits of the declaration.
  private static let flags: [(CharacteristicProperties, String)] = [
    (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write-without-response"),
    (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
    (.authenticatedSignedWrites, "authenticated-signed-writes"),
    (.extendedProperties, "extended-properties"),
  ]

  /// BlueZ's words for them, for a server.
  ///
  /// A word that names the link says that the access is possible, too: with the plain word beside
  /// it nothing would be gained.
  func flags(_ permissions: AttributePermissions) -> [String] {
    Self.flags.filter { contains($0.0) }.map { property, word in
      switch property {
      case .read where permissions.contains(.readAuthenticationRequired),
        .write where permissions.contains(.writeAuthenticationRequired):
        "encrypt-authenticated-" + word
      case .read where permissions.contains(.readEncryptionRequired),
        .write where permissions.contains(.writeEncryptionRequired):
        "encrypt-" + word
      default: word
      }
    }
  }

  /// Reads BlueZ's words; those that say something else, as of encryption, are passed over.
  init(flags: [String]) {
    self = Self(Self.flags.filter { flags.contains($0.1) }.map(\.0))
  }
}

extension AttributePermissions {
  /// The properties that they are about.
  var needed: CharacteristicProperties {
    var properties: CharacteristicProperties = []
    if !isDisjoint(with: [.readEncryptionRequired, .readAuthenticationRequired]) {
      properties.insert(.read)
    }
    if !isDisjoint(with: [.writeEncryptionRequired, .writeAuthenticationRequired]) {
      properties.insert(.write)
    }
    return properties
  }
}
