/// What the provisioner is about, for messages.
package enum Step: Sendable, Equatable {
  /// Listening for the device.
  case search
  /// Bringing the link up and learning what the device offers.
  case connect
  case readInformation
  case readStatus
  /// Subscribing to the status.
  case subscribe
  /// Having the link paired and encrypted.
  case pair
  case sendSSID
  case sendPassword
  /// Asking the device to join.
  case sendControl
  /// Proving the setup code, in both directions.
  case handshake
  /// Waiting for the device to answer a request.
  case request
  /// Waiting for what becomes of the device's attempt.
  case awaitOutcome
}
