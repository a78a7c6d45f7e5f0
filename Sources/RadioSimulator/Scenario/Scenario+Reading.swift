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
        accessPoints.append(try SimulatedAccessPoint(group, name: word))
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
    try group.allow(["network-manager", "device", "managed", "radio"])
    self.init(
      hasNetworkManager: try group.boolean("network-manager") ?? true,
      hasDevice: try group.boolean("device") ?? true,
      isManaged: try group.boolean("managed") ?? true,
      isRadioOn: try group.boolean("radio") ?? true)
  }
}

extension SimulatedAccessPoint {
  fileprivate init(_ group: Group, name: String) throws(KeyFileError) {
    try group.allow([
      "ssid", "ssid-hex", "security", "password", "hidden", "refuses", "dhcp", "internet",
      "frequency", "strength",
    ])
    guard let entry = group["ssid"] ?? group["ssid-hex"], let ssid = try group.bytes("ssid") else {
      throw group.error(.missingKey, key: "ssid")
    }
    guard (1...32).contains(ssid.count) else {
      throw group.error(.invalidValue(expected: "1 to 32 bytes"), at: entry)
    }
    let security = try group.word("security", Security.self) ?? .open
    let password = try group.text("password")
    switch security {
    case .open, .owe:
      if let entry = group["password"] {
        throw group.error(
          .invalidValue(expected: "no password where security is \(security.rawValue)"), at: entry)
      }
    case .wpa2, .wpa2AndWPA3, .wpa3:
      if password == nil { throw group.error(.missingKey, key: "password") }
    }
    self.init(
      name: name, ssid: ssid, security: security, password: password,
      isHidden: try group.boolean("hidden") ?? false,
      refusesStations: try group.boolean("refuses") ?? false,
      hasDHCP: try group.boolean("dhcp") ?? true,
      internet: try group.word("internet", Internet.self) ?? .full,
      frequency: UInt32(clamping: try group.integer("frequency", in: 2412...7115) ?? 2437),
      strength: UInt8(clamping: try group.integer("strength", in: 0...100) ?? 70))
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
}
