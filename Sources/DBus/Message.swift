/// A received signal or method call, as plain data.
package struct Message: Sendable {
  /// The sender's unique name; nil only for messages that the library made itself.
  package let sender: String?
  package let path: ObjectPath?
  package let interface: String?
  package let member: String
  package let arguments: [Value]
}
