internal import BluetoothLE
internal import KeyFile
internal import ProvisioningAgent
internal import ProvisioningProtocol

/// What the configuration files say; each value that they leave out has its default.
struct Configuration: Equatable {
  /// In seconds: a day.
  static let longestWindow = 86_400
  static let defaultPath = "/etc/wifi-provisiond.conf"
  static let defaultStateFolder = "/var/lib/wifi-provisiond"
  static let defaultHookFolder = "/etc/wifi-provisiond.hooks.d"

  /// Who may provision the device.
  var security = SecurityMode.code
  /// When the device can be provisioned.
  var opening = OpeningPolicy()
  /// How provisioners pair where they have to.
  var pairing = PairingMethod.justWorks
  /// What is kept of the setup code.
  var codeStorage = CodeStorage.code
  /// The absolute path of the folder that keeps the setup code.
  var stateFolder = defaultStateFolder
  /// The name shown while scanning; nil for one made of the host's name.
  var name: String?
  var model: String?
  var firmware: String?
  /// The kernel's name of the LED that makes the device noticed; nil for none.
  var led: String?
  /// The absolute path of the folder whose programs are run when something happens.
  var hookFolder = defaultHookFolder
  /// Nil for one made of the machine id.
  var id: DeviceID?
  /// BlueZ's name of the adapter, such as `hci0`; nil for the first that can advertise.
  var adapter: String?
  /// The kernel's name of the Wi-Fi device, such as `wlan0`; nil for the first that can join.
  var interface: String?
}

/// Everything that is wrong with the configuration files, in their order.
struct ConfigurationError: Error, Equatable {
  let problems: [KeyFileError]
}

extension Configuration {
  /// Reads a configuration file and its drop-in folder.
  ///
  /// - Parameters:
  ///   - path: the file to read, which then must exist; nil for the default one, which need not.
  ///   - stateFolder: counts before what the files say.
  init(path: String?, stateFolder: String? = nil) throws(ConfigurationError) {
    let file: KeyFile
    do {
      file = try KeyFile(
        pathWithDropIns: path ?? Self.defaultPath, mayBeMissing: path == nil)
    } catch {
      throw ConfigurationError(problems: [error])
    }
    try self.init(file)
    if let stateFolder { self.stateFolder = stateFolder }
  }

  /// Takes the values of a key file.
  init(_ file: KeyFile) throws(ConfigurationError) {
    var reader = Reader()
    for group in file.groups {
      switch group.name {
      case "provisioning":
        reader.take(
          group,
          known: [
            "mode", "offline-after", "window", "ethernet", "security", "pairing", "code-storage",
            "state-folder",
          ])
        opening = reader.opening(group)
        let words: KeyValuePairs<String, SecurityMode> = [
          "code": .code, "link": .link, "open": .open,
        ]
        security =
          reader.value { () throws(KeyFileError) in try group.choice("security", words) } ?? .code
        let methods: KeyValuePairs<String, PairingMethod> = [
          "just-works": .justWorks, "passkey": .passkey,
        ]
        pairing =
          reader.value { () throws(KeyFileError) in try group.choice("pairing", methods) }
          ?? .justWorks
        let storages: KeyValuePairs<String, CodeStorage> = ["code": .code, "verifier": .verifier]
        codeStorage =
          reader.value { () throws(KeyFileError) in try group.choice("code-storage", storages) }
          ?? .code
        stateFolder =
          reader.absolutePath(group, "state-folder") ?? Self.defaultStateFolder
      case "device":
        reader.take(group, known: ["name", "model", "firmware", "id", "led", "hooks"])
        hookFolder = reader.absolutePath(group, "hooks") ?? Self.defaultHookFolder
        name = reader.text(group, "name")
        model = reader.text(group, "model")
        firmware = reader.text(group, "firmware")
        id = reader.value { () throws(KeyFileError) in
          try group.value("id", expected: "12 hexadecimal digits") {
            DeviceID(String(decoding: $0, as: UTF8.self))
          }
        }
        led = reader.value { () throws(KeyFileError) in
          try group.value("led", expected: "the name of a LED in /sys/class/leds") { bytes in
            // The name of one folder, and nothing that leads out of the one it is in.
            guard (1...255).contains(bytes.count), !bytes.contains(UInt8(ascii: "/")),
              let text = String(validating: bytes, as: UTF8.self), text != ".", text != "..",
              !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { return nil }
            return text
          }
        }
      case "bluetooth":
        reader.take(group, known: ["adapter"])
        adapter = reader.value { () throws(KeyFileError) in
          try group.value("adapter", expected: "an adapter’s name such as hci0") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let number = text.utf8.dropFirst(3)
            guard text.hasPrefix("hci"), (1...5).contains(number.count),
              number.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return text
          }
        }
      case "wifi":
        reader.take(group, known: ["interface"])
        interface = reader.value { () throws(KeyFileError) in
          try group.value("interface", expected: "an interface’s name such as wlan0") { bytes in
            // The kernel's rules for a name.
            guard (1...15).contains(bytes.count),
              bytes.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x2f && $0 != 0x3a })
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
          }
        }
      default:
        reader.problems.append(group.error(.unknownGroup))
      }
    }
    if !reader.problems.isEmpty { throw ConfigurationError(problems: reader.problems) }
  }
}

/// Collects problems, so that a person learns of all of them at once.
private struct Reader {
  var problems: [KeyFileError] = []

  mutating func take(_ group: Group, known: Set<String>) {
    problems += group.unknownKeys(known: known)
  }

  mutating func value<Value>(_ read: () throws(KeyFileError) -> Value?) -> Value? {
    do {
      return try read()
    } catch {
      problems.append(error)
      return nil
    }
  }

  mutating func opening(_ group: Group) -> OpeningPolicy {
    var policy = OpeningPolicy()
    let modes: KeyValuePairs<String, OpeningPolicy.Mode> = [
      "offline": .offline, "unprovisioned": .unprovisioned, "always": .always, "manual": .manual,
    ]
    policy.mode =
      value { () throws(KeyFileError) in try group.choice("mode", modes) } ?? policy.mode
    let day = Configuration.longestWindow
    policy.offlineAfter =
      value { () throws(KeyFileError) in try group.integer("offline-after", in: 0...day) }
      .map { .seconds($0) } ?? policy.offlineAfter
    policy.window = value { () throws(KeyFileError) in
      try group.integer("window", in: 0...day)
    }.map { .seconds($0) }
    policy.countsOtherConnections =
      value { () throws(KeyFileError) in try group.boolean("ethernet") }
      ?? policy.countsOtherConnections
    return policy
  }

  mutating func absolutePath(_ group: Group, _ key: String) -> String? {
    value { () throws(KeyFileError) in
      try group.value(key, expected: "an absolute path") {
        $0.first == UInt8(ascii: "/") ? String(validating: $0, as: UTF8.self) : nil
      }
    }
  }

  /// Text of 1 to 64 bytes: what the device says of itself has to fit into 500.
  mutating func text(_ group: Group, _ key: String) -> String? {
    value { () throws(KeyFileError) in
      try group.value(key, expected: "UTF-8 text of 1 to 64 bytes, without control characters") {
        guard (1...64).contains($0.count), let text = String(validating: $0, as: UTF8.self),
          !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return text
      }
    }
  }
}
