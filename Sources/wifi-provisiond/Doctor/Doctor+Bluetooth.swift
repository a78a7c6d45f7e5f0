internal import DBus
internal import Glibc
internal import KeyFile
internal import MainLoop
internal import ProvisioningProtocol

/// bluetoothd, its settings, and the adapter (BlueZ: doc/adapter-api.txt, doc/advertising-api.txt,
/// src/main.conf).
extension Doctor {
  typealias Properties = [String: Value]

  private static let service = "org.bluez"
  private static let adapterInterface = "org.bluez.Adapter1"
  private static let advertisingInterface = "org.bluez.LEAdvertisingManager1"
  private static let programs = [
    "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
  ]

  func bluetooth(
    _ bus: Connection, _ daemon: DaemonStatus?, _ loop: MainLoop
  ) async -> [Finding] {
    let reply: [Value]
    do throws(BusError) {
      reply = try await bus.call(
        Self.service, ObjectPath(literal: "/"), StandardInterface.objectManager,
        "GetManagedObjects")
    } catch {
      if error.isServiceMissing {
        return [
          .error(
            .bluetoothService, "bluetoothd does not run",
            do: "Install bluez, and start it: `systemctl enable --now bluetooth`.")
        ]
      }
      return [
        .error(
          .bluetoothService, "bluetoothd cannot be asked: \(error)",
          do: "Look whether the system bus's policy lets this user talk to org.bluez.")
      ]
    }
    var findings: [Finding] = []
    if let version = await bluetoothVersion(loop) {
      findings.append(Self.bluetooth(version: version, kernel: Self.kernel))
    }
    let path = root + "/etc/bluetooth/main.conf"
    if access(path, R_OK) == 0 { findings += settings(path) }
    var adapters: [String: [String: Properties]] = [:]
    for entry in reply.first?.asEntries ?? [] {
      guard let path = entry.key.asObjectPath, let interfaces = entry.value.asDictionary,
        interfaces[Self.adapterInterface] != nil
      else { continue }
      let name = path.description.split(separator: "/").last.map(String.init) ?? ""
      adapters[name] = interfaces.compactMapValues(\.asDictionary)
    }
    return findings + adapter(adapters, isAdvertising: daemon?.bluetooth == "advertising")
  }

  /// - Parameter adapters: BlueZ's, each with its interfaces and their properties.
  func adapter(_ adapters: [String: [String: Properties]], isAdvertising: Bool) -> [Finding] {
    let advertisers = adapters.filter { $0.value[Self.advertisingInterface] != nil }
    guard
      let name = configuration.adapter ?? advertisers.keys.min() ?? adapters.keys.min(),
      let interfaces = adapters[name], let properties = interfaces[Self.adapterInterface]
    else {
      let wanted = configuration.adapter.map { " \($0)" } ?? ""
      return [
        .error(
          .adapter, "There is no Bluetooth adapter\(wanted)",
          do: "Look for its firmware and driver: `dmesg | grep -i bluetooth`; a chip on a serial"
            + " line needs btattach or hciuart.")
      ]
    }
    guard let manager = interfaces[Self.advertisingInterface] else {
      return [
        .error(
          .adapter, "The adapter \(name) cannot advertise",
          do: "It needs Bluetooth 4.0, and ControllerMode = dual or le in"
            + " /etc/bluetooth/main.conf.")
      ]
    }
    if let roles = properties["Roles"]?.asStrings, !roles.contains("peripheral") {
      return [
        .error(
          .adapter, "The adapter \(name) cannot be a peripheral",
          do: "Take another one: adapter in the configuration.")
      ]
    }
    let power = properties["Powered"]?.asBool == true ? "on" : "off; the daemon switches it on"
    let adapter = Finding.ok(.adapter, "The adapter \(name) can be a peripheral, and is \(power)")
    let active = manager["ActiveInstances"]?.asInteger ?? 0
    let free = manager["SupportedInstances"]?.asInteger ?? 0
    let others = active - (isAdvertising ? 1 : 0)
    guard free > 0 || isAdvertising else {
      return [
        adapter,
        .error(
          .advertising,
          "The adapter \(name) has no free slot for an advertisement; others use \(others)",
          do: "Stop the other program that advertises; if there is none, restart bluetoothd."),
      ]
    }
    return [
      adapter,
      .ok(
        .advertising,
        "Slots for advertisements: \(free) free, \(others) used by other programs"
          + (isAdvertising ? ", one by the daemon" : "")),
    ]
  }

  /// - Parameters:
  ///   - version: such as (5, 66).
  ///   - kernel: its release, such as `6.12.93+rpt-rpi-v8`.
  static func bluetooth(version: (Int, Int), kernel: String) -> Finding {
    let text = "bluetoothd \(version.0).\(version.1)"
    guard version >= (5, 50) else {
      return .error(
        .bluetoothVersion, "\(text) is too old", do: "Update bluez: 5.50 is needed, 5.66 better.")
    }
    if version < (5, 87), rejectsAdvertisements(kernel) {
      return .warning(
        .bluetoothVersion,
        "Kernels like this one, \(kernel), refuse every advertisement of \(text)",
        do: "If the device is not seen, update bluez to 5.87, or the kernel (6.18.37 works).")
    }
    guard version >= (5, 66) else {
      return .warning(
        .bluetoothVersion, "\(text) tells provisioners nothing but ‘failed’ for a refused write",
        do: "Update bluez to 5.66.")
    }
    return .ok(.bluetoothVersion, "\(text) has no known defect that matters here")
  }

  /// Whether the kernel is one of those that check the length of MGMT Add Extended Advertising
  /// Data, which bluetoothd has right since 5.87: seen with 6.12.93 and 6.18.34, mended in 6.18.37.
  private static func rejectsAdvertisements(_ kernel: String) -> Bool {
    let numbers = kernel.prefix { $0.isNumber || $0 == "." }.split(separator: ".")
      .compactMap { Int($0) }
    guard numbers.count >= 3 else { return false }
    switch (numbers[0], numbers[1]) {
    case (6, 12): return numbers[2] >= 93
    case (6, 18): return (34..<37).contains(numbers[2])
    default: return false
    }
  }

  private static var kernel: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// What the program says of itself: bluetoothd does not tell it on the bus.
  private func bluetoothVersion(_ loop: MainLoop) async -> (Int, Int)? {
    let programs = Self.programs.map { root + $0 }
    guard let program = programs.first(where: { access($0, X_OK) == 0 }) else { return nil }
    var ends: [Int32] = [-1, -1]
    // The child closes every descriptor but its own three.
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let child = try? ChildProcess(
      [program, "--version"], standardOutput: ends[1], standardError: ends[1], loop: loop)
    close(ends[1])
    guard let child, await child.end() == .exited(status: 0), let text = Self.text(of: ends[0])
    else { return nil }
    let numbers = text.split(separator: ".").compactMap { Int($0) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  func settings(_ path: String) -> [Finding] {
    let file: KeyFile
    do throws(KeyFileError) {
      file = try KeyFile(path: path)
    } catch {
      return [
        .warning(
          .bluetoothSettings, "bluetoothd's settings cannot be read: \(error)",
          do: "Look at the file: bluetoothd may have ignored it.")
      ]
    }
    func value(_ key: String) -> String? {
      file["General"]?[key].map { String(decoding: $0.value, as: UTF8.self) }
    }
    var findings: [Finding] = []
    if value("ControllerMode") == "bredr" {
      findings.append(
        .error(
          .bluetoothSettings, "\(path) switches Bluetooth Low Energy off",
          do: "Set ControllerMode = dual there, and restart bluetoothd."))
    }
    if configuration.security == .link, value("JustWorksRepairing") ?? "never" == "never" {
      findings.append(
        .warning(
          .bluetoothSettings,
          "A provisioner that has forgotten its pairing with the device cannot pair again",
          do: "Set JustWorksRepairing = always in \(path), or remove the pairing here:"
            + " `bluetoothctl remove ADDRESS`."))
    }
    if configuration.security != .link, value("AlwaysPairable") == "true" {
      findings.append(
        .warning(
          .bluetoothSettings, "Phones may be asked to pair, which provisioning does not need",
          do: "Set AlwaysPairable = false in \(path)."))
    }
    return findings.isEmpty
      ? [.ok(.bluetoothSettings, "Nothing in \(path) is in the way")] : findings
  }
}
