internal import DBus

/// Calls whose outcome is a value, for tasks that run beside each other.
extension Connection {
  func result(
    of destination: String, _ path: ObjectPath, _ interface: String, _ member: String,
    _ arguments: [Value] = [], timeout: Duration = .seconds(25)
  ) async -> Result<[Value], BusError> {
    do throws(BusError) {
      return .success(
        try await call(destination, path, interface, member, arguments, timeout: timeout))
    } catch {
      return .failure(error)
    }
  }

  func resultOfSetting(
    _ name: String, of interface: String, _ destination: String, _ path: ObjectPath,
    to value: Value
  ) async -> Result<Void, BusError> {
    do throws(BusError) {
      return .success(
        try await setProperty(name, of: interface, destination, path, to: value))
    } catch {
      return .failure(error)
    }
  }

  /// Has the bus start the program behind a name.
  func startService(_ name: String) async throws(BusError) {
    _ = try await call(
      "org.freedesktop.DBus", ObjectPath(literal: "/org/freedesktop/DBus"), "org.freedesktop.DBus",
      "StartServiceByName", [.string(name), .uint32(0)])
  }
}
