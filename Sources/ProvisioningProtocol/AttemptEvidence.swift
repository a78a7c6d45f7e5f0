internal import CBOR

/// What the result of an attempt was concluded from.
///
/// Text in it may come from outside, over the air.
package struct AttemptEvidence: Hashable, Sendable {
  /// What happened, as a sentence for a person.
  package var summary: String
  /// What to do about it, as a sentence for a person; nil where the reason's own words will do.
  package var advice: String?
  /// What the access point asks for.
  package var security: NetworkSecurity?
  /// The access point's signal at the device, in dBm.
  package var rssi: Int8?
  /// The access point's channel, in MHz.
  package var frequency: UInt32?
  /// The way of the Wi-Fi device, the oldest first.
  package var states: [DeviceStateChange]
  /// What wpa_supplicant told, in its own words and numbers, the oldest first.
  package var supplicant: [String]

  package init(
    summary: String, advice: String? = nil, security: NetworkSecurity? = nil, rssi: Int8? = nil,
    frequency: UInt32? = nil, states: [DeviceStateChange] = [], supplicant: [String] = []
  ) {
    self.summary = summary
    self.advice = advice
    self.security = security
    self.rssi = rssi
    self.frequency = frequency
    self.states = states
    self.supplicant = supplicant
  }
}

extension AttemptEvidence {
  /// All of it in one line, for a log.
  package var logLine: String {
    var parts = [summary]
    if let security { parts.append(security.rawValue) }
    if let rssi { parts.append("\(rssi) dBm") }
    if let frequency { parts.append("\(frequency) MHz") }
    parts += states.map { "\($0.state)/\($0.reason)" } + supplicant
    return parts.joined(separator: ", ")
  }

  /// How much of each part is told: the last of a list, for that is nearest to the end.
  private enum Limit {
    static let text = 300
    static let states = 16
    static let words = 8
    static let word = 48
  }

  init(_ value: CBORValue) throws(MessageError) {
    let fields = try MessageFields(value)
    self.init(
      summary: try fields.requiredText(0), advice: try fields.text(1),
      security: try fields.text(2).flatMap(NetworkSecurity.init(rawValue:)),
      rssi: try fields.number(3), frequency: try fields.number(4),
      supplicant: try fields.texts(6))
    for item in try fields.items(5) ?? [] {
      guard case .array(let pair) = item, pair.count >= 2,
        case (.unsigned(let state), .unsigned(let reason)) = (pair[0], pair[1]),
        let state = UInt32(exactly: state), let reason = UInt32(exactly: reason)
      else { throw .invalid(5) }
      states.append(DeviceStateChange(state: state, reason: reason))
    }
  }

  /// The map for a status; what is long is cut, so that it fits beside the rest.
  var map: CBORValue {
    let changes = states.suffix(Limit.states).map {
      CBORValue.array([.unsigned(UInt64($0.state)), .unsigned(UInt64($0.reason))])
    }
    let words = supplicant.suffix(Limit.words).map { CBORValue.text($0.cut(to: Limit.word)) }
    return CBORValue(fields: [
      0: .text(summary.cut(to: Limit.text)),
      1: advice.map { .text($0.cut(to: Limit.text)) },
      2: security.map { .text($0.rawValue) },
      3: rssi.map { CBORValue(Int64($0)) },
      4: frequency.map { .unsigned(UInt64($0)) },
      5: changes.isEmpty ? nil : .array(changes),
      6: words.isEmpty ? nil : .array(words),
    ])
  }
}

extension String {
  /// As many whole characters of Unicode as fit so many bytes.
  fileprivate func cut(to count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }
}
