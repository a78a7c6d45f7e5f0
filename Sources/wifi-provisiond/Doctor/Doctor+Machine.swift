internal import DeviceState
internal import Glibc
internal import ProvisioningProtocol

/// The files and the clock.
extension Doctor {
  /// 2025; no board has been on before.
  private static let earliestTime = 1_735_689_600

  var configured: Finding {
    switch configuration.security {
    case .open:
      .warning(
        .configuration, "The configuration is right, and lets everybody in reach provision",
        do: "Have a setup code asked for: security = code.")
    case .code, .link: .ok(.configuration, "The configuration is right")
    }
  }

  var setupCode: Finding {
    guard configuration.security == .code else {
      return .ok(.setupCode, "The configuration asks for no setup code")
    }
    let none = Finding.ok(.setupCode, "There is no setup code yet; the daemon's start makes one")
    do throws(StateError) {
      let folder = try StateFolder(configuration.stateFolder)
      guard try folder.storedCode() != nil else { return none }
      let guesses = try folder.wrongGuesses()
      guard guesses < GuessCounter.limit else {
        return .warning(
          .setupCode, "After \(guesses) wrong setup codes, the device is locked for some time",
          do: "End that: `wifi-provisiond open`.")
      }
      return .ok(.setupCode, "There is a setup code, which nobody else may read")
    } catch {
      if error.problem == .missing { return none }
      let advice =
        geteuid() == 0
        ? "Make another one: `wifi-provisiond set-code --generate`; the old label counts no more."
        : "Ask again as root."
      return .error(.setupCode, "The setup code: \(error)", do: advice)
    }
  }

  var clock: Finding { Self.clock(time(nil)) }

  static func clock(_ now: Int) -> Finding {
    guard now >= earliestTime else {
      return .warning(
        .clock, "The clock is in the past, where the certificates of enterprise networks count not",
        do: "Set it, or give it a battery; a network with a password needs no clock.")
    }
    return .ok(.clock, "The clock is right, as far as can be told")
  }

  /// What rfkill keeps off (the kernel's Documentation/ABI/stable/sysfs-class-rfkill).
  var radioSwitches: [Finding] {
    let folder = root + "/sys/class/rfkill"
    let findings = Self.names(in: folder).compactMap { name -> Finding? in
      func value(_ file: String) -> String { Self.text("\(folder)/\(name)/\(file)") ?? "" }
      let kind: String
      switch value("type") {
      case "bluetooth": kind = "bluetooth"
      case "wlan": kind = "wifi"
      default: return nil
      }
      let radio = "\(kind == "wifi" ? "Wi-Fi" : "Bluetooth") (\(value("name")))"
      if value("hard") == "1" {
        return .error(
          .radioSwitch, "\(radio) is off by a switch of the device", do: "Turn the switch on.")
      }
      guard value("soft") == "1" else { return nil }
      return .error(
        .radioSwitch, "\(radio) is off by rfkill", do: "Switch it on: `rfkill unblock \(kind)`.")
    }
    return findings.isEmpty ? [.ok(.radioSwitch, "No radio is off by rfkill")] : findings
  }

  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The first line of a small file.
  static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return text(of: file)
  }

  static func text(of file: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
