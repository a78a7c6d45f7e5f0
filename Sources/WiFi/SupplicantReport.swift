/// What wpa_supplicant said of its interface in one signal; nil for what did not change.
struct SupplicantReport: Sendable, Equatable {
  /// Such as `associating` or `4way_handshake`.
  var state: String?
  /// IEEE 802.11 status codes of the last authentication and association; 0 is success.
  var authentication: Int?
  var association: Int?
  /// The IEEE 802.11 reason code of the last disconnection; negative when it was our side's.
  var disconnection: Int?
  /// A step of an enterprise network's authentication.
  var eap: EAPStep?

  /// The two words of wpa_supplicant's `EAP` signal.
  struct EAPStep: Sendable, Equatable {
    /// Such as `remote certificate verification` or `completion`.
    let status: String
    /// Such as `success`, `failure`, or OpenSSL's words.
    let detail: String
  }

  /// What was said, in a few words each; without what only moves on.
  var words: [String] {
    var words: [String] = []
    if let authentication, authentication != 0 { words.append("auth status \(authentication)") }
    if let association, association != 0 { words.append("assoc status \(association)") }
    if let disconnection, disconnection != 0 {
      words.append("disconnect reason \(disconnection)")
    }
    if let eap { words.append("eap \(eap.status)\(eap.detail.isEmpty ? "" : ": \(eap.detail)")") }
    return words
  }
}
