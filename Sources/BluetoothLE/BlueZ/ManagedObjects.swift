internal import DBus

/// A mirror of the objects below an object manager; the bus's order makes it true.
struct ManagedObjects: Sendable {
  typealias Properties = [String: Value]
  typealias Objects = [ObjectPath: [String: Properties]]

  /// One signal that changes the mirror.
  enum Change: Sendable, Hashable {
    case added(ObjectPath, [String: Properties])
    case removed(ObjectPath, [String])
    case changed(ObjectPath, interface: String, Properties, invalidated: [String])

    /// Nil for a signal of another kind or with other arguments than the specification says.
    init?(_ message: Message) {
      let arguments = message.arguments
      switch (message.interface, message.member) {
      case (StandardInterface.objectManager, "InterfacesAdded"):
        guard arguments.count == 2, let path = arguments[0].asObjectPath,
          let interfaces = ManagedObjects.interfaces(arguments[1])
        else { return nil }
        self = .added(path, interfaces)
      case (StandardInterface.objectManager, "InterfacesRemoved"):
        guard arguments.count == 2, let path = arguments[0].asObjectPath,
          let interfaces = arguments[1].asStrings
        else { return nil }
        self = .removed(path, interfaces)
      case (StandardInterface.properties, "PropertiesChanged"):
        guard arguments.count == 3, let path = message.path,
          let interface = arguments[0].asString, let values = arguments[1].asDictionary,
          let invalidated = arguments[2].asStrings
        else { return nil }
        self = .changed(path, interface: interface, values, invalidated: invalidated)
      default: return nil
      }
    }
  }

  private(set) var objects: Objects = [:]
  /// How many snapshots are on their way.
  private var awaited = 0
  /// What came while one was.
  private var deferred: [Change] = []

  /// Says that a reply of `GetManagedObjects` will be installed.
  ///
  /// Changes are kept until then: whether they came before or after the reply, the last word on
  /// each property is right when they are applied on top of it.
  mutating func awaitSnapshot() { awaited += 1 }

  /// Replaces everything by a snapshot and what came meanwhile.
  mutating func install(_ snapshot: Objects) {
    objects = snapshot
    awaited = max(0, awaited - 1)
    let changes = deferred
    deferred = []
    for change in changes { apply(change) }
  }

  /// Goes on with what there is: no snapshot comes.
  mutating func giveUpSnapshot() { install(objects) }

  /// Takes a signal in.
  mutating func apply(_ change: Change) {
    if awaited > 0 { deferred.append(change) }
    switch change {
    case .added(let path, let interfaces):
      objects[path, default: [:]].merge(interfaces) { _, new in new }
    case .removed(let path, let interfaces):
      for interface in interfaces { objects[path]?[interface] = nil }
      if objects[path]?.isEmpty == true { objects[path] = nil }
    case .changed(let path, let interface, let values, let invalidated):
      // Of an object that is not known (yet) nothing is kept: its announcement has it all.
      objects[path]?[interface]?.merge(values) { _, new in new }
      for name in invalidated { objects[path]?[interface]?[name] = nil }
    }
  }

  /// One interface's properties; nil when the object or the interface is not there.
  func properties(_ interface: String, at path: ObjectPath) -> Properties? {
    objects[path]?[interface]
  }

  /// The objects that have an interface, by path.
  func all(_ interface: String, below parent: ObjectPath = .root)
    -> [(path: ObjectPath, properties: Properties)]
  {
    objects.compactMap { path, interfaces in
      guard path != parent, path.isEqualToOrBelow(parent) else { return nil }
      return interfaces[interface].map { (path, $0) }
    }.sorted { $0.path.isBefore($1.path) }
  }

  /// The reply of `GetManagedObjects`; nil when it is none.
  static func snapshot(_ reply: [Value]) -> Objects? {
    guard let entries = reply.first?.asEntries else { return nil }
    var objects: Objects = [:]
    for entry in entries {
      guard let path = entry.key.asObjectPath, let interfaces = interfaces(entry.value) else {
        return nil
      }
      objects[path] = interfaces
    }
    return objects
  }

  private static func interfaces(_ value: Value) -> [String: Properties]? {
    guard let dictionary = value.asDictionary else { return nil }
    var interfaces: [String: Properties] = [:]
    for (name, value) in dictionary {
      guard let properties = value.asDictionary else { return nil }
      interfaces[name] = properties
    }
    return interfaces
  }
}

extension ObjectPath {
  /// The order in which BlueZ numbers: `hci2` stands before `hci10`.
  func isBefore(_ other: ObjectPath) -> Bool {
    let (count, otherCount) = (string.utf8.count, other.string.utf8.count)
    return count == otherCount ? self < other : count < otherCount
  }
}
