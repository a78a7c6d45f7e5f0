/// Two adapters that a link joins, whichever of them made it.
struct LinkKey: Hashable {
  let first: UInt8
  let second: UInt8

  init(_ a: UInt8, _ b: UInt8) {
    first = min(a, b)
    second = max(a, b)
  }

  var ends: [DeviceKey] {
    [DeviceKey(adapter: first, peer: second), DeviceKey(adapter: second, peer: first)]
  }

  func contains(_ adapter: UInt8) -> Bool { first == adapter || second == adapter }
}
