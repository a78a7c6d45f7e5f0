/// What happens on the link while a session runs.
enum SessionEvent: Sendable {
  case subscribed
  case read([UInt8])
  case wrote
  case paired
  case failed(CentralError)
  case notified([UInt8])
  case linkLost(CentralError)
  /// The time has come that the session asked for.
  case deadline
  /// The command is cancelled.
  case stop
}
