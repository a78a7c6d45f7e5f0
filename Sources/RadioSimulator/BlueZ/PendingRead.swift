internal import DBus

/// A read that the peer has not answered; later callers join it.
struct PendingRead {
  let number: UInt64
  let offset: Int
  var calls: [MethodCall]
}
