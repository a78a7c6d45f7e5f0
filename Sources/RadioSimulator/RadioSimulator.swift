package import DBus
package import MainLoop

/// A room of radios on a private bus: what programs find there under the names of BlueZ and
/// NetworkManager.
package struct RadioSimulator: Sendable {
  package let bluez: SimulatedBlueZ
  package let networkManager: SimulatedNetworkManager
  private let startsNetworkManager: Bool
  private let control: ControlService

  /// Prepares a room; nothing is on the bus before ``start()``.
  ///
  /// - Parameter timeScale: what a second of the real NetworkManager takes.
  package init(
    _ scenario: Scenario, busAddress: String, loop: MainLoop, timing: RadioTiming = RadioTiming(),
    timeScale: Double = 0.02
  ) {
    bluez = SimulatedBlueZ(
      loop: loop, busAddress: busAddress, adapters: scenario.adapters, timing: timing)
    networkManager = SimulatedNetworkManager(
      loop: loop, busAddress: busAddress, station: scenario.station,
      accessPoints: scenario.accessPoints, timeScale: timeScale)
    startsNetworkManager = scenario.station.hasNetworkManager
    control = ControlService(
      loop: loop, busAddress: busAddress, adapters: scenario.adapters, bluez: bluez,
      networkManager: networkManager)
  }

  /// Puts the services on the bus; when this returns, programs may look for them.
  package func start() async throws(BusError) {
    try await control.start()
    try await bluez.start()
    if startsNetworkManager { try await networkManager.start() }
  }

  /// Takes the services off the bus.
  package func stop() async {
    await bluez.stop()
    await networkManager.stop()
    await control.stop()
  }
}
