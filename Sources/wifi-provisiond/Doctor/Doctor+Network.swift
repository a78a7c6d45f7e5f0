internal import DBus
internal import Glibc

/// NetworkManager, what it may do, and the Wi-Fi device (NetworkManager's D-Bus API reference).
extension Doctor {
  private static let name = "org.freedesktop.NetworkManager"
  private static let path = ObjectPath(literal: "/org/freedesktop/NetworkManager")
  private static let supplicant = "fi.w1.wpa_supplicant1"
  /// What the daemon asks polkit for, by way of NetworkManager.
  private static let actions = [
    "network-control", "settings.modify.system", "wifi.scan", "checkpoint-rollback",
  ]

  func network(_ bus: Connection) async -> [Finding] {
    let manager: Properties
    do throws(BusError) {
      manager = try await properties(of: Self.name, Self.path, Self.name, bus)
    } catch {
      if error.isServiceMissing {
        return [
          .error(
            .networkManager, "NetworkManager does not run",
            do: "Install network-manager, and start it: `systemctl enable --now NetworkManager`.")
        ]
      }
      return [
        .error(
          .networkManager, "NetworkManager cannot be asked: \(error)",
          do: "Look whether the system bus's policy lets this user talk to it.")
      ]
    }
    var findings = [Self.networkManager(manager)]
    let reply = try? await bus.call(Self.name, Self.path, Self.name, "GetPermissions")
    if let answers = reply?.first?.asDictionary {
      findings.append(Self.permissions(answers.compactMapValues(\.asString)))
    }
    var devices: [Properties] = []
    for path in manager["Devices"]?.asObjectPaths ?? [] {
      guard let device = try? await properties(of: Self.name, path, Self.name + ".Device", bus),
        device["DeviceType"]?.asInteger == 2
      else { continue }
      devices.append(device)
    }
    let names = try? await bus.call(
      "org.freedesktop.DBus", ObjectPath(literal: "/org/freedesktop/DBus"), "org.freedesktop.DBus",
      "ListNames")
    findings.append(wifiDevice(devices, busNames: Set(names?.first?.asStrings ?? [])))
    if let country = await country(bus) { findings.append(Self.country(country)) }
    return findings
  }

  private func properties(
    of service: String, _ path: ObjectPath, _ interface: String, _ bus: Connection
  ) async throws(BusError) -> Properties {
    try await bus.call(
      service, path, StandardInterface.properties, "GetAll", [.string(interface)]
    ).first?.asDictionary ?? [:]
  }

  static func networkManager(_ properties: Properties) -> Finding {
    if properties["NetworkingEnabled"]?.asBool == false {
      return .error(
        .networkManager, "NetworkManager's networking is switched off",
        do: "Switch it on: `nmcli networking on`.")
    }
    if properties["WirelessHardwareEnabled"]?.asBool == false {
      return .error(
        .networkManager, "Wi-Fi is off by a switch of the device or by rfkill",
        do: "Turn the switch on, or `rfkill unblock wifi`.")
    }
    if properties["WirelessEnabled"]?.asBool == false {
      return .error(
        .networkManager, "NetworkManager's Wi-Fi is switched off",
        do: "Switch it on: `nmcli radio wifi on`.")
    }
    let version = properties["Version"]?.asString ?? "of an unknown version"
    let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
    if numbers.count == 2, (numbers[0], numbers[1]) < (1, 30) {
      return .warning(
        .networkManager, "NetworkManager \(version) is older than what is tested",
        do: "Update it to 1.30.")
    }
    return .ok(.networkManager, "NetworkManager \(version) runs")
  }

  /// - Parameter answers: polkit's for the user who asks, by action.
  static func permissions(_ answers: [String: String]) -> Finding {
    let refused = actions.filter { action in
      answers["\(name).\(action)"].map { $0 != "yes" } ?? false
    }
    guard refused.isEmpty else {
      return .error(
        .permissions, "polkit does not let this user: \(refused.joined(separator: ", "))",
        do: "Run the daemon as root, or add a rule for its user to /etc/polkit-1/rules.d.")
    }
    return .ok(.permissions, "This user may do with NetworkManager what the daemon needs")
  }

  /// - Parameters:
  ///   - devices: NetworkManager's Wi-Fi devices.
  ///   - busNames: what is on the system bus.
  func wifiDevice(_ devices: [Properties], busNames: Set<String>) -> Finding {
    let wanted = configuration.interface
    let device = devices.first { device in
      wanted.map { $0 == device["Interface"]?.asString } ?? (device["State"]?.asInteger ?? 0 > 20)
    }
    guard let device = device ?? (wanted == nil ? devices.first : nil) else {
      return .error(
        .wifiDevice, "NetworkManager knows no Wi-Fi device\(wanted.map { " \($0)" } ?? "")",
        do: "Look for its firmware and driver: `ip link`, `dmesg`.")
    }
    let name = device["Interface"]?.asString ?? "?"
    let others = [
      ("net.connman.iwd", "iwd"), ("net.connman", "connman"),
      ("org.freedesktop.network1", "systemd-networkd"),
    ].filter { busNames.contains($0.0) }.map(\.1)
    switch device["State"]?.asInteger ?? 0 {
    case 10:
      let owner = others.isEmpty ? "" : "; it may be for \(others.joined(separator: " or "))"
      return .error(
        .wifiDevice, "NetworkManager leaves \(name) alone\(owner)",
        do: "`nmcli device set \(name) managed yes` lasts until the next boot; look for \(name) in"
          + " /etc/network/interfaces, and for unmanaged-devices in /etc/NetworkManager.")
    case 20 where device["FirmwareMissing"]?.asBool == true:
      return .error(
        .wifiDevice, "The firmware of \(name) is missing", do: "`dmesg` names it; install it.")
    case 20:
      let hasSupplicant = busNames.contains(Self.supplicant) || others.contains("iwd")
      return .error(
        .wifiDevice, "\(name) cannot be used yet",
        do: hasSupplicant
          ? "Look at rfkill, and at `journalctl -u NetworkManager`."
          : "Install wpasupplicant: NetworkManager joins no network without it.")
    default: return .ok(.wifiDevice, "\(name) can join networks")
    }
  }

  /// The supplicant's regulatory domain; nil where it does not tell.
  private func country(_ bus: Connection) async -> String? {
    let interfaces = try? await bus.property(
      "Interfaces", of: Self.supplicant, Self.supplicant,
      ObjectPath(literal: "/fi/w1/wpa_supplicant1"), timeout: .seconds(5))
    guard let path = interfaces?.asObjectPaths?.first else { return nil }
    return try? await bus.property(
      "Country", of: Self.supplicant + ".Interface", Self.supplicant, path, timeout: .seconds(5)
    ).asString
  }

  static func country(_ code: String) -> Finding {
    guard code.utf8.count == 2, code != "00" else {
      return .warning(
        .country, "No country is set, so that some channels are not used",
        do: "Set it: `iw reg set DE`, or cfg80211.ieee80211_regdom=DE on the kernel's command line."
      )
    }
    return .ok(.country, "The country is \(code)")
  }
}
