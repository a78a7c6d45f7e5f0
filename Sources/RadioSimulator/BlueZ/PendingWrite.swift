internal import DBus

/// A write that the peer has not answered.
struct PendingWrite {
  let number: UInt64
  let call: MethodCall
}
