internal import DBus

extension MatchRule {
  /// Announcements of objects; of one with a path.
  static func added(_ path: ObjectPath? = nil, from owner: String) -> MatchRule {
    MatchRule(
      sender: owner, path: .root, interface: StandardInterface.objectManager,
      member: "InterfacesAdded", argument0Path: path)
  }

  /// Withdrawals of objects; of one with a path.
  static func removed(_ path: ObjectPath? = nil, from owner: String) -> MatchRule {
    MatchRule(
      sender: owner, path: .root, interface: StandardInterface.objectManager,
      member: "InterfacesRemoved", argument0Path: path)
  }

  /// Changed properties of an interface, wherever it is or of one object.
  static func changed(
    _ interface: String?, of path: ObjectPath? = nil, below namespace: ObjectPath? = nil,
    from owner: String
  ) -> MatchRule {
    MatchRule(
      sender: owner, path: path, pathNamespace: namespace,
      interface: StandardInterface.properties, member: "PropertiesChanged", argument0: interface)
  }
}
