internal import DBus

/// An active connection of the simulated NetworkManager.
struct SimulatedActivation {
  let path: ObjectPath
  let profile: ObjectPath
  /// The access point that was asked for; the root for "any".
  let specificObject: ObjectPath
  /// The profile's settings of then, which the device is configured with whatever becomes of those.
  let applied: SimulatedProfile.Settings
  var state = ActiveState.activating
  /// What takes the device from state to state.
  var steps: Task<Void, Never>?
  /// The access point that it speaks with.
  var partner: ObjectPath?
  /// Whether that has let the station associate.
  var hasAssociated = false
  /// Whether it has let the station in.
  var isLetIn = false
}
