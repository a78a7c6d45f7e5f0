extension AdapterMonitor.Condition {
  var adapter: Adapter? {
    if case .present(let adapter) = self { adapter } else { nil }
  }

  /// The state in CoreBluetooth's words, and what is in the way of a role.
  func state(for role: Adapter.Role) -> (ManagerState, BluetoothError?) {
    switch self {
    case .unknown: return (.unknown, nil)
    case .unavailable(let error):
      switch error.code {
      case .unauthorized: return (.unauthorized, error)
      case .noAdapter: return (.unsupported, error)
      default: return (.resetting, error)
      }
    case .present(let adapter):
      guard adapter.canTake(role) else { return (.unsupported, .cannotTake(role, adapter)) }
      guard adapter.isPowered else {
        return (.poweredOff, adapter.powerError ?? .poweredOff(adapter))
      }
      return (.poweredOn, nil)
    }
  }
}
