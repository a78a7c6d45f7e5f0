internal import DBus

/// The services that one adapter offers, with their handles.
struct AttributeTable {
  private(set) var services: [ServiceAttribute] = []
  /// Handles are not given out twice, so that a client never takes a new object for an old one.
  private var nextHandle: UInt16 = 6

  /// Makes a table with BlueZ's own services.
  ///
  /// Generic Access, which it shows to nobody on the bus, has the handles 1 to 5.
  init() {
    guard let flags = CharacteristicFlags(["indicate"]) else { return }
    var service = ServiceAttribute(
      uuid: UUIDText(assigned: 0x1801), isPrimary: true, includes: [], owner: nil)
    service.characteristics = [
      CharacteristicAttribute(uuid: UUIDText(assigned: 0x2A05), flags: flags, owner: nil)
    ]
    _ = add([service])
  }

  var uuids: [UUIDText] { services.filter(\.isPrimary).map(\.uuid) }

  /// - Returns: false when there are no handles left.
  mutating func add(_ new: [ServiceAttribute]) -> Bool {
    let count = new.reduce(0) { $0 + Self.size(of: $1) }
    guard count <= Int(UInt16.max - nextHandle) else { return false }
    for service in new { services.append(numbered(service)) }
    return true
  }

  mutating func remove(where isGone: (ServiceAttribute) -> Bool) {
    services.removeAll(where: isGone)
  }

  func characteristic(declaredAt handle: UInt16) -> CharacteristicAttribute? {
    for service in services {
      if let found = service.characteristics.first(where: { $0.handle == handle }) { return found }
    }
    return nil
  }

  func descriptor(at handle: UInt16) -> DescriptorAttribute? {
    for service in services {
      for characteristic in service.characteristics {
        if let found = characteristic.descriptors.first(where: { $0.handle == handle }) {
          return found
        }
      }
    }
    return nil
  }

  func characteristic(of owner: AttributeOwner) -> CharacteristicAttribute? {
    for service in services {
      if let found = service.characteristics.first(where: { $0.owner == owner }) { return found }
    }
    return nil
  }

  private static func size(of service: ServiceAttribute) -> Int {
    service.characteristics.reduce(1) { $0 + 3 + $1.descriptors.count }
  }

  private mutating func numbered(_ service: ServiceAttribute) -> ServiceAttribute {
    var service = service
    service.handle = takeHandle()
    for index in service.characteristics.indices {
      service.characteristics[index].handle = takeHandle()
      _ = takeHandle()
      if service.characteristics[index].flags.isNotifying {
        let handle = takeHandle()
        service.characteristics[index].configurationHandle = handle
        service.characteristics[index].descriptors.insert(
          DescriptorAttribute(
            uuid: UUIDText(assigned: 0x2902), readNeed: LinkNeed.none, writeNeed: nil, owner: nil,
            handle: handle), at: 0)
      }
      for inner in service.characteristics[index].descriptors.indices
      where service.characteristics[index].descriptors[inner].handle == 0 {
        service.characteristics[index].descriptors[inner].handle = takeHandle()
      }
    }
    return service
  }

  private mutating func takeHandle() -> UInt16 {
    defer { nextHandle += 1 }
    return nextHandle
  }
}
