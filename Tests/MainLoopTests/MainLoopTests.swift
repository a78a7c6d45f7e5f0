import Glibc
import MainLoop
import Synchronization
import TestSupport
import Testing

private actor Recorder {
  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private(set) var seen: [Int] = []
  init(_ loop: MainLoop) { self.loop = loop }

  func isOnLoop() -> Bool { loop.isIsolatingCurrentContext() == true }
  func note(_ number: Int) { seen.append(number) }
}

@Suite(.timeLimit(.minutes(1))) struct MainLoopTests {
  @Test func actorsRunOnTheLoopsThread() async throws {
    try await onLoop { loop in
      #expect(await Recorder(loop).isOnLoop())
      let off = await Task.detached { loop.isIsolatingCurrentContext() }.value
      #expect(off == false)
    }
  }

  @Test func aTaskThatPrefersTheLoopNeverLeavesIt() async throws {
    try await onLoop { loop in
      let places = await Task(executorPreference: loop) {
        var places = [loop.isIsolatingCurrentContext()]
        await withTaskCancellationHandler {
          places.append(loop.isIsolatingCurrentContext())
          await withCheckedContinuation { continuation in
            loop.after(.zero) { continuation.resume() }
          }
          places.append(loop.isIsolatingCurrentContext())
        } onCancel: {
        }
        return places
      }.value
      #expect(places == [true, true, true])
    }
  }

  @Test func workFromOtherThreadsArrivesCompleteAndInEachTasksOrder() async throws {
    try await onLoop { loop in
      let recorder = Recorder(loop)
      await withTaskGroup(of: Void.self) { group in
        for base in 0..<8 {
          group.addTask { for step in 0..<200 { await recorder.note(base * 1000 + step) } }
        }
      }
      let seen = await recorder.seen
      #expect(seen.count == 1600)
      for base in 0..<8 {
        #expect(seen.filter { $0 / 1000 == base } == (0..<200).map { base * 1000 + $0 })
      }
    }
  }

  @Test func leavingTheLoopsThreadIsCaught() async {
    await #expect(processExitsWith: .failure) { MainLoop().checkIsolated() }
  }

  @Test func timersFireOnceAndCancelledOnesNever() async throws {
    try await onLoop { loop in
      let (fired, continuation) = AsyncStream.makeStream(of: Int.self)
      let never = loop.after(.zero) { continuation.yield(1) }
      never.cancel()
      never.cancel()
      loop.after(.milliseconds(1)) { continuation.yield(2) }
      var next = fired.makeAsyncIterator()
      #expect(await next.next() == 2)
      loop.after(.zero) { continuation.yield(3) }
      #expect(await next.next() == 3)
    }
  }

  @Test func aCancelledSleepThrowsWheneverItIsCancelled() async throws {
    try await onLoop { loop in
      let task = Task { try await loop.sleep(for: .seconds(3600)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let (started, continuation) = AsyncStream.makeStream(of: Void.self)
      let later = Task {
        continuation.finish()
        try await loop.sleep(for: .seconds(3600))
      }
      for await _ in started {}
      later.cancel()
      await #expect(throws: CancellationError.self) { try await later.value }
      try await loop.sleep(for: .milliseconds(1))
    }
  }

  @Test(
    arguments: [
      (Duration.zero, 0), (.seconds(-5), 0), (.nanoseconds(1), 1), (.milliseconds(1500), 1500),
      (.seconds(1 << 40), UInt32(Int32.max)),
    ] as [(Duration, UInt32)])
  func durationsBecomeWholeMilliseconds(duration: Duration, expected: UInt32) {
    #expect(duration.wholeMilliseconds == expected)
  }

  @Test func signalsReachTheLoop() async throws {
    try await onLoop { loop in
      let signals = loop.signals([.hangup])
      kill(getpid(), SIGHUP)
      for await signal in signals {
        #expect(signal == .hangup)
        break
      }
    }
  }

  @Test(arguments: [
    (["true"], ChildProcess.End.exited(status: 0)),
    (["sh", "-c", "exit 7"], .exited(status: 7)),
    (["sh", "-c", "kill -KILL $$"], .killed(signal: 9)),
  ])
  func childProcessesEndAsTheyDo(arguments: [String], expected: ChildProcess.End) async throws {
    try await onLoop { loop in
      let child = try ChildProcess(arguments, loop: loop)
      #expect(await child.end() == expected)
      #expect(await child.end() == expected)
    }
  }

  @Test func childProcessesInheritNothingButTheirStandardFiles() async throws {
    try await onLoop { loop in
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { for end in ends { close(end) } }
      let child = try ChildProcess(
        ["sh", "-c", "test ! -e /proc/self/fd/\(ends[0]) -a ! -e /proc/self/fd/\(ends[1])"],
        loop: loop)
      #expect(await child.end() == .exited(status: 0))
    }
  }

  @Test func aMissingProgramIsAnErrorThatNamesIt() async throws {
    try await onLoop { loop in
      let error = #expect(throws: ChildProcess.StartError.self) {
        try ChildProcess(["/nonexistent/program"], loop: loop)
      }
      #expect(error?.errorNumber == ENOENT)
    }
  }
}
