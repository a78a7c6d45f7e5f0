internal import Synchronization

/// A method call that a peer made, answered once.
package final class MethodCall: Sendable {
  /// The caller's unique name.
  package let sender: String
  package let path: ObjectPath
  package let interface: String?
  package let member: String
  package let arguments: [Value]
  /// Whether the caller waits while a user is asked for permission.
  package let mayAskUser: Bool

  let serial: UInt32
  private let connection: Connection
  private let answered: Mutex<Bool>

  init(
    sender: String, path: ObjectPath, interface: String?, member: String, arguments: [Value],
    serial: UInt32, wantsReply: Bool, mayAskUser: Bool, connection: Connection
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.mayAskUser = mayAskUser
    self.serial = serial
    self.connection = connection
    answered = Mutex(!wantsReply)
  }

  /// Answers the call, on the loop's thread; only the first answer is sent.
  package func answer(_ outcome: MethodOutcome) {
    if case .later = outcome { return }
    let isFirst = answered.withLock { answered in
      defer { answered = true }
      return !answered
    }
    guard isFirst else { return }
    connection.assumeIsolated { $0.send(outcome, answering: self) }
  }
}
