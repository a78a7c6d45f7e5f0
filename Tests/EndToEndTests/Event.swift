import Foundation

/// A line of `--json`, as far as the tests look.
struct Event: Sendable, Decodable {
  let event: String
  var id: String?
  var name: String?
  var state: String?
  var reason: String?
  var outcome: String?
  var exitCode: Int32?
  var message: String?
  var ssid: String?
  var ipv4: String?
  var returning: Bool?
  var risks: [String]?
  var evidence: Evidence?
  var known: Bool?
  var bands: [Int]?
  var hidden: Int?

  struct Evidence: Sendable, Decodable {
    var security: String?
    var frequency: Int?
    var supplicant: [String]
  }

  init?(_ line: String) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let event = try? decoder.decode(Event.self, from: Data(line.utf8)) else { return nil }
    self = event
  }
}
