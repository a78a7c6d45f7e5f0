/// Another adapter of the room, as one adapter knows it.
struct DeviceKey: Hashable {
  /// The adapter that knows.
  let adapter: UInt8
  /// The adapter that is known.
  let peer: UInt8

  /// The same pair from the other side.
  var reversed: DeviceKey { DeviceKey(adapter: peer, peer: adapter) }

  var link: LinkKey { LinkKey(adapter, peer) }
}
