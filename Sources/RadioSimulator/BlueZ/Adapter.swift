internal import DBus

/// BlueZ's view of one of its adapters.
struct Adapter {
  /// A client that scans, or that has said what it would scan for.
  struct DiscoveryClient {
    var isDiscovering = false
    var filter: DiscoveryFilter?
  }

  /// An advertisement that a program registered.
  struct AdvertisingClient {
    /// What the object said last; nil until it has answered.
    var properties: [String: Value]?
    var advertisement: Advertisement?
    /// Whether the controller has it; switching it off and on again forgets it.
    var isOnAir = false
    var changes: Subscription?
  }

  static let supportedAdvertisements = 5

  let radio: SimulatedAdapter
  var isPowered: Bool
  var isPowerChanging = false
  var isDiscoverable = false
  var discoverableTimeout: UInt32 = 180
  var isPairable = false
  var pairableTimeout: UInt32 = 0
  var alias: String
  var discovery: [String: DiscoveryClient] = [:]
  var advertising: [ApplicationKey: AdvertisingClient] = [:]
  var table = AttributeTable()
  /// Applications, with what listens to their changes.
  var applications: [ApplicationKey: Subscription?] = [:]
  /// The peers that switched a characteristic's notifications on, by its declaration's handle.
  var subscribers: [UInt16: Set<UInt8>] = [:]

  var path: ObjectPath { BlueZ.path.appending(radio.name) ?? .root }

  var isDiscovering: Bool { discovery.values.contains(where: \.isDiscovering) }

  /// Whether somebody scans with a filter, which changes what is reported.
  var isFiltered: Bool { discovery.values.contains { $0.isDiscovering && $0.filter != nil } }

  var wantsDuplicates: Bool {
    discovery.values.contains { $0.isDiscovering && $0.filter?.wantsDuplicates == true }
  }

  /// The advertisements in the air, the connectable ones last.
  var onAir: [Advertisement] {
    guard isPowered else { return [] }
    return advertising.sorted { $0.key.root < $1.key.root }.map(\.value)
      .filter(\.isOnAir).compactMap(\.advertisement)
      .sorted { !$0.isConnectable && $1.isConnectable }
  }
}
