internal import CDBus

extension Connection {
  /// Offers an object, or more interfaces of one that is there, and tells its object manager's
  /// listeners.
  package func export(_ path: ObjectPath, _ interfaces: [Interface]) {
    table.add(path, interfaces)
    guard let manager = table.manager(of: path) else { return }
    emit(
      manager, StandardInterface.objectManager, "InterfacesAdded",
      [.objectPath(path), ObjectTable.description(of: interfaces)])
  }

  /// Takes an object back.
  package func unexport(_ path: ObjectPath) {
    let removed = table.remove(path)
    guard !removed.isEmpty, let manager = table.manager(of: path) else { return }
    emit(
      manager, StandardInterface.objectManager, "InterfacesRemoved",
      [.objectPath(path), .strings(removed.map(\.name))])
  }

  /// Answers `GetManagedObjects` at a path with all objects below it.
  package func exportObjectManager(at path: ObjectPath) { table.addManager(path) }

  /// Ends what ``exportObjectManager(at:)`` began.
  package func unexportObjectManager(at path: ObjectPath) { table.removeManager(path) }

  /// Sends a signal, to all who listen or to one destination.
  ///
  /// A signal whose arguments cannot be sent is a defect of ours, caught in debug builds.
  package func emit(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value] = [],
    to destination: String? = nil
  ) {
    do {
      let message = try fill(
        dbus_message_new_signal(path.string, interface, member), with: arguments)
      if let destination { dbus_message_set_destination(message, destination) }
      send(message)
    } catch {
      assertionFailure("\(interface).\(member): \(error)")
    }
  }

  /// Sends `PropertiesChanged` with new values.
  package func propertiesChanged(
    _ path: ObjectPath, _ interface: String, _ values: [String: Value],
    invalidated: [String] = [], to destination: String? = nil
  ) {
    emit(
      path, StandardInterface.properties, "PropertiesChanged",
      [.string(interface), .properties(values), .strings(invalidated)], to: destination)
  }

  /// Sends `PropertiesChanged` with what properties of an exported object are now.
  package func propertiesChanged(_ path: ObjectPath, _ interface: String, of names: [String]) {
    guard let found = table.objects[path]?.first(where: { $0.name == interface }) else { return }
    propertiesChanged(
      path, interface, ObjectTable.values(of: found).filter { names.contains($0.key) })
  }

  func serve(_ raw: OpaquePointer) {
    let serial = dbus_message_get_serial(raw)
    let wantsReply = dbus_message_get_no_reply(raw) == 0
    let message: Message
    do {
      message = try Message(raw)
    } catch {
      guard wantsReply, let sender = dbus_message_get_sender(raw) else { return }
      return reply(.error(error), to: String(cString: sender), serial: serial)
    }
    guard let sender = message.sender, let path = message.path else { return }
    let call = MethodCall(
      sender: sender, path: path, interface: message.interface, member: message.member,
      arguments: message.arguments, serial: serial, wantsReply: wantsReply,
      mayAskUser: dbus_message_get_allow_interactive_authorization(raw) != 0, connection: self)
    switch table.decide(call) {
    case .handler(let method): call.answer(method.handler(call))
    case .outcome(let outcome): call.answer(outcome)
    }
  }

  func send(_ outcome: MethodOutcome, answering call: MethodCall) {
    reply(outcome, to: call.sender, serial: call.serial)
  }

  private func reply(_ outcome: MethodOutcome, to sender: String, serial: UInt32) {
    do {
      send(try message(for: outcome, to: sender, serial: serial))
    } catch {
      if let failure = try? message(for: .error(error), to: sender, serial: serial) {
        send(failure)
      }
    }
  }

  private func message(for outcome: MethodOutcome, to sender: String, serial: UInt32)
    throws(BusError) -> OpaquePointer
  {
    let raw: OpaquePointer
    switch outcome {
    case .reply(let values):
      raw = try fill(dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN), with: values)
    case .error(let error):
      raw = try fill(
        dbus_message_new(DBUS_MESSAGE_TYPE_ERROR),
        with: error.message.isEmpty ? [] : [.string(error.message)])
      let isName = dbus_validate_error_name(error.name, nil) != 0
      dbus_message_set_error_name(raw, isName ? error.name : BusError.Name.failed)
    case .later: preconditionFailure("an answer that is to come is not sent")
    }
    dbus_message_set_reply_serial(raw, serial)
    dbus_message_set_destination(raw, sender)
    dbus_message_set_no_reply(raw, 1)
    return raw
  }
}
