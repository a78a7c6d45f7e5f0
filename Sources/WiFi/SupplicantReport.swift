/// What wpa_supplicant said of its interface in one signal; nil for what did not change.
struct SupplicantReport: Sendable, Equatable {
  /// Such as `associating` or `4way_handshake`.
  var state: String?
  /// IEEE 802.11 status codes of the last authentication and association; 0 is success.
  var authentication: Int?
  var association: Int?
  /// The IEEE 802.11 reason code of the last disconnection; negative when it was our side's.
  var disconnection: Int?
}
