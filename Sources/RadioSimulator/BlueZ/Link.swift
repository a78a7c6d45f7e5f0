/// A connection between two adapters.
struct Link {
  /// Tells it from an earlier one between the same adapters.
  let number: UInt64
  let mtu: UInt16
  /// What accesses it is good for.
  var security = LinkNeed.none
  /// The ends that know the other's services.
  var resolved: Set<UInt8> = []
}
