/// Why an attempt or a write failed, as the status value says it.
///
/// Later minor versions may add values; an unknown one is kept, named by its number and shown.
package struct Reason: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let none = Self(rawValue: 0x00)
  package static let ssidLength = Self(rawValue: 0x01)
  /// The password cannot be one for this network: its length, its characters, or that there is one.
  package static let passwordFormat = Self(rawValue: 0x02)
  package static let setupCodeRequired = Self(rawValue: 0x03)
  package static let lockedOut = Self(rawValue: 0x04)
  package static let cancelled = Self(rawValue: 0x05)
  package static let busy = Self(rawValue: 0x06)
  package static let malformedMessage = Self(rawValue: 0x07)
  /// A write came out of order.
  package static let notNow = Self(rawValue: 0x08)
  /// A request that this device does not know or does not offer.
  package static let unsupported = Self(rawValue: 0x09)
  /// The description of a network makes no sense.
  package static let invalidSettings = Self(rawValue: 0x0A)

  package static let networkNotFound = Self(rawValue: 0x10)
  /// The handshake itself showed it.
  package static let wrongPassword = Self(rawValue: 0x11)
  package static let outOfRange = Self(rawValue: 0x12)
  package static let accessPointRefused = Self(rawValue: 0x13)
  package static let hiddenNetworkSilent = Self(rawValue: 0x14)
  package static let superseded = Self(rawValue: 0x15)
  /// The password or the access point's settings: the evidence does not allow more.
  package static let rejected = Self(rawValue: 0x16)
  package static let noAddress = Self(rawValue: 0x17)
  package static let addressConflict = Self(rawValue: 0x18)
  package static let timedOut = Self(rawValue: 0x19)
  package static let securityNotSupported = Self(rawValue: 0x1A)
  package static let enterpriseRefused = Self(rawValue: 0x1B)

  package static let radioBlocked = Self(rawValue: 0x20)
  package static let noWiFiDevice = Self(rawValue: 0x21)
  package static let wiFiDeviceNotManaged = Self(rawValue: 0x22)
  package static let noCountry = Self(rawValue: 0x23)
  package static let networkManagerNotRunning = Self(rawValue: 0x24)
  package static let permissionDenied = Self(rawValue: 0x25)
  /// Beside the state `connected`: the network works, and is lost with the next start.
  package static let notSaved = Self(rawValue: 0x26)
  package static let internalError = Self(rawValue: 0x30)

  /// The reasons of this version, by their numbers.
  package static var allCases: [Reason] { texts.keys.map(Reason.init).sorted() }

  /// The word for it in JSON, in kebab-case.
  package var name: String {
    Self.texts[rawValue]?.name ?? "unknown-\(hexadecimal([rawValue]))"
  }

  /// A sentence for a person on what happened; empty for `none`.
  package var explanation: String {
    Self.texts[rawValue]?.explanation
      ?? "The device gave a reason that this program does not know (0x\(hexadecimal([rawValue])))."
  }

  /// A sentence for a person on what to do next; empty for `none`.
  package var advice: String {
    Self.texts[rawValue]?.advice
      ?? "Look into the device's log, or use a newer version of this program."
  }
}

extension Reason: Comparable {
  /// Orders by number.
  package static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
}
