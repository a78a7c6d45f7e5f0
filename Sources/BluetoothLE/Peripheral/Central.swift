/// A central that is connected to this machine.
public struct Central: Sendable, Hashable, CustomStringConvertible {
  /// Tells centrals apart while they are connected; means nothing otherwise.
  public let identifier: String

  /// The address, which may be one that the central made up for this connection.
  public var address: BluetoothAddress? {
    identifier.lastIndex(of: "/").flatMap { slash in
      BlueZ.address(ofDevice: identifier[identifier.index(after: slash)...])
    }
  }

  /// The address, where it is known.
  public var description: String { address?.description ?? identifier }
}
