/// Why something of Bluetooth did not work.
public struct BluetoothError: Error, Sendable, Hashable {
  /// What kind of failure it is, as far as a program acts on it.
  public enum Code: Sendable, Hashable {
    /// There is no system bus, or it has gone away.
    case noBus
    /// The Bluetooth service does not run.
    case serviceNotRunning
    /// There is no adapter, or none that was selected.
    case noAdapter
    /// The adapter or the service cannot do this.
    case unsupported
    /// The system does not let this process use Bluetooth.
    case unauthorized
    /// The adapter is switched off.
    case poweredOff
    /// The adapter is switched off by rfkill or by a switch on the machine.
    case blocked
    /// The arguments contradict each other or the specification.
    case invalidArguments
    /// This part of an advertisement does not fit into what is left of the 31 bytes.
    case advertisementTooLong(AdvertisementPart)
    /// The service or the adapter refused the advertisement.
    case advertisingRefused
    /// The service refused the table of services.
    case publishingRefused
    /// A value is longer than what one notification or write carries: `maximum` bytes.
    case valueTooLong(maximum: Int)
    /// Nothing is known of the peripheral, or not any more: scan again.
    case unknownPeripheral
    /// The link did not come up, and may well do when it is tried again.
    case connectionFailed
    /// The link did not come up, and trying again does not help for now.
    case connectionRefused
    /// The link is gone, or was never there.
    case notConnected
    /// The peripheral has no such service or characteristic.
    case attributeNotFound
    /// The peripheral answered with an error.
    case attribute(ATTError)
    /// The peripheral wants an encrypted or paired link for this.
    case pairingRequired
    /// The two sides did not agree while they paired: the passkey is another one, one side refused,
    /// or it has kept a bond that the other one has forgotten.
    case pairingFailed
    /// The peripheral shows a passkey while it pairs, and nobody typed it.
    case passkeyRequired
    /// Another operation of the same kind is under way.
    case busy
    case timedOut
    /// The calling task was cancelled.
    case cancelled
    /// Anything else; the message is all there is to know.
    case failed
  }

  /// The error of the Bluetooth service or of the bus, as it came.
  public struct Cause: Sendable, Hashable, CustomStringConvertible {
    /// The error's D-Bus name, such as `org.bluez.Error.Failed`.
    public let name: String
    /// Its text; may be empty.
    public let message: String

    /// Name and text.
    public var description: String { message.isEmpty ? name : "\(name): \(message)" }
  }

  /// What kind of failure it is.
  public let code: Code
  /// What failed and what to check, for a person.
  public let message: String
  /// What the Bluetooth service or the bus said, where one of them said something.
  public let cause: Cause?

  init(_ code: Code, _ message: String, cause: Cause? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }
}

extension BluetoothError: CustomStringConvertible {
  /// The message, and the cause in parentheses.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
