/// A Bluetooth adapter of the room.
package struct SimulatedAdapter: Sendable, Equatable {
  /// The number in its name: 0 for `hci0`.
  package var index: UInt8
  /// The public address, as BlueZ prints it.
  package var address: String
  /// Whether it is on when the simulator starts.
  package var isPowered: Bool
  /// Whether its controller knows Bluetooth Low Energy.
  package var hasLowEnergy: Bool
  /// The largest ATT MTU that it agrees to, in bytes: 23 to 517.
  package var mtu: UInt16

  /// Describes an adapter.
  ///
  /// - Parameter address: nil for one that is made from the index.
  package init(
    _ index: UInt8, address: String? = nil, isPowered: Bool = true, hasLowEnergy: Bool = true,
    mtu: UInt16 = 517
  ) {
    self.index = index
    let digits = String(index, radix: 16, uppercase: true)
    self.address = address ?? "00:AA:01:00:00:" + (digits.count == 1 ? "0" : "") + digits
    self.isPowered = isPowered
    self.hasLowEnergy = hasLowEnergy
    self.mtu = mtu
  }

  /// The name of the adapter in BlueZ.
  package var name: String { "hci\(index)" }
}
