internal import CNetworkManager

/// Starts a GLib operation and waits until it is ready; the caller then finishes it.
///
/// - Parameter start: passes both arguments on to a `…_async` function.
/// - Returns: the `GAsyncResult`.
func operation(_ start: (GAsyncReadyCallback, gpointer) -> Void) async -> ReadyResult {
  await withCheckedContinuation { continuation in
    beginOperation(start) { continuation.resume(returning: $0) }
  }
}

/// Starts a GLib operation; `ready` is called once, on the loop's thread.
func beginOperation(
  _ start: (GAsyncReadyCallback, gpointer) -> Void,
  ready: @escaping @Sendable (ReadyResult) -> Void
) {
  start(
    { _, result, ticket in
      guard let result, let ticket else { return }
      Unmanaged<OperationTicket>.fromOpaque(ticket).takeRetainedValue().ready(ReadyResult(result))
    }, Unmanaged.passRetained(OperationTicket(ready)).toOpaque())
}

private final class OperationTicket {
  let ready: @Sendable (ReadyResult) -> Void
  init(_ ready: @escaping @Sendable (ReadyResult) -> Void) { self.ready = ready }
}

/// A reference on the `GAsyncResult` of an operation that is ready.
///
/// Made and used on the loop's thread; GObject's reference count is thread-safe for the end.
final class ReadyResult: Sendable {
  // Set once; what it points to is handed out on the loop's thread only.
  nonisolated(unsafe) let pointer: OpaquePointer

  fileprivate init(_ result: OpaquePointer) {
    g_object_ref(UnsafeMutableRawPointer(result))
    pointer = result
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// Calls a GLib function that reports failure through its last argument.
func throwing<Result>(
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result?
) throws(GLibError) -> Result {
  var error: UnsafeMutablePointer<GError>?
  let result = body(&error)
  guard let result, error == nil else { throw GLibError(taking: error) }
  return result
}
