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
  /// The setup code is wrong, or somebody between changed what the device says of itself; with how
  /// many guesses are left, where the device said it.
  case wrongCode(guessesLeft: Int?)
  /// The setup code was given with the id of this device, which is another one.
  case codeOfAnother(DeviceID)
  /// The device is locked after wrong setup codes, for so many seconds.
  case lockedOut(seconds: Int)
  /// The device takes credentials by plain writes only, which everybody in reach can read.
  case insecureOnly
  /// The secure session broke: somebody interfered, or one of the programs is faulty.
  case sessionBroken(Step, AbortReason)
  /// What the device sent cannot be understood.
  case malformed(ProvisioningCharacteristic, String)
  /// A time limit passed.
  case timedOut(Step)
  /// The task was cancelled.
  case cancelled
}
