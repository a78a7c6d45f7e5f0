internal import DBus

/// An application that a program registered: whom BlueZ asks for its values.
struct ApplicationKey: Hashable {
  /// The program's unique name.
  let owner: String
  /// The path that it registered.
  let root: ObjectPath
}

extension ApplicationKey {
  /// The object that a call's first argument names, of the caller.
  init?(_ call: MethodCall) {
    guard let root = call.arguments.first?.asObjectPath else { return nil }
    self.init(owner: call.sender, root: root)
  }
}
