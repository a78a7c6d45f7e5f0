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

/// Reads an attempt's fate from wpa_supplicant's reports, long before NetworkManager gives up.
///
/// NetworkManager tells a refused SAE password and a MAC filter as "network not found", after 25 s.
struct SupplicantEvidence {
  enum Verdict: Equatable {
    /// The access point answered the proof of the password with a refusal.
    case wrongPassword
    /// It refused before any proof, again and again.
    case refused
  }

  private let security: NetworkSecurity
  /// Between the first and the last message that prove a pre-shared key.
  private var isInHandshake = false
  /// SAE: the commit was accepted, the confirm is not answered yet.
  private var hasCommitted = false
  private var refusals = 0

  /// Status codes that ask for another try: retry later, SAE's token, group and method.
  private static let retryCodes: Set = [30, 76, 77, 126, 127]

  init(security: NetworkSecurity) { self.security = security }

  /// Whether the password is being tried.
  private(set) var isAuthenticating = false

  mutating func add(_ report: SupplicantReport) -> Verdict? {
    if let status = report.authentication, let verdict = authenticated(status) { return verdict }
    if let status = report.association, let verdict = counted(status) { return verdict }
    if let state = report.state { enter(state) }
    if isInHandshake, let reason = report.disconnection, reason > 0 {
      isInHandshake = false
      // After SAE the handshake's key does not depend on the password any more.
      if security == .wpa2 || security == .wpa2WPA3 { return .wrongPassword }
    }
    return nil
  }

  private mutating func authenticated(_ status: Int) -> Verdict? {
    let usesSAE = security == .wpa3 || security == .wpa2WPA3
    guard usesSAE else { return counted(status) }
    if status == 0 {
      hasCommitted = true
      isAuthenticating = true
      return nil
    }
    if hasCommitted, !Self.retryCodes.contains(status) { return .wrongPassword }
    return counted(status)
  }

  private mutating func counted(_ status: Int) -> Verdict? {
    guard status != 0, !Self.retryCodes.contains(status) else { return nil }
    refusals += 1
    return refusals > 1 ? .refused : nil
  }

  private mutating func enter(_ state: String) {
    switch state {
    case "4way_handshake":
      isInHandshake = true
      isAuthenticating = true
    case "associating", "associated", "completed":
      hasCommitted = false
      isInHandshake = false
    case "authenticating", "scanning", "inactive", "interface_disabled":
      isInHandshake = false
    default: break
    }
  }
}
