internal import DBus

extension Connection {
  /// Calls a method as ``call(_:_:_:_:_:timeout:)`` does, with the outcome as a value.
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

  /// Has the bus start the program behind a name.
  func startService(_ name: String) async throws(BusError) {
    _ = try await call(
      "org.freedesktop.DBus", ObjectPath(literal: "/org/freedesktop/DBus"), "org.freedesktop.DBus",
      "StartServiceByName", [.string(name), .uint32(0)])
  }
}
