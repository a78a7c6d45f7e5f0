/// Reads an attempt's fate from wpa_supplicant's reports, long before NetworkManager gives up.
///
/// NetworkManager tells a refused SAE password and a MAC filter as "network not found", after 25 s,
/// and a refused enterprise password not at all.
struct SupplicantEvidence {
  enum Verdict: Equatable {
    /// The access point answered the proof of the password with a refusal.
    case wrongPassword
    /// It refused before any proof, again and again.
    case refused
    /// An enterprise network's server did not take the identity, the password or the certificate.
    case loginRefused
    /// The server's certificate was not taken, with OpenSSL's words.
    case serverRefused(String)
  }

  private let security: NetworkSecurity
  /// Between the first and the last message that prove a pre-shared key.
  private var isInHandshake = false
  /// SAE: the commit was accepted, the confirm is not answered yet.
  ///
  /// Without SAE the association follows at once.
  private var hasCommitted = false
  private var refusals = 0
  /// Whether SAE went through, which only the right password does.
  private(set) var hasProvenPassword = false

  /// Status codes that ask for another try: retry later, SAE's token, group and method.
  private static let retryCodes: Set = [30, 76, 77, 126, 127]

  init(security: NetworkSecurity) { self.security = security }

  /// Whether the password is being tried.
  private(set) var isAuthenticating = false

  mutating func add(_ report: SupplicantReport) -> Verdict? {
    if report.state == "associating" { hasProvenPassword = hasCommitted }
    // Other networks have no logins: it would be of another interface.
    if security == .enterprise, let step = report.eap, let verdict = entered(step) {
      return verdict
    }
    if let status = report.authentication, let verdict = authenticated(status) { return verdict }
    if let status = report.association, let verdict = counted(status) { return verdict }
    if let state = report.state { enter(state) }
    if hasCommitted || isInHandshake { isAuthenticating = true }
    if isInHandshake, let reason = report.disconnection, reason > 0 {
      isInHandshake = false
      // After SAE the handshake's key does not depend on the password any more.
      if security == .wpa2 || security == .wpa2WPA3, !hasProvenPassword { return .wrongPassword }
    }
    return nil
  }

  /// The words are those of `wpa_supplicant_eap_status` and of the TLS library's callbacks
  /// (wpa_supplicant 2.10, src/eap_peer).
  private mutating func entered(_ step: SupplicantReport.EAPStep) -> Verdict? {
    isAuthenticating = true
    switch (step.status, step.detail) {
    case ("remote certificate verification", "success"): return nil
    case ("remote certificate verification", let words), ("local TLS alert", let words):
      return .serverRefused(words)
    case ("remote TLS alert", _), ("completion", "failure"): return .loginRefused
    default: return nil
    }
  }

  private mutating func authenticated(_ status: Int) -> Verdict? {
    // NetworkManager allows SAE on WPA2 profiles too, and its list may be older than the network.
    guard security.needsPassword, security != .enterprise else { return counted(status) }
    if status == 0 {
      hasCommitted = true
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
    case "associating", "associated", "completed":
      hasCommitted = false
      isInHandshake = false
    case "authenticating", "scanning", "inactive", "interface_disabled":
      isInHandshake = false
    default: break
    }
  }
}
