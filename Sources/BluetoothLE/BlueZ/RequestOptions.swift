internal import DBus

/// The options that bluetoothd gives with a read or write; each may be missing, and others come.
struct RequestOptions {
  let device: ObjectPath?
  let mtu: Int?
  let offset: Int
  /// Whether bluetoothd only asks if the write may be prepared: nothing is written.
  let onlyAuthorizes: Bool

  init(_ value: Value?) {
    let options = value?.asDictionary ?? [:]
    device = options["device"]?.asObjectPath
    mtu = options["mtu"]?.asInteger
    offset = options["offset"]?.asInteger ?? 0
    onlyAuthorizes = options["prepare-authorize"]?.asBool == true
  }
}
