/// The characteristics of a device, by their 16-bit UUIDs.
package enum ProvisioningCharacteristic: UInt16, CaseIterable, Sendable {
  case ssid = 0xFF01
  case password = 0xFF02
  case control = 0xFF03
  case status = 0xFF04
  case information = 0xFF11
  case session = 0xFF12

  /// What a central may do with a characteristic.
  ///
  /// None has both writes: BlueZ would then answer a write request itself and drop our error.
  package struct Properties: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Self(rawValue: 0x02)
    package static let write = Self(rawValue: 0x08)
    package static let notify = Self(rawValue: 0x10)
  }

  /// The service that holds it.
  package var service: ProvisioningService {
    switch self {
    case .ssid, .password, .control, .status: .plain
    case .information, .session: .secure
    }
  }

  /// What a central may do with it.
  package var properties: Properties {
    switch self {
    case .ssid, .password, .control: .write
    case .status: [.read, .notify]
    case .information: .read
    case .session: [.write, .notify]
    }
  }

  /// The text of its user description descriptor (2901).
  package var userDescription: String {
    switch self {
    case .ssid: "SSID"
    case .password: "Password"
    case .control: "Control"
    case .status: "Status"
    case .information: "Device information"
    case .session: "Session"
    }
  }

  /// How many bytes its value may have.
  package var valueLength: ClosedRange<Int> {
    switch self {
    case .ssid: 1...32
    case .password: 0...128
    case .control: 1...1
    case .status: 10...20
    case .information: 1...500
    case .session: 1...512
    }
  }
}
