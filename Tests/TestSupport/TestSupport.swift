internal import Glibc
package import MainLoop
package import RadioSimulator

/// Runs a test's body beside a main loop of its own.
///
/// The loop has a thread of its own, since the test runner keeps the main one.
package func onLoop<Result: Sendable>(
  _ body: @escaping @Sendable (MainLoop) async throws -> Result
) async throws -> Result {
  try await onRoot { root in try await body(root.loop) }
}

/// Runs a test's body beside a main loop and a message bus of its own.
package func onPrivateBus<Result: Sendable>(
  _ body: @escaping @Sendable (MainLoop, PrivateBus) async throws -> Result
) async throws -> Result {
  try await onRoot { root in
    // On the loop's thread: the bus ends when the thread that started it does.
    let bus = try PrivateBus(loop: root.loop)
    do {
      let result = try await body(root.loop, bus)
      await bus.stop()
      return result
    } catch {
      await bus.stop()
      throw error
    }
  }
}

private func onRoot<Result: Sendable>(
  _ body: @escaping @Sendable (isolated MainLoop.Root) async throws -> Result
) async throws -> Result {
  let loop = MainLoop()
  let (finished, finish) = AsyncStream.makeStream(of: Void.self)
  defer { finish.finish() }
  let root = await withCheckedContinuation { continuation in
    startThread {
      _ = loop.run { root in
        continuation.resume(returning: root)
        for await _ in finished {}
        return 0
      }
    }
  }
  // Made by the test's own task, so that what fails is known to be this test's.
  let task = Task(executorPreference: loop) { try await body(root) }
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    task.cancel()
  }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { data in
      if let data { Unmanaged<ThreadJob>.fromOpaque(data).takeRetainedValue().run() }
      return nil
    }, Unmanaged.passRetained(ThreadJob(body)).toOpaque())
  precondition(status == 0, "no thread left")
  pthread_detach(thread)
}

private final class ThreadJob: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A program of a test could not be written.
package struct ProgramNotWritten: Error {}

/// Writes a shell script, ready to be started.
///
/// By another process: what some other test starts at that moment inherits this process's
/// descriptors until it executes, and a program open for writing does not start (ETXTBSY,
/// execve(2)).
package func writeProgram(_ script: String, at path: String, mode: UInt32 = 0o755) throws {
  let command = "cat >'\(path)' && chmod \(String(mode, radix: 8)) '\(path)'"
  guard let pipe = popen(command, "we") else { throw ProgramNotWritten() }
  fputs("#!/bin/sh\n\(script)\n", pipe)
  guard pclose(pipe) == 0 else { throw ProgramNotWritten() }
}
