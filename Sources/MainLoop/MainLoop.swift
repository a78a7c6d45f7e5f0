internal import CGLib
internal import Synchronization

/// A GLib main context as the executor of every actor that touches a C library.
///
/// Actors name the loop as their `unownedExecutor`; calls between two of them are plain calls on
/// one thread, C callbacks enter an actor with `assumeIsolated`, and order is kept. The thread
/// that calls ``run(_:)`` owns the context while it runs; libraries that look for the thread's
/// default context (GDBus, libnm) find it.
///
/// It is a task executor too: in a task that prefers it, what belongs to no actor stays on the
/// loop's thread. Without that Swift resumes every continuation on a thread of its pool, which
/// wakes up for nothing but to send the task back to the loop. Tasks made with
/// `Task(executorPreference: loop)` and their children do; those made with `Task {}` do not.
public final class MainLoop: SerialExecutor, TaskExecutor {
  // GLib documents GMainContext, GMainLoop and the GSource calls used here as thread-safe; the
  // pointers are set once, in the initializer.
  nonisolated(unsafe) private let glibContext: OpaquePointer
  nonisolated(unsafe) private let glibLoop: OpaquePointer
  nonisolated(unsafe) private let jobSource: UnsafeMutablePointer<JobSource>
  private let jobs = Mutex<[UnownedJob]>([])

  /// Makes a loop with a context of its own; nothing runs before ``run(_:)``.
  public init() {
    guard let context = g_main_context_new(), let loop = g_main_loop_new(context, 0),
      let raw = g_source_new(jobSourceFunctions, guint(MemoryLayout<JobSource>.size))
    else { preconditionFailure("GLib is out of memory") }
    glibContext = context
    glibLoop = loop
    jobSource = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: JobSource.self)
    jobSource.pointee.loop = Unmanaged.passUnretained(self)
    g_source_attach(raw, context)
  }

  deinit {
    g_source_destroy(rawJobSource)
    g_source_unref(rawJobSource)
    g_main_loop_unref(glibLoop)
    g_main_context_unref(glibContext)
  }

  private var rawJobSource: UnsafeMutablePointer<GSource> {
    UnsafeMutableRawPointer(jobSource).assumingMemoryBound(to: GSource.self)
  }

  /// The `GMainContext *`, for wrappers of C libraries that attach sources to it.
  package var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(glibContext) }

  /// Appends a job; safe from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let wasEmpty = jobs.withLock { jobs in
      jobs.append(unowned)
      return jobs.count == 1
    }
    if wasEmpty { g_source_set_ready_time(rawJobSource, 0) }
  }

  /// Whether the calling thread is the one that runs the loop.
  public func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(glibContext) != 0 }

  /// Stops the process unless the calling thread is the one that runs the loop.
  public func checkIsolated() {
    precondition(g_main_context_is_owner(glibContext) != 0, "not on the main loop's thread")
  }

  fileprivate func drain() {
    // Re-armed by the first job that is appended after this swap.
    g_source_set_ready_time(rawJobSource, -1)
    let batch = jobs.withLock { jobs in
      let batch = jobs
      jobs.removeAll(keepingCapacity: true)
      return batch
    }
    for job in batch {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  /// Runs `main` on the loop and the loop on the calling thread, until `main` returns.
  ///
  /// - Parameter main: isolated to the loop by its argument, so that it is there after each await.
  /// - Returns: what `main` returned, as the process's exit status.
  public func run(_ main: @escaping @Sendable (isolated Root) async -> Int32) -> Int32 {
    let root = Root(loop: self)
    // Detached: a task of the main actor would wait for a thread that GLib never gives back.
    Task.detached(executorPreference: self) { await root.run(main) }
    g_main_context_push_thread_default(glibContext)
    g_main_loop_run(glibLoop)
    g_main_context_pop_thread_default(glibContext)
    return root.status.withLock { $0 }
  }

  fileprivate func quit() { g_main_loop_quit(glibLoop) }
}

extension MainLoop {
  /// Where a program's first function runs: an actor of the loop with nothing of its own.
  public actor Root {
    /// The loop that this actor runs on.
    public nonisolated let loop: MainLoop
    fileprivate nonisolated let status = Mutex<Int32>(0)

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
      loop.asUnownedSerialExecutor()
    }

    fileprivate init(loop: MainLoop) { self.loop = loop }

    fileprivate func run(_ main: @Sendable (isolated Root) async -> Int32) async {
      let result = await main(self)
      status.withLock { $0 = result }
      loop.quit()
    }
  }
}

/// A `GSource` that carries the loop whose jobs it runs.
private struct JobSource {
  var base: GSource
  var loop: Unmanaged<MainLoop>
}

// Written once, before the first use, and only read by GLib.
nonisolated(unsafe) private let jobSourceFunctions: UnsafeMutablePointer<GSourceFuncs> = {
  let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
  functions.initialize(
    to: GSourceFuncs(
      prepare: nil, check: nil,
      dispatch: { source, _, _ in
        guard let source else { return 0 }
        UnsafeMutableRawPointer(source).assumingMemoryBound(to: JobSource.self)
          .pointee.loop.takeUnretainedValue().drain()
        return 1
      },
      finalize: nil, closure_callback: nil, closure_marshal: nil))
  return functions
}()
