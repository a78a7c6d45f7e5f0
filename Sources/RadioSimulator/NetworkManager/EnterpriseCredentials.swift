internal import DBus
internal import Glibc

/// What a profile tells an authentication server, and what it wants to see of it (802.1X).
struct EnterpriseCredentials {
  /// What wpa_supplicant tells on the way, and whether the server lets the station in.
  struct Outcome {
    var reports: [(status: String, parameter: String)]
    var isAccepted: Bool
  }

  private let values: [String: Value]

  init(_ profile: SimulatedProfile) {
    values = profile.settings[NetworkManagerName.Setting.enterprise] ?? [:]
  }

  private var method: String { values["eap"]?.asStrings?.first ?? "" }

  var hasSecrets: Bool {
    if method == "tls" { return values["private-key"] != nil && values["client-cert"] != nil }
    return values["password"] != nil || values["password-raw"] != nil
  }

  /// Goes through the steps that wpa_supplicant tells in its `EAP` signals.
  func outcome(at network: EnterpriseNetwork) -> Outcome {
    var reports = [(status: "started", parameter: "")]
    let isAccepted = authenticate(at: network) { reports.append(($0, $1)) }
    reports.append(("completion", isAccepted ? "success" : "failure"))
    return Outcome(reports: reports, isAccepted: isAccepted)
  }

  private func authenticate(
    at network: EnterpriseNetwork, _ report: (String, String) -> Void
  ) -> Bool {
    guard let chosen = network.methods.first(where: { $0.rawValue == method }) else {
      for offered in network.methods {
        report("refuse proposed method", offered.rawValue.uppercased())
      }
      return false
    }
    report("accept proposed method", chosen.rawValue.uppercased())
    if let objection = objection(to: network) {
      report("remote certificate verification", objection.text)
      report("local TLS alert", objection.alert)
      return false
    }
    report("remote certificate verification", "success")
    guard chosen == .tls else { return provesPassword(at: network) }
    if certificate("client-cert") != network.clientCertificate {
      report("remote TLS alert", "unknown CA")
      return false
    }
    return values["identity"]?.asString == network.identity
  }

  /// Why the server is not the one that the profile wants, in OpenSSL's and wpa_supplicant's words.
  private func objection(to network: EnterpriseNetwork) -> (text: String, alert: String)? {
    if let authority = certificate("ca-cert") {
      if authority != network.caCertificate {
        return ("unable to get local issuer certificate", "unknown CA")
      }
    } else if values["system-ca-certs"]?.asBool == true {
      // No authority of the room is one that all systems know.
      return ("self-signed certificate in certificate chain", "unknown CA")
    }
    if let suffix = values["domain-suffix-match"]?.asString, !suffix.isEmpty,
      network.serverName != suffix, !network.serverName.hasSuffix("." + suffix)
    {
      return ("Domain suffix mismatch", "bad certificate")
    }
    return nil
  }

  private func provesPassword(at network: EnterpriseNetwork) -> Bool {
    let inner = values["phase2-auth"]?.asString ?? values["phase2-autheap"]?.asString ?? "mschapv2"
    return network.innerMethods.contains { $0.rawValue == inner }
      && values["identity"]?.asString == network.identity
      && values["password"]?.asString == network.password
  }

  /// A certificate's bytes: as they are in the profile, or those of the file that it names.
  private func certificate(_ key: String) -> [UInt8]? {
    guard let bytes = values[key]?.asBytes else { return nil }
    let scheme = Array("file://".utf8)
    guard bytes.starts(with: scheme) else { return bytes }
    let path = String(decoding: bytes.dropFirst(scheme.count).prefix { $0 != 0 }, as: UTF8.self)
    return FileContents.read(path) ?? []
  }
}
