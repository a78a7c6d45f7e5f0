import Synchronization
import Testing

/// Runs an actor's jobs on the test's own thread, when the test says so: nothing happens between
/// two lines of a test.
final class ManualExecutor: SerialExecutor, TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let isRunning = Mutex(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    jobs.withLock { $0.append(unowned) }
  }

  // A test and what it calls have one thread; jobs that other threads enqueue wait for it.
  func isIsolatingCurrentContext() -> Bool? { isRunning.withLock { $0 } }
  func checkIsolated() { precondition(isRunning.withLock { $0 }, "not on the executor") }

  /// Does `body` as a job would, then the jobs that it left, until there are none.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    isRunning.withLock { $0 = true }
    defer { isRunning.withLock { $0 = false } }
    let result = try body()
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    return result
  }
}
