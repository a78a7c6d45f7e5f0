/// A room as a scenario file describes it: radios, access points, and what is to happen in it.
package struct Scenario: Sendable, Equatable {
  /// One word for reports; the file's name without its ending where the file gives none.
  package var name: String
  /// One sentence on what it shows.
  package var summary: String
  /// The Bluetooth adapters in the order of the file.
  package var adapters: [SimulatedAdapter]
  /// How the board's daemon is configured.
  package var security: BoardSecurity
  /// The board's Wi-Fi; the laptop has none.
  package var station: SimulatedStation
  /// The access points in reach of the board, in the order of the file.
  package var accessPoints: [SimulatedAccessPoint]
  /// The commands to run, one after the other.
  package var steps: [ScenarioStep]

  /// Describes a room, by default with the board's adapter `hci0`, the laptop's `hci1`, and no
  /// access point.
  package init(
    name: String = "room", summary: String = "",
    adapters: [SimulatedAdapter] = [SimulatedAdapter(0), SimulatedAdapter(1)],
    security: BoardSecurity = .code, station: SimulatedStation = SimulatedStation(),
    accessPoints: [SimulatedAccessPoint] = [], steps: [ScenarioStep] = []
  ) {
    self.name = name
    self.summary = summary
    self.adapters = adapters
    self.security = security
    self.station = station
    self.accessPoints = accessPoints
    self.steps = steps
  }
}
