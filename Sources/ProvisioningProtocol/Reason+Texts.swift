extension Reason {
  /// What the program says for a reason.
  struct Texts: Sendable {
    var name: String
    var explanation: String
    var advice: String

    init(_ name: String, _ explanation: String, _ advice: String) {
      self.name = name
      self.explanation = explanation
      self.advice = advice
    }
  }

  /// The one table of words, by number.
  static let texts: [UInt8: Texts] = [
    0x00: Texts("none", "", ""),
    0x01: Texts(
      "ssid-length",
      "A network name has 1 to 32 bytes.",
      "Check the network name; letters beyond ASCII take two to four bytes each."),
    0x02: Texts(
      "password-format",
      "The password cannot be the one of this network.",
      "WPA2 takes 8 to 63 characters or 64 hexadecimal digits, an open network takes none."),
    0x03: Texts(
      "setup-code-required",
      "The device accepts no credentials without its setup code.",
      "Use the setup code from the label, or set `security` in the device's configuration."),
    0x04: Texts(
      "locked-out",
      "The device is locked after too many wrong setup codes.",
      "Wait, then try again with the code from the label."),
    0x05: Texts("cancelled", "The attempt was cancelled.", "Start again when you are ready."),
    0x06: Texts(
      "busy",
      "Another provisioner is using the device.",
      "Wait until it is done; a silent one loses the device after a minute."),
    0x07: Texts(
      "malformed-message",
      "The device could not read what it was sent.",
      "Use versions of both programs that belong together."),
    0x08: Texts(
      "not-now",
      "The device cannot do that at this moment.",
      "Write the network name, then the password, then connect; wait for a running attempt to end."),
    0x09: Texts(
      "unsupported",
      "The device does not offer that.",
      "See which features the device lists in its information."),
    0x0A: Texts(
      "invalid-settings",
      "What was said of the network cannot be right.",
      "Compare the settings with what the network's administrator says."),

    0x10: Texts(
      "network-not-found",
      "The device does not see this network.",
      "Check the network name, and whether the device is in reach and uses the same band."),
    0x11: Texts(
      "wrong-password", "The Wi-Fi password is wrong.", "Check the password and try again."),
    0x12: Texts(
      "out-of-range",
      "The network went out of reach during the attempt.",
      "Move the device or the access point closer, then try again."),
    0x13: Texts(
      "access-point-refused",
      "The access point turned the device away.",
      "See whether the access point is full or filters devices by their addresses."),
    0x14: Texts(
      "hidden-network-silent",
      "The hidden network did not answer.",
      "Check the network name letter by letter, and that the device is in reach."),
    0x15: Texts(
      "superseded",
      "Another connection was started on the device meanwhile.",
      "Let the other connection settle, then try again."),
    0x16: Texts(
      "rejected",
      "The access point rejected the device: the password or the access point's settings.",
      "Check the password first, then the access point's security settings."),
    0x17: Texts(
      "no-address",
      "The network gave the device no address.",
      "Check the DHCP server of the network, often the router itself."),
    0x18: Texts(
      "address-conflict",
      "The address that the device got is in use by another device.",
      "Restart the router, or free the address in its settings."),
    0x19: Texts(
      "timed-out", "The attempt took too long.", "Try again, closer to the access point."),
    0x1A: Texts(
      "security-not-supported",
      "The device does not support the security of this network.",
      "Choose WPA2 or WPA3 at the access point, or another network."),
    0x1B: Texts(
      "enterprise-refused",
      "The network refused the identity or the certificate.",
      "Check the identity, its password, and the certificates."),

    0x20: Texts(
      "radio-blocked",
      "The device's Wi-Fi radio is switched off.",
      "Unblock it on the device: `rfkill unblock wifi`, or its switch."),
    0x21: Texts(
      "no-wifi-device",
      "The device has no Wi-Fi interface that it can use.",
      "Check the adapter, its driver and its firmware on the device."),
    0x22: Texts(
      "wifi-device-not-managed",
      "NetworkManager does not manage the device's Wi-Fi interface.",
      "Remove the interface from `unmanaged-devices` and from other network services."),
    0x23: Texts(
      "no-country",
      "No Wi-Fi country is set on the device.",
      "Set the country where the device is, for instance with `iw reg set`."),
    0x24: Texts(
      "network-manager-not-running",
      "NetworkManager is not running on the device.",
      "Start it on the device: `systemctl start NetworkManager`."),
    0x25: Texts(
      "permission-denied",
      "The provisioning service may not change the device's network.",
      "Install the service's polkit rule on the device."),
    0x26: Texts(
      "not-saved",
      "The device is connected, but could not save the network.",
      "Make room or allow writing on the device, then set the network up again."),
    0x30: Texts(
      "internal-error",
      "Something went wrong inside the device.",
      "Look into the device's log: `journalctl -u wifi-provisiond`."),
  ]
}
