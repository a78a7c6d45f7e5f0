internal import CGLib
internal import Glibc

/// The signals that a program may ask the loop for: those that GLib can watch.
public enum ProcessSignal: Int32, Sendable, CaseIterable {
  /// The terminal is gone, or the configuration is to be read again.
  case hangup = 1
  /// Ctrl-C.
  case interrupt = 2
  /// SIGUSR1, of whatever meaning the program gives it.
  case user1 = 10
  /// The service manager asks the program to stop.
  case terminate = 15
}

extension MainLoop {
  /// The named signals as they arrive, from now on; their default action no longer happens.
  ///
  /// The default action returns when the stream is dropped.
  public func signals(_ wanted: [ProcessSignal]) -> AsyncStream<ProcessSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ProcessSignal.self)
    var sources: [UInt] = []
    for signal in wanted {
      guard let source = g_unix_signal_source_new(signal.rawValue) else { continue }
      let ticket = SignalTicket(signal: signal, continuation: continuation)
      g_source_set_callback(
        source,
        { data in
          if let data {
            let ticket = Unmanaged<SignalTicket>.fromOpaque(data).takeUnretainedValue()
            ticket.continuation.yield(ticket.signal)
          }
          return 1
        }, Unmanaged.passRetained(ticket).toOpaque(),
        { data in if let data { Unmanaged<SignalTicket>.fromOpaque(data).release() } })
      g_source_attach(source, OpaquePointer(context))
      sources.append(UInt(bitPattern: source))
    }
    let watched = sources
    continuation.onTermination = { _ in
      for address in watched {
        guard let source = UnsafeMutablePointer<GSource>(bitPattern: address) else { continue }
        g_source_destroy(source)
        g_source_unref(source)
      }
    }
    return stream
  }
}

private final class SignalTicket: Sendable {
  let signal: ProcessSignal
  let continuation: AsyncStream<ProcessSignal>.Continuation
  init(signal: ProcessSignal, continuation: AsyncStream<ProcessSignal>.Continuation) {
    self.signal = signal
    self.continuation = continuation
  }
}
