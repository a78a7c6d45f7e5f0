package import DBus
package import MainLoop

/// A room of radios on a private bus: what programs find under the name of BlueZ there.
package struct RadioSimulator: Sendable {
  package let bluez: SimulatedBlueZ
  private let control: ControlService

  /// Prepares a room; nothing is on the bus before ``start()``.
  package init(
    _ scenario: Scenario, busAddress: String, loop: MainLoop, timing: RadioTiming = RadioTiming()
  ) {
    bluez = SimulatedBlueZ(
      loop: loop, busAddress: busAddress, adapters: scenario.adapters, timing: timing)
    control = ControlService(
      loop: loop, busAddress: busAddress, adapters: scenario.adapters, bluez: bluez)
  }

  /// Puts the services on the bus; when this returns, programs may look for them.
  package func start() async throws(BusError) {
    try await control.start()
    try await bluez.start()
  }

  /// Takes the services off the bus.
  package func stop() async {
    await bluez.stop()
    await control.stop()
  }
}
