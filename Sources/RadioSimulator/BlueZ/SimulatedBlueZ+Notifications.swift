internal import DBus

/// The client's side: notifications.
extension SimulatedBlueZ {
  func startNotify(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
    guard let device = devices[key.device], let characteristic = device.characteristics[key.handle]
    else { return .error(.bluezNotConnected) }
    if device.isDisconnecting { return .error(.bluezNotConnected) }
    guard characteristic.attribute.flags.isNotifying else { return .error(.bluezNotSupported) }
    if let isAnswered = characteristic.sessions[call.sender] {
      return isAnswered ? .reply([]) : .error(.bluezInProgress)
    }
    guard let link = links[key.device.link] else {
      // Kept for when there is a link again.
      devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = true
      return .reply([])
    }
    devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = false
    run { bluez in
      await bluez.pause(bluez.timing.latency)
      guard bluez.links[key.device.link]?.number == link.number else {
        return bluez.endStart(key, call, .unlikely)
      }
      var failure: ATTError?
      do throws(ATTError) { try bluez.subscribe(key) } catch { failure = error }
      await bluez.pause(bluez.timing.latency)
      bluez.endStart(key, call, failure)
    }
    return .later
  }

  private func endStart(_ key: AttributeKey, _ call: MethodCall, _ failure: ATTError?) {
    guard devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] != nil else {
      return
    }
    if let failure {
      devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = nil
      return answer(call, .error(failure.busError))
    }
    devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] = true
    setNotifying(key, true)
    answer(call, .reply([]))
  }

  func stopNotify(_ key: AttributeKey, _ call: MethodCall) -> MethodOutcome {
    guard
      devices[key.device]?.characteristics[key.handle]?.sessions[call.sender] != nil
    else { return .error(.bluezFailed("No notify session started")) }
    endSession(of: call.sender, on: key)
    return .reply([])
  }

  func endSession(of client: String, on key: AttributeKey) {
    devices[key.device]?.characteristics[key.handle]?.sessions[client] = nil
    guard devices[key.device]?.characteristics[key.handle]?.sessions.isEmpty == true else { return }
    if links[key.device.link] != nil { unsubscribe(key) }
    setNotifying(key, false)
  }

  /// Subscribes again for the programs that still listen.
  func restoreSessions(_ device: DeviceKey) {
    for (handle, characteristic) in devices[device]?.characteristics ?? [:]
    where !characteristic.sessions.isEmpty {
      let key = AttributeKey(device: device, handle: handle)
      do throws(ATTError) {
        try subscribe(key)
        setNotifying(key, true)
      } catch {
        devices[device]?.characteristics[handle]?.sessions = [:]
      }
    }
  }

  private func setNotifying(_ key: AttributeKey, _ isNotifying: Bool) {
    guard let old = devices[key.device]?.characteristics[key.handle]?.isNotifying,
      old != isNotifying
    else { return }
    devices[key.device]?.characteristics[key.handle]?.isNotifying = isNotifying
    characteristicChanged(key, ["Notifying"])
  }
}
