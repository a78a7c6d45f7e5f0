/// The networks that a device sees, and what there is to know of the list.
package struct VisibleNetworks: Hashable, Sendable {
  /// The strongest first.
  package var networks: [VisibleNetwork]
  /// How long ago the device looked, in seconds.
  package var age: UInt32
  /// How many access points keep their network's name to themselves.
  package var hiddenCount: UInt32

  package init(networks: [VisibleNetwork] = [], age: UInt32 = 0, hiddenCount: UInt32 = 0) {
    self.networks = networks
    self.age = age
    self.hiddenCount = hiddenCount
  }
}
