import ProvisioningProtocol
import Testing

/// The transition tables of the secure profile: each event in each situation, on either side.
struct SecureTableTests {
  private struct Table: Decodable {
    var situations: [String: [String]]
    var transitions: [String: [String: String]]
  }

  private struct Content: Decodable {
    var device: Table
    var provisioner: Table
  }

  private let content: Content

  init() throws { content = try Vectors.load("secure-transitions.json") }

  /// Runs each event in each situation; `run` starts anew, and gives the last event's words.
  private func check(_ table: Table, _ run: (_ events: [String]) throws -> String) throws {
    #expect(table.transitions.count >= 15)
    for (event, cells) in table.transitions.sorted(by: { $0.key < $1.key }) {
      #expect(Set(cells.keys) == Set(table.situations.keys), "\(event)")
      for (situation, steps) in table.situations.sorted(by: { $0.key < $1.key }) {
        let words = try run(steps + [event])
        print("CELL\t\(event)\t\(situation)\t\(words)")
        #expect(words == cells[situation], "\(event), \(situation)")
      }
    }
  }

  @Test func theDevice() throws {
    try check(content.device) { events in
      let device = try ScriptedProvisioner()
      var words = ""
      for event in events { words = try device.run(event) }
      return words
    }
  }

  @Test func theProvisioner() throws {
    try check(content.provisioner) { events in
      let provisioner = try ScriptedDevice()
      var words = ""
      for event in events { words = try provisioner.run(event) }
      return words
    }
  }
}
