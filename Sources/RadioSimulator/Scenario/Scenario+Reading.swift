package import KeyFile

extension Scenario {
  /// Reads a scenario file.
  ///
  /// A file without an `adapter` group has the adapters `hci0` and `hci1`.
  ///
  /// - Throws: what is wrong, with its file, line and key.
  package init(path: String) throws(KeyFileError) {
    try self.init(KeyFile(path: path), path: path)
  }

  /// Understands a key file.
  ///
  /// - Parameter path: the file's path, for errors and the default name.
  package init(_ file: KeyFile, path: String) throws(KeyFileError) {
    let fileName = path.split(separator: "/").last.map { String($0) } ?? path
    self.init(name: fileName.split(separator: ".").first.map { String($0) } ?? fileName)
    var described: [SimulatedAdapter] = []
    for group in file.groups {
      let words = group.name.split(separator: " ", maxSplits: 1).map { String($0) }
      switch (words.first, words.dropFirst().first) {
      case ("scenario", nil):
        try group.allow(["name", "summary"])
        name = try group.text("name") ?? name
        summary = try group.text("summary") ?? ""
      case ("adapter", let word?):
        described.append(try SimulatedAdapter(group, name: word))
      case ("board", nil):
        try group.allow(["security"])
        security = try group.word("security", BoardSecurity.self) ?? .code
      case ("wifi", nil): station = try SimulatedStation(group)
      case ("access-point", let word?):
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let point = try SimulatedAccessPoint(
          group, name: word, folder: folder.isEmpty ? "." : folder.joined(separator: "/"))
        accessPoints += point.copies(try group.integer("copies", in: 1...250) ?? 1)
      case ("step", let word?): steps.append(try ScenarioStep(group, name: word))
      default: throw group.error(.unknownGroup)
      }
    }
    if !described.isEmpty { adapters = described }
  }
}

extension SimulatedAdapter {
  fileprivate init(_ group: Group, name: String) throws(KeyFileError) {
    try group.allow(["address", "powered", "low-energy", "mtu"])
    guard name.hasPrefix("hci"), let index = UInt8(name.dropFirst(3)) else {
      throw group.error(.invalidValue(expected: "a group such as [adapter hci0]"))
    }
    let address = try group.value(
      "address", expected: "an address such as 00:AA:01:00:00:01", Self.address)
    self.init(
      index, address: address, isPowered: try group.boolean("powered") ?? true,
      hasLowEnergy: try group.boolean("low-energy") ?? true,
      mtu: UInt16(clamping: try group.integer("mtu", in: 23...517) ?? 517))
  }

  private static func address(_ bytes: [UInt8]) -> String? {
    let parts = String(decoding: bytes, as: UTF8.self)
      .split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) })
    else { return nil }
    return parts.joined(separator: ":").uppercased()
  }
}

extension SimulatedStation {
  fileprivate init(_ group: Group) throws(KeyFileError) {
    try group.allow([
      "network-manager", "device", "ethernet", "managed", "radio", "permission", "storage",
      "supplicant",
    ])
    self.init(
      hasNetworkManager: try group.boolean("network-manager") ?? true,
      hasDevice: try group.boolean("device") ?? true,
      hasEthernet: try group.boolean("ethernet") ?? false,
      isManaged: try group.boolean("managed") ?? true,
      isRadioOn: try group.boolean("radio") ?? true,
      isPermitted: try group.boolean("permission") ?? true,
      hasWritableStorage: try group.choice("storage", ["writable": true, "read-only": false])
        ?? true,
      hasSupplicant: try group.choice("supplicant", ["heard": true, "silent": false]) ?? true)
  }
}

extension SimulatedAccessPoint {
  private static let keys: Set = [
    "ssid", "ssid-hex", "security", "password", "hidden", "mode", "refuses", "sae-fails", "dhcp",
    "ipv6", "address", "internet", "frequency", "strength", "copies",
  ]

  /// - Parameter folder: where the files are that it names.
  fileprivate init(_ group: Group, name: String, folder: String) throws(KeyFileError) {
    let security = try group.word("security", Security.self) ?? .open
    let isEnterprise = security == .wpa2Enterprise
    try group.allow(Self.keys.union(isEnterprise ? EnterpriseNetwork.keys : []))
    guard let entry = group["ssid"] ?? group["ssid-hex"], let ssid = try group.bytes("ssid") else {
      throw group.error(.missingKey, key: "ssid")
    }
    guard (1...32).contains(ssid.count) else {
      throw group.error(.invalidValue(expected: "1 to 32 bytes"), at: entry)
    }
    let password = try group.text("password")
    if security.hasPassword, password == nil { throw group.error(.missingKey, key: "password") }
    if !security.hasPassword, !isEnterprise, let entry = group["password"] {
      throw group.error(
        .invalidValue(expected: "no password where security is \(security.rawValue)"), at: entry)
    }
    self.init(
      name: name, ssid: ssid, security: security, password: isEnterprise ? nil : password,
      enterprise: isEnterprise ? try EnterpriseNetwork(group, folder: folder) : nil,
      isHidden: try group.boolean("hidden") ?? false,
      isAdHoc: try group.choice("mode", ["infrastructure": false, "ad-hoc": true]) ?? false,
      refusesStations: try group.boolean("refuses") ?? false,
      failsSAE: try group.boolean("sae-fails") ?? false,
      hasDHCP: try group.boolean("dhcp") ?? true,
      hasIPv6: try group.boolean("ipv6") ?? false,
      hasAddressConflict: try group.choice("address", ["free": false, "conflict": true]) ?? false,
      internet: try group.word("internet", Internet.self) ?? .full,
      frequency: UInt32(clamping: try group.integer("frequency", in: 2412...7115) ?? 2437),
      strength: UInt8(clamping: try group.integer("strength", in: 0...100) ?? 70))
  }

  /// Several of the kind, each with a number of its own after its names.
  fileprivate func copies(_ count: Int) -> [SimulatedAccessPoint] {
    (1...count).map { number in
      guard number > 1 else { return self }
      var copy = self
      let suffix = Array(" \(number)".utf8)
      copy.name += " \(number)"
      copy.ssid = ssid.prefix(32 - suffix.count) + suffix
      return copy
    }
  }
}

extension EnterpriseNetwork {
  fileprivate static let keys: Set = [
    "eap", "phase2", "identity", "ca-cert", "server-name", "client-cert",
  ]

  fileprivate init(_ group: Group, folder: String) throws(KeyFileError) {
    let methods = try group.words("eap", Method.self) ?? [.peap]
    guard let identity = try group.text("identity") else {
      throw group.error(.missingKey, key: "identity")
    }
    self.init(
      methods: methods, innerMethods: try group.words("phase2", InnerMethod.self) ?? [.mschapv2],
      identity: identity, password: try group.text("password"),
      caCertificate: try group.file("ca-cert", in: folder),
      serverName: try group.text("server-name") ?? "radius.example",
      clientCertificate: try group.file("client-cert", in: folder))
    if methods != [.tls], password == nil { throw group.error(.missingKey, key: "password") }
    if methods.contains(.tls), clientCertificate == nil {
      throw group.error(.missingKey, key: "client-cert")
    }
  }
}

extension ScenarioStep {
  fileprivate init(_ group: Group, name: String) throws(KeyFileError) {
    try group.allow(["run", "stdin", "exit", "state", "reason"])
    guard let entry = group["run"], let line = try group.text("run") else {
      throw group.error(.missingKey, key: "run")
    }
    guard let arguments = words(of: line) else {
      throw group.error(.invalidValue(expected: "closed quotation marks"), at: entry)
    }
    self.init(
      name: name, arguments: arguments, input: try group.text("stdin"),
      exitStatus: try group.integer("exit", in: 0...255).map { Int32(clamping: $0) },
      state: try group.text("state"), reason: try group.text("reason"))
  }
}

extension Group {
  fileprivate func allow(_ keys: Set<String>) throws(KeyFileError) {
    if let error = unknownKeys(known: keys).first { throw error }
  }

  fileprivate func word<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ type: Choice.Type
  ) throws(KeyFileError) -> Choice? {
    let expected = type.allCases.map(\.rawValue).joined(separator: ", ")
    return try value(key, expected: expected) {
      Choice(rawValue: String(decoding: $0, as: UTF8.self))
    }
  }

  /// Words with blanks between them.
  fileprivate func words<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ type: Choice.Type
  ) throws(KeyFileError) -> [Choice]? {
    let expected = "words out of " + type.allCases.map(\.rawValue).joined(separator: ", ")
    return try value(key, expected: expected) { bytes in
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      let choices = words.compactMap { Choice(rawValue: String($0)) }
      return choices.count == words.count && !words.isEmpty ? choices : nil
    }
  }

  /// What is in the file that a key names.
  fileprivate func file(_ key: String, in folder: String) throws(KeyFileError) -> [UInt8]? {
    try value(key, expected: "a file that can be read") { bytes in
      let path = String(decoding: bytes, as: UTF8.self)
      return FileContents.read(path.hasPrefix("/") ? path : folder + "/" + path)
    }
  }
}
