extension CharacteristicProperties {
  /// The flags of `GattCharacteristic1`, by the bits of the declaration.
  private static let flags: [(CharacteristicProperties, String)] = [
    (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write-without-response"),
    (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
    (.authenticatedSignedWrites, "authenticated-signed-writes"),
    (.extendedProperties, "extended-properties"),
  ]

  /// BlueZ's words for them.
  var flags: [String] { Self.flags.filter { contains($0.0) }.map(\.1) }

  /// Reads BlueZ's words; those that say something else, as of encryption, are passed over.
  init(flags: [String]) {
    self = Self(Self.flags.filter { flags.contains($0.1) }.map(\.0))
  }
}
