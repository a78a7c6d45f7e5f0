package import ProvisioningProtocol

/// Why a command ended before the device could report on its Wi-Fi.
package enum ProvisionerError: Error, Sendable, Equatable {
  /// No radio can be used.
  case adapter(AdapterProblem)
  /// The device was not heard; these others were.
  case deviceNotFound(DeviceName, others: [DeviceSighting])
  /// More than one device bears the name: an id says which is meant.
  case ambiguous(DeviceName, candidates: [DeviceSighting])
  /// The connection could not be made.
  case connectionFailed(CentralError)
  /// The device lacks these characteristics, also after what BlueZ remembered of it was dropped.
  case incomplete(missing: Set<ProvisioningCharacteristic>)
  /// The link broke, or an operation on it failed.
  case connectionLost(Step, CentralError)
  /// The device answered an operation with an error.
  case refused(Step, Refusal)
  /// What the device sent cannot be understood.
  case malformed(ProvisioningCharacteristic, String)
  /// A time limit passed.
  case timedOut(Step)
  /// The task was cancelled.
  case cancelled
}
