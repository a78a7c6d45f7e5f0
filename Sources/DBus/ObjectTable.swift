/// The exported objects, and what a call on them means; doing it is the connection's.
struct ObjectTable {
  private(set) var objects: [ObjectPath: [Interface]] = [:]
  private var managers: Set<ObjectPath> = []

  enum Decision {
    case handler(Method)
    case outcome(MethodOutcome)
  }

  mutating func add(_ path: ObjectPath, _ interfaces: [Interface]) {
    objects[path, default: []] += interfaces
  }

  mutating func remove(_ path: ObjectPath) -> [Interface] {
    objects.removeValue(forKey: path) ?? []
  }

  mutating func addManager(_ path: ObjectPath) { managers.insert(path) }

  mutating func removeManager(_ path: ObjectPath) { managers.remove(path) }

  /// The object manager that answers for a path, the nearest one.
  func manager(of path: ObjectPath) -> ObjectPath? {
    managers.filter { path != $0 && path.isEqualToOrBelow($0) }
      .max { $0.string.utf8.count < $1.string.utf8.count }
  }

  func decide(_ call: MethodCall) -> Decision {
    guard let interfaces = objects[call.path] else {
      if let reply = decideWithoutObject(call) { return .outcome(reply) }
      return .outcome(
        .error(
          BusError(name: BusError.Name.unknownObject, message: "no object at \(call.path)")))
    }
    for interface in interfaces where call.interface == nil || call.interface == interface.name {
      for method in interface.methods where method.name == call.member {
        guard call.arguments.map(\.type) == method.input.types else {
          return .outcome(
            .error(
              .invalidArguments(
                "\(interface.name).\(method.name) takes \"\(method.input)\", not "
                  + "\"\(call.arguments.map(\.type.code).joined())\"")))
        }
        return .handler(method)
      }
    }
    if let reply = decideStandard(call, interfaces) ?? decideWithoutObject(call) {
      return .outcome(reply)
    }
    if let name = call.interface, !interfaces.contains(where: { $0.name == name }) {
      return .outcome(
        .error(
          BusError(
            name: BusError.Name.unknownInterface, message: "no interface \(name) at \(call.path)")))
    }
    return .outcome(
      .error(
        BusError(
          name: BusError.Name.unknownMethod,
          message: "no method \(call.member) at \(call.path)")))
  }

  /// Introspection of a path that only has children, and the object manager.
  private func decideWithoutObject(_ call: MethodCall) -> MethodOutcome? {
    switch (call.interface, call.member) {
    case (StandardInterface.introspectable, "Introspect"), (nil, "Introspect"):
      let below = children(of: call.path)
      guard objects[call.path] != nil || managers.contains(call.path) || !below.isEmpty else {
        return nil
      }
      return .reply([
        .string(
          introspection(
            of: objects[call.path] ?? [], isManager: managers.contains(call.path), children: below))
      ])
    case (StandardInterface.objectManager, "GetManagedObjects"), (nil, "GetManagedObjects"):
      return managers.contains(call.path) ? .reply([managedObjects(below: call.path)]) : nil
    default: return nil
    }
  }

  private func decideStandard(_ call: MethodCall, _ interfaces: [Interface]) -> MethodOutcome? {
    guard call.interface == StandardInterface.properties || call.interface == nil else {
      return nil
    }
    switch (call.member, call.arguments.first?.asString) {
    case ("Get", let name?):
      guard call.arguments.count == 2, let property = call.arguments[1].asString else { break }
      return get(property, of: name, interfaces, at: call.path)
    case ("GetAll", let name?):
      guard call.arguments.count == 1 else { break }
      guard name.isEmpty || interfaces.contains(where: { $0.name == name }) else {
        return .error(
          BusError(
            name: BusError.Name.unknownInterface, message: "no interface \(name) at \(call.path)"))
      }
      let wanted = interfaces.filter { name.isEmpty || $0.name == name }
      return .reply([
        .properties(
          wanted.reduce(into: [:]) { $0.merge(Self.values(of: $1)) { first, _ in first } })
      ])
    case ("Set", let name?):
      guard call.arguments.count == 3, let property = call.arguments[1].asString,
        case .variant(let value) = call.arguments[2]
      else { break }
      return set(property, of: name, to: value, interfaces, call)
    case ("Get", nil), ("GetAll", nil), ("Set", nil): break
    default: return nil
    }
    return .error(.invalidArguments("wrong arguments for \(call.member)"))
  }

  private func find(
    _ property: String, of name: String, _ interfaces: [Interface], at path: ObjectPath
  ) -> Result<Property, BusError> {
    let candidates = interfaces.filter { name.isEmpty || $0.name == name }
    guard !candidates.isEmpty else {
      return .failure(
        BusError(
          name: BusError.Name.unknownInterface, message: "no interface \(name) at \(path)"))
    }
    for candidate in candidates {
      if let found = candidate.properties.first(where: { $0.name == property }) {
        return .success(found)
      }
    }
    return .failure(
      BusError(name: BusError.Name.unknownProperty, message: "no property \(property) of \(name)"))
  }

  private func get(
    _ property: String, of name: String, _ interfaces: [Interface], at path: ObjectPath
  ) -> MethodOutcome {
    switch find(property, of: name, interfaces, at: path) {
    case .failure(let error): return .error(error)
    case .success(let property):
      guard let value = property.get() else {
        return .error(
          BusError(
            name: BusError.Name.unknownProperty, message: "\(property.name) has no value now"))
      }
      return .reply([.variant(value)])
    }
  }

  private func set(
    _ property: String, of name: String, to value: Value, _ interfaces: [Interface],
    _ call: MethodCall
  ) -> MethodOutcome {
    switch find(property, of: name, interfaces, at: call.path) {
    case .failure(let error): return .error(error)
    case .success(let property):
      guard let set = property.set else {
        return .error(
          BusError(
            name: BusError.Name.propertyReadOnly, message: "\(property.name) is read-only"))
      }
      guard value.type == property.type else {
        return .error(
          .invalidArguments(
            "\(property.name) has the type \(property.type.code), not \(value.type.code)"))
      }
      if let error = set(value, call) { return .error(error) }
      return .reply([])
    }
  }

  static func values(of interface: Interface) -> [String: Value] {
    interface.properties.reduce(into: [:]) { $0[$1.name] = $1.get() }
  }

  /// `a{sa{sv}}` of an object's interfaces.
  static func description(of interfaces: [Interface]) -> Value {
    .dictionary(
      key: .string, value: .dictionary(key: .string, value: .variant),
      interfaces.map { .init(.string($0.name), .properties(values(of: $0))) })
  }

  private func managedObjects(below path: ObjectPath) -> Value {
    let below = objects.filter { $0.key != path && $0.key.isEqualToOrBelow(path) }
    return .dictionary(
      key: .objectPath,
      value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
      below.sorted { $0.key < $1.key }.map {
        .init(.objectPath($0.key), Self.description(of: $0.value))
      })
  }

  private func children(of path: ObjectPath) -> [String] {
    let prefix = path == .root ? "/" : path.string + "/"
    let names = (Array(objects.keys) + managers).compactMap { other -> String? in
      guard other != path, other.string.hasPrefix(prefix) else { return nil }
      return other.string.dropFirst(prefix.count).split(separator: "/").first.map { String($0) }
    }
    return Set(names).sorted()
  }
}
