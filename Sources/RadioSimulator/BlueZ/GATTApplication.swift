internal import DBus

/// What `GetManagedObjects` of a registered application says, checked as BlueZ checks it.
struct GATTApplication {
  private(set) var services: [ServiceAttribute] = []

  private static let reserved = [UUIDText(assigned: 0x1800), UUIDText(assigned: 0x1801)]

  /// - Throws: BlueZ's error, one text for many causes.
  init(_ objects: Value?, key: ApplicationKey) throws(BusError) {
    let found = Self.objects(objects)
    guard !found.isEmpty else { throw BusError.bluezFailed("No object received") }
    guard let parts = Self.links(found), !parts.services.isEmpty else {
      throw BusError.bluezFailed("No valid service object found")
    }
    for object in parts.services {
      guard let service = Self.service(object, parts, key) else {
        throw BusError.bluezFailed("Failed to create entry in database")
      }
      services.append(service)
    }
  }

  private struct Object {
    let path: ObjectPath
    let interface: String
    let properties: [String: Value]
  }

  private struct Linked {
    let object: Object
    let parent: ObjectPath
  }

  private struct Parts {
    var services: [Object] = []
    var characteristics: [(link: Linked, flags: CharacteristicFlags)] = []
    var descriptors: [(link: Linked, flags: CharacteristicFlags)] = []
  }

  private static func objects(_ value: Value?) -> [Object] {
    var objects: [Object] = []
    for entry in value?.asEntries ?? [] {
      guard let path = entry.key.asObjectPath else { continue }
      for interface in entry.value.asEntries ?? [] {
        guard let name = interface.key.asString, let properties = interface.value.asDictionary
        else { continue }
        objects.append(Object(path: path, interface: name, properties: properties))
      }
    }
    return objects
  }

  /// The first pass, paths and flags; nil where BlueZ gives the whole application up.
  private static func links(_ objects: [Object]) -> Parts? {
    var parts = Parts()
    parts.services = objects.filter { $0.interface == BlueZ.Name.service }
    for object in objects where object.interface == BlueZ.Name.characteristic {
      guard case .objectPath(let parent) = object.properties["Service"],
        parts.services.contains(where: { $0.path == parent }),
        case .array(.string, let words) = object.properties["Flags"], !words.isEmpty,
        let flags = CharacteristicFlags(words.compactMap(\.asString))
      else { return nil }
      parts.characteristics.append((Linked(object: object, parent: parent), flags))
    }
    for object in objects where object.interface == BlueZ.Name.descriptor {
      guard case .objectPath(let parent) = object.properties["Characteristic"],
        parts.characteristics.contains(where: { $0.link.object.path == parent }),
        case .array(.string, let words) = object.properties["Flags"], !words.isEmpty,
        let flags = descriptorFlags(words.compactMap(\.asString))
      else { return nil }
      parts.descriptors.append((Linked(object: object, parent: parent), flags))
    }
    return parts
  }

  /// A descriptor knows fewer words than a characteristic.
  private static func descriptorFlags(_ words: [String]) -> CharacteristicFlags? {
    guard let flags = CharacteristicFlags(words), flags.properties.isSubset(of: ["read", "write"])
    else { return nil }
    return flags
  }

  /// The second pass: UUIDs and the rest.
  private static func service(_ object: Object, _ parts: Parts, _ key: ApplicationKey)
    -> ServiceAttribute?
  {
    guard let uuid = uuid(object), case .boolean(let isPrimary) = object.properties["Primary"],
      hasValidHandle(object)
    else { return nil }
    var includes: [ObjectPath] = []
    if let value = object.properties["Includes"] {
      guard case .array(.objectPath, let paths) = value else { return nil }
      includes = paths.compactMap(\.asObjectPath)
    }
    var service = ServiceAttribute(
      uuid: uuid, isPrimary: isPrimary, includes: includes,
      owner: AttributeOwner(application: key, path: object.path))
    for (link, flags) in parts.characteristics where link.parent == object.path {
      guard let uuid = Self.uuid(link.object), hasValidHandle(link.object) else { return nil }
      var characteristic = CharacteristicAttribute(
        uuid: uuid, flags: flags,
        owner: AttributeOwner(application: key, path: link.object.path))
      for (inner, flags) in parts.descriptors where inner.parent == link.object.path {
        guard let uuid = Self.uuid(inner.object), hasValidHandle(inner.object) else { return nil }
        characteristic.descriptors.append(
          DescriptorAttribute(
            uuid: uuid, readNeed: flags.readNeed, writeNeed: flags.writeNeed,
            owner: AttributeOwner(application: key, path: inner.object.path)))
      }
      service.characteristics.append(characteristic)
    }
    return service
  }

  private static func uuid(_ object: Object) -> UUIDText? {
    guard case .string(let text) = object.properties["UUID"], let uuid = UUIDText(text),
      !reserved.contains(uuid)
    else { return nil }
    return uuid
  }

  private static func hasValidHandle(_ object: Object) -> Bool {
    switch object.properties["Handle"] {
    case nil, .uint16: true
    default: false
    }
  }
}
