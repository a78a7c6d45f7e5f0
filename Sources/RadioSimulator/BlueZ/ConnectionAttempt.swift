internal import DBus

/// A `Connect` call that waits for its peer.
struct ConnectionAttempt {
  let number: UInt64
  let call: MethodCall
}
