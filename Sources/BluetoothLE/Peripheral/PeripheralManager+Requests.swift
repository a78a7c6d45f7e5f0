internal import DBus

extension PeripheralManager {
  var delegate: LocalTable.Delegate {
    LocalTable.Delegate(
      read: { [weak self] entry, call in
        self?.assumeIsolated { $0.read(entry, call) } ?? .error(ATTError.unlikelyError.busError)
      },
      readDescription: { [weak self] text, call in
        self?.assumeIsolated { $0.readDescription(text, call) }
          ?? .error(ATTError.unlikelyError.busError)
      },
      write: { [weak self] entry, call in
        self?.assumeIsolated { $0.write(entry, call) } ?? .error(ATTError.unlikelyError.busError)
      },
      notify: { [weak self] entry, call, isOn in
        self?.assumeIsolated { $0.notify(entry, call, isOn) }
          ?? .error(ATTError.unlikelyError.busError)
      })
  }

  /// Whether it is bluetoothd that calls, and not somebody else on the bus.
  private func isAllowed(_ call: MethodCall) -> Bool { call.sender == condition.adapter?.owner }

  private static let denied = MethodOutcome.error(
    BusError(name: BusError.Name.accessDenied, message: "this is for bluetoothd"))

  private func read(_ entry: ExportedCharacteristic, _ call: MethodCall) -> MethodOutcome {
    guard isAllowed(call) else { return Self.denied }
    let options = RequestOptions(call.arguments.first)
    let central = note(options)
    do throws(ATTError) {
      switch entry.characteristic.value {
      case .fixed(let bytes): return try Self.part(of: bytes, from: options.offset)
      case .dynamic(let value):
        let request = ReadRequest(central: central, offset: options.offset, mtu: options.mtu)
        return try Self.part(of: value(request), from: options.offset)
      case nil: throw .readNotPermitted
      }
    } catch {
      return .error(error.busError)
    }
  }

  private func readDescription(_ text: String, _ call: MethodCall) -> MethodOutcome {
    guard isAllowed(call) else { return Self.denied }
    let options = RequestOptions(call.arguments.first)
    _ = note(options)
    do throws(ATTError) {
      return try Self.part(of: Array(text.utf8), from: options.offset)
    } catch {
      return .error(error.busError)
    }
  }

  private static func part(of value: [UInt8], from offset: Int) throws(ATTError) -> MethodOutcome {
    guard value.count <= LocalTable.maximumValueLength else { throw .unlikelyError }
    guard 0...value.count ~= offset else { throw .invalidOffset }
    return .reply([.bytes(Array(value[offset...]))])
  }

  private func write(_ entry: ExportedCharacteristic, _ call: MethodCall) -> MethodOutcome {
    guard isAllowed(call) else { return Self.denied }
    let options = RequestOptions(call.arguments.last)
    let central = note(options)
    guard !options.onlyAuthorizes else { return .reply([]) }
    guard let value = call.arguments.first?.asBytes, let write = entry.characteristic.write else {
      return .error(ATTError.writeNotPermitted.busError)
    }
    do throws(ATTError) {
      try write(
        WriteRequest(value: value, central: central, offset: options.offset, mtu: options.mtu))
      return .reply([])
    } catch {
      return .error(error.busError)
    }
  }

  private func notify(_ entry: ExportedCharacteristic, _ call: MethodCall, _ isOn: Bool)
    -> MethodOutcome
  {
    guard isAllowed(call) else { return Self.denied }
    // First, so that a value that the handler sends comes after it.
    call.answer(.reply([]))
    handler?(
      .subscriptionChanged(
        characteristic: entry.characteristic.uuid, service: entry.service, isSubscribed: isOn))
    return .later
  }
}
