internal import CommandLineOptions
internal import ProvisioningProtocol

extension Settings {
  /// A kind of network to join; nil for whatever the device sees.
  private struct SecurityChoice: Sendable { let security: NetworkSecurity? }

  static let ssidOption = Option.bytes(
    "ssid", placeholder: "SSID", summary: "Name of the Wi-Fi network")
  static let ssidHexOption = Option<[UInt8]>(
    "ssid-hex", placeholder: "HEX", summary: "The same as hexadecimal digits, for any bytes",
    expected: "pairs of hexadecimal digits", convert: bytes(ofHex:))
  private static let currentOption = Option.flag(
    "use-current-network", summary: "Take the network that this machine is in")
  private static let standardInputOption = Option.flag(
    "password-stdin", summary: "Read the Wi-Fi password from standard input")
  private static let fileOption = Option.bytes(
    "password-file", placeholder: "FILE", summary: "Read the Wi-Fi password from FILE")
  private static let openOption = Option.flag("open", summary: "The network has no password")
  private static let securityOption = Option<SecurityChoice>(
    "security", placeholder: "KIND",
    summary: "Join this kind alone: open, owe, wpa-psk, sae or wpa-eap",
    expected: "auto, open, owe, wpa-psk, sae or wpa-eap",
    convert: { bytes in
      if bytes == Array("auto".utf8) { return SecurityChoice(security: nil) }
      return word(bytes).map { SecurityChoice(security: $0) }
    })
  private static let hiddenOption = Option.flag(
    "hidden", summary: "The network does not tell its name by itself")
  private static let priorityOption = Option.integer(
    "priority", placeholder: "N", summary: "Of several networks the device prefers the highest",
    in: -999...999)

  private static let methodOption = Option<EAPMethod>(
    "eap", placeholder: "METHOD", summary: "The network has 802.1X: peap, ttls or tls",
    expected: "peap, ttls or tls", convert: word)
  private static let identityOption = Option.text(
    "identity", placeholder: "NAME", summary: "The device's name at the network")
  private static let anonymousOption = Option.text(
    "anonymous-identity", placeholder: "NAME", summary: "What everybody in reach may hear instead")
  private static let phase2Option = Option<Phase2Method>(
    "phase2", placeholder: "PROOF", summary: "Inside: mschapv2 (by default), pap or gtc",
    expected: "mschapv2, pap or gtc", convert: word)
  private static let caOption = Option.bytes(
    "ca-cert", placeholder: "FILE", summary: "What has signed the network's certificate")
  private static let systemCAOption = Option.flag(
    "system-ca", summary: "Believe whom the device's system believes; needs --domain")
  private static let domainOption = Option.text(
    "domain", placeholder: "NAME", summary: "What the network's certificate is for")
  private static let unvalidatedOption = Option.flag(
    "no-server-validation", summary: "Believe whoever says to be the network")
  private static let certificateOption = Option.bytes(
    "client-cert", placeholder: "FILE", summary: "With tls: the device's certificate")
  private static let keyOption = Option.bytes(
    "key", placeholder: "FILE", summary: "With tls: the key of that certificate")

  private static let ipv4Option = Option<IPv4Configuration>(
    "ipv4", placeholder: "HOW", summary: "ADDRESS/PREFIX, auto, optional or off",
    expected: "an address and its prefix such as 192.0.2.7/24, auto, optional or off",
    convert: { bytes in
      switch String(decoding: bytes, as: UTF8.self) {
      case "auto": .automatic
      case "optional": .optional
      case "off": .off
      case let text: manual(text).map { .manual($0) }
      }
    })
  private static let ipv6Option = Option<IPv6Configuration>(
    "ipv6", placeholder: "HOW", summary: "ADDRESS/PREFIX, auto or off",
    expected: "an address and its prefix such as 2001:db8::7/64, auto or off",
    convert: { bytes in
      switch String(decoding: bytes, as: UTF8.self) {
      case "auto": .automatic
      case "off": .off
      case let text: manual(text).map { .manual($0) }
      }
    })
  private static let gatewayOption = Option<[IPAddress]>(
    "gateway", placeholder: "ADDRESSES", summary: "The gateways, with commas between them",
    expected: "addresses with commas between them", convert: addresses)
  private static let dnsOption = Option<[IPAddress]>(
    "dns", placeholder: "ADDRESSES", summary: "The name servers, with commas between them",
    expected: "addresses with commas between them", convert: addresses)

  private static let enterpriseOptions: [any OptionDeclaration] = [
    identityOption, anonymousOption, phase2Option, caOption, systemCAOption, domainOption,
    unvalidatedOption, certificateOption, keyOption,
  ]
  /// What describes a network beyond its name and its password.
  private static let detailOptions: [any OptionDeclaration] =
    [securityOption, hiddenOption, methodOption] + enterpriseOptions + [
      ipv4Option, ipv6Option, gatewayOption, dnsOption, priorityOption,
    ]
  /// What describes a network.
  static let networkOptions: [any OptionDeclaration] =
    [
      ssidOption, ssidHexOption, currentOption, standardInputOption, fileOption, openOption,
    ] + detailOptions

  /// The network to join; nil for the one that this machine is in.
  static func network(
    _ invocation: Invocation, insecure: Bool
  ) throws(UsageError) -> NetworkInput? {
    if invocation[currentOption] {
      let others = networkOptions.filter { $0.name != currentOption.name }
      if let other = others.first(where: { invocation.has($0) }) {
        throw UsageError(
          "--use-current-network says all of the network: leave out --\(other.name)",
          command: invocation.command)
      }
      guard !insecure else {
        throw UsageError(
          "--use-current-network is not for --insecure", command: invocation.command)
      }
      return nil
    }
    let ssid = try ssid(invocation)
    if insecure, let detail = detailOptions.first(where: { invocation.has($0) }) {
      throw UsageError(
        "--insecure sends a name and a password alone: leave out --\(detail.name)",
        command: invocation.command)
    }
    var network = NetworkDescription(
      ssid: ssid, security: invocation[securityOption]?.security,
      isHidden: invocation[hiddenOption], enterprise: try enterprise(invocation),
      priority: invocation[priorityOption].map { Int32($0) })
    network.ipv4 = invocation[ipv4Option] ?? .automatic
    network.ipv6 = invocation[ipv6Option] ?? .automatic
    try addServers(to: &network, invocation)
    return NetworkInput(
      network, password: try password(invocation, network),
      caCertificate: invocation[caOption], clientCertificate: invocation[certificateOption],
      clientKey: invocation[keyOption])
  }

  private static func enterprise(
    _ invocation: Invocation
  ) throws(UsageError) -> EnterpriseCredentials? {
    guard let method = invocation[methodOption] else {
      if let option = enterpriseOptions.first(where: { invocation.has($0) }) {
        throw UsageError("--\(option.name) needs --eap", command: invocation.command)
      }
      if invocation[securityOption]?.security == .wpaEAP {
        throw UsageError("--security wpa-eap needs --eap", command: invocation.command)
      }
      return nil
    }
    guard let identity = invocation[identityOption] else {
      throw UsageError("--eap needs --identity", command: invocation.command)
    }
    if invocation[caOption] == nil, !invocation[systemCAOption], !invocation[unvalidatedOption] {
      throw UsageError(
        """
        --eap needs --ca-cert, or --system-ca and --domain, to know the network by; \
        --no-server-validation goes without, and whoever takes its name gets at the password
        """, command: invocation.command)
    }
    return EnterpriseCredentials(
      method: method, identity: identity, anonymousIdentity: invocation[anonymousOption],
      phase2: invocation[phase2Option], domainSuffix: invocation[domainOption],
      usesSystemCAs: invocation[systemCAOption], skipsValidation: invocation[unvalidatedOption])
  }

  /// Gives each family its gateway and its name servers.
  private static func addServers(
    to network: inout NetworkDescription, _ invocation: Invocation
  ) throws(UsageError) {
    let gateways = invocation[gatewayOption] ?? []
    let servers = invocation[dnsOption] ?? []
    let (gateways4, gateways6) = split(gateways)
    let (servers4, servers6) = split(servers)
    if case .manual(var address) = network.ipv4 {
      address.gateway = gateways4.first
      address.dns = servers4
      network.ipv4 = .manual(address)
    } else if !gateways4.isEmpty || !servers4.isEmpty {
      throw UsageError(
        "a gateway or a name server needs an address: --ipv4", command: invocation.command)
    }
    if case .manual(var address) = network.ipv6 {
      address.gateway = gateways6.first
      address.dns = servers6
      network.ipv6 = .manual(address)
    } else if !gateways6.isEmpty || !servers6.isEmpty {
      throw UsageError(
        "a gateway or a name server needs an address: --ipv6", command: invocation.command)
    }
    guard gateways4.count <= 1, gateways6.count <= 1 else {
      throw UsageError("an address has one gateway", command: invocation.command)
    }
  }

  private static func split(_ addresses: [IPAddress]) -> ([IPv4Address], [IPv6Address]) {
    (
      addresses.compactMap { if case .v4(let address) = $0 { address } else { nil } },
      addresses.compactMap { if case .v6(let address) = $0 { address } else { nil } }
    )
  }

  static func ssid(_ invocation: Invocation) throws(UsageError) -> SSID {
    let bytes: [UInt8]
    switch (invocation[ssidOption], invocation[ssidHexOption]) {
    case (let given?, nil), (nil, let given?): bytes = given
    case (nil, nil): throw UsageError("--ssid is missing", command: invocation.command)
    case (_?, _?):
      throw UsageError("give one of --ssid and --ssid-hex", command: invocation.command)
    }
    do throws(SSID.FormatError) {
      return try SSID(bytes)
    } catch {
      throw UsageError(
        "an SSID has 1 to 32 bytes, this one \(bytes.count)", command: invocation.command)
    }
  }

  private static func password(
    _ invocation: Invocation, _ network: NetworkDescription
  ) throws(UsageError) -> SecretSource? {
    let file = invocation[fileOption]
    let isOpen = network.security == .open || network.security == .owe
    let given = [
      invocation[standardInputOption], file != nil, invocation[openOption] || isOpen,
    ]
    guard given.count(where: { $0 }) <= 1 else {
      throw UsageError(
        isOpen
          ? "a network of this kind has no password"
          : "give one of --password-stdin, --password-file and --open",
        command: invocation.command)
    }
    if invocation[openOption] || isOpen {
      guard network.enterprise == nil, isOpen || network.security == nil else {
        throw UsageError(
          "a network of this kind has a password: leave out --open", command: invocation.command)
      }
      return nil
    }
    if invocation[standardInputOption] { return .standardInput }
    if let file { return .file(file) }
    return network.enterprise?.method == .tls ? nil : .terminal
  }

  private static func word<Word: RawRepresentable<String>>(_ bytes: [UInt8]) -> Word? {
    Word(rawValue: String(decoding: bytes, as: UTF8.self))
  }

  private static func manual<Address: InternetAddress>(_ text: String) -> ManualAddress<Address>? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = Address(String(parts[0])),
      let prefix = UInt8(String(parts[1]))
    else { return nil }
    return ManualAddress(address: address, prefixLength: prefix)
  }

  private static func addresses(_ bytes: [UInt8]) -> [IPAddress]? {
    let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let addresses = parts.compactMap { IPAddress(String(decoding: $0, as: UTF8.self)) }
    return addresses.count == parts.count ? addresses : nil
  }
}
