/// How a station proves itself to a network, in the words of a profile's `key-mgmt`.
enum KeyManagement: Hashable {
  case none
  case owe
  /// NetworkManager adds SAE by itself where supplicant and driver claim it.
  case psk
  /// Without SAE, which some chips claim and cannot do.
  case pskWithoutSAE
  case sae
  case eap

  /// Nil for a profile without a security setting.
  var word: String? {
    switch self {
    case .none: nil
    case .owe: "owe"
    case .psk, .pskWithoutSAE: "wpa-psk"
    case .sae: "sae"
    case .eap: "wpa-eap"
    }
  }
}

extension NetworkSecurity {
  /// What may be tried, in this order; nothing where the network cannot be joined.
  var keyManagements: [KeyManagement] {
    switch self {
    case .open: [.none]
    case .owe: [.owe]
    case .oweTransition: [.owe, .none]
    case .wpa2: [.psk]
    case .wpa2WPA3: [.psk, .pskWithoutSAE]
    case .wpa3: [.sae]
    case .enterprise: [.eap]
    case .wep, .enterprise192: []
    }
  }
}
