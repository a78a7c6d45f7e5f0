internal import DBus

/// Where an attribute's values come from.
struct AttributeOwner: Hashable {
  let application: ApplicationKey
  let path: ObjectPath
}
