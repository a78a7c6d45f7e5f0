internal import Cryptography
internal import DeviceState
internal import Glibc
internal import MachineIdentity
internal import ProvisioningProtocol

/// What the person at the device does with its setup code, whether the daemon runs or not.
extension Configuration {
  /// Keeps a code in the place of the one before, which is no longer good from then on.
  ///
  /// A running daemon is told, and lets a provisioner go that is connected.
  ///
  /// - Returns: the label with the code, which is the last chance to see it where only its
  ///   verifier is kept.
  func setCode(_ code: SetupCode) throws(CommandError) -> Label {
    let id = try commandDeviceID()
    let stored = try stored(code, device: id)
    do throws(StateError) {
      let folder = try StateFolder(stateFolder, create: true)
      try replaceCode(in: folder, with: stored)
      _ = try Self.signal(SIGHUP, daemonOf: folder)
    } catch {
      throw CommandError(error)
    }
    return label(id: id, code: code)
  }

  /// What is kept of a code; slow on purpose.
  func stored(_ code: SetupCode, device: DeviceID) throws(CommandError) -> StoredCode {
    do throws(CryptographyError) {
      return try StoredCode(code, device: device, keepsCode: codeStorage == .code)
    } catch {
      throw CommandError(error)
    }
  }

  /// Keeps a code in the place of the one before.
  func replaceCode(in folder: StateFolder, with stored: StoredCode) throws(StateError) {
    try folder.save(stored)
    // They were guesses of another code.
    try folder.save(wrongGuesses: 0)
  }

  /// The label of the device's code.
  func label() throws(CommandError) -> Label {
    let id = try commandDeviceID()
    let stored: StoredCode?
    do throws(StateError) {
      stored = try StateFolder(stateFolder).storedCode()
    } catch {
      if error.problem != .missing { throw CommandError(error) }
      stored = nil
    }
    guard let stored else {
      throw CommandError(
        "there is no setup code yet: start the daemon, or make one with "
          + "‘wifi-provisiond set-code --generate’")
    }
    guard let code = stored.code else {
      throw CommandError(
        "the setup code is not kept here, only its verifier; "
          + "‘wifi-provisiond set-code --generate’ makes a new one and shows it once")
    }
    return label(id: id, code: code)
  }

  /// Forgives the wrong guesses, and so ends a lock-out.
  ///
  /// - Returns: whether a daemon was told to do it, and to open.
  func forgiveGuesses() throws(CommandError) -> Bool {
    do throws(StateError) {
      let folder = try StateFolder(stateFolder)
      // One writer at a time: the daemon has the number in its memory.
      if try Self.signal(SIGUSR1, daemonOf: folder) { return true }
      try folder.save(wrongGuesses: 0)
      return false
    } catch {
      throw CommandError(error)
    }
  }

  /// Tells the daemon that uses the folder; false when there is none.
  private static func signal(
    _ signal: Int32, daemonOf folder: StateFolder
  ) throws(StateError) -> Bool {
    guard let daemon = try DaemonLock.holder(of: folder) else { return false }
    return kill(daemon, signal) == 0
  }

  private func commandDeviceID() throws(CommandError) -> DeviceID {
    do {
      return try deviceID()
    } catch {
      throw CommandError(error)
    }
  }

  private func label(id: DeviceID, code: SetupCode) -> Label {
    Label(uri: SetupURI(deviceID: id, code: code, name: deviceName(id: id)))
  }
}
