internal import Cryptography
internal import DeviceState
internal import Diagnostics
internal import ProvisioningProtocol

/// What the daemon knows of its setup code, which is not the code itself, and the folder that keeps
/// it.
struct SetupState: Sendable {
  let folder: StateFolder
  let verifier: CodeVerifier
  /// The wrong guesses that were counted before.
  let wrongGuesses: UInt32

  /// Why there is no setup code to serve with.
  enum Failure: Error {
    case state(StateError)
    case cryptography(CryptographyError)
    /// There is none yet, and one that was made now could never be shown.
    case noVerifier
    /// The device has got another id, and the code to make its verifier anew is not kept.
    case verifierOfAnotherDevice(DeviceID)
  }

  /// Reads the folder, and makes a code where there is none yet.
  ///
  /// A damaged counter of wrong guesses counts as full: it may have been.
  init(folder: StateFolder, device: DeviceID, storage: CodeStorage, log: Log) throws(Failure) {
    self.folder = folder
    verifier = try Self.code(in: folder, device: device, storage: storage, log: log).verifier
    do throws(StateError) {
      wrongGuesses = try folder.wrongGuesses()
    } catch {
      log.error("\(error); taken for \(GuessCounter.limit) wrong guesses")
      wrongGuesses = GuessCounter.limit
    }
  }

  private static func code(
    in folder: StateFolder, device: DeviceID, storage: CodeStorage, log: Log
  ) throws(Failure) -> StoredCode {
    guard let stored = try read(folder) else {
      guard storage == .code else { throw .noVerifier }
      let new = try make(.random(), device: device, storage: storage)
      try save(new, in: folder)
      log.notice("a setup code was made; ‘wifi-provisiond label’ shows it")
      return new
    }
    guard let code = stored.code else {
      guard stored.device == device else { throw .verifierOfAnotherDevice(stored.device) }
      return stored
    }
    if stored.device != device {
      log.warning(
        "the device id was \(stored.device) and is \(device) now: the setup code stays, but the "
          + "label is another; where this system was copied from another device, make a new code")
      let new = try make(code, device: device, storage: storage)
      try save(new, in: folder)
      return new
    }
    if storage == .verifier {
      try save(stored.withoutCode, in: folder)
      log.notice("the setup code is no longer kept, only its verifier")
      return stored.withoutCode
    }
    return stored
  }

  private static func read(_ folder: StateFolder) throws(Failure) -> StoredCode? {
    do {
      return try folder.storedCode()
    } catch {
      throw .state(error)
    }
  }

  private static func save(_ code: StoredCode, in folder: StateFolder) throws(Failure) {
    do {
      try folder.save(code)
    } catch {
      throw .state(error)
    }
  }

  private static func make(
    _ code: SetupCode, device: DeviceID, storage: CodeStorage
  ) throws(Failure) -> StoredCode {
    do {
      return try StoredCode(code, device: device, keepsCode: storage == .code)
    } catch {
      throw .cryptography(error)
    }
  }
}

extension SetupState.Failure {
  /// The failure in words, for the person at the device.
  var message: String {
    switch self {
    case .state(let error): error.description
    case .cryptography(let error): "the setup code’s verifier cannot be made: \(error)"
    case .noVerifier:
      "there is no setup code, and code-storage = verifier would not let a new one be shown; "
        + "make one with ‘wifi-provisiond set-code --generate’"
    case .verifierOfAnotherDevice(let id):
      "the setup code’s verifier belongs to the device id \(id); "
        + "make a new code with ‘wifi-provisiond set-code --generate’"
    }
  }
}
