internal import DBus
internal import MainLoop

/// What the simulated NetworkManager goes back to unless it is told that all is well.
struct SimulatedCheckpoint {
  /// What the device was used for.
  struct Use {
    let activation: ObjectPath
    let profile: SimulatedProfile
    /// What the device was configured with.
    let applied: SimulatedProfile.Settings
  }

  let path: ObjectPath
  let device: ObjectPath
  let flags: CheckpointFlags
  /// `CLOCK_BOOTTIME` in milliseconds.
  let created: Int64
  /// In seconds since it was made; 0 for never.
  var rollbackTimeout: UInt32
  /// Nil where the device was disconnected.
  let use: Use?
  /// Whether the device was left alone.
  let wasUnmanaged: Bool
  /// The profiles that there were, by UUID.
  let uuids: Set<String>
  var timer: LoopTimer?
}
