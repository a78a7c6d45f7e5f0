/// Which signals a subscription wants (D-Bus specification, "Match rules").
package struct MatchRule: Sendable, Hashable {
  /// A unique or well-known name; signals of others, unicast ones included, do not match.
  package var sender: String
  package var path: ObjectPath?
  /// This path and all below it.
  package var pathNamespace: ObjectPath?
  package var interface: String?
  package var member: String?
  /// The first argument, a string.
  package var argument0: String?
  /// The first argument, an object path.
  package var argument0Path: ObjectPath?

  package init(
    sender: String, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
    interface: String? = nil, member: String? = nil, argument0: String? = nil,
    argument0Path: ObjectPath? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.argument0 = argument0
    self.argument0Path = argument0Path
  }

  /// The text for `AddMatch`.
  var text: String {
    var parts = ["type='signal'", "sender='\(sender)'"]
    if let path { parts.append("path='\(path)'") }
    if let pathNamespace, pathNamespace != .root {
      parts.append("path_namespace='\(pathNamespace)'")
    }
    if let interface { parts.append("interface='\(interface)'") }
    if let member { parts.append("member='\(member)'") }
    if let argument0 { parts.append("arg0='\(Self.escaped(argument0))'") }
    if let argument0Path { parts.append("arg0path='\(argument0Path)'") }
    return parts.joined(separator: ",")
  }

  /// An apostrophe ends the quoting, stands escaped, and begins it again.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
  }

  /// Whether a signal fits, once its sender is known to be the rule's.
  func matches(_ message: Message) -> Bool {
    if let path, message.path != path { return false }
    if let pathNamespace {
      guard let path = message.path, path.isEqualToOrBelow(pathNamespace) else { return false }
    }
    if let interface, message.interface != interface { return false }
    if let member, message.member != member { return false }
    if let argument0, message.arguments.first != .string(argument0) { return false }
    if let argument0Path, message.arguments.first != .objectPath(argument0Path) { return false }
    return true
  }
}
