/// `NMCheckpointCreateFlags`.
struct CheckpointFlags: OptionSet {
  let rawValue: UInt32

  static let destroyAll = CheckpointFlags(rawValue: 0x1)
  static let deleteNewProfiles = CheckpointFlags(rawValue: 0x2)
  static let disconnectNewDevices = CheckpointFlags(rawValue: 0x4)
  static let allowOverlapping = CheckpointFlags(rawValue: 0x8)
}
