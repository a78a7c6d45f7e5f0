internal import Diagnostics
internal import Glibc
internal import MainLoop
internal import ProvisioningAgent

/// Runs the owner's programs when something happens: one after the other, each for a limited time,
/// while everything else goes on.
actor Hooks: AgentObserver {
  /// How long a hook may run before it is asked to end, and then until it is killed.
  struct Limits {
    var run = Duration.seconds(10)
    var end = Duration.seconds(2)
  }

  /// How many events may wait for the hooks of those before.
  static let queueLimit = 32

  private nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let folder: HookFolder
  /// What is told with every event.
  private let environment: [String]
  private let limits: Limits
  private let log: Log
  private var queue: [HookEvent] = []
  private var isRunning = false
  private var hook: ChildProcess?
  /// What was logged, so that it is not said with each event.
  private var objections: Set<HookFolder.Objection> = []

  init(
    _ folder: HookFolder, environment: [String], limits: Limits = Limits(), loop: MainLoop,
    log: Log
  ) {
    self.folder = folder
    self.environment = environment
    self.limits = limits
    self.loop = loop
    self.log = log
  }

  /// Whether the device can be made noticed by a hook of its own.
  nonisolated var canIdentify: Bool { folder.hasOwnHook(for: .identify) }

  nonisolated func agentDid(_ event: AgentEvent) { take(HookEvent(event)) }

  nonisolated func agentDidChange(_ state: AgentState) {}

  /// Runs the hooks for an event, after those of the events before; called on the loop.
  nonisolated func take(_ event: HookEvent) { assumeIsolated { $0.append(event) } }

  /// Ends the hook that runs, and starts no other.
  func stop() {
    queue = []
    hook?.send(signal: SIGTERM)
  }

  private func append(_ event: HookEvent) {
    guard queue.count < Self.queueLimit else {
      log.warning("no hooks are run for ‘\(event.name.rawValue)’: too many are waiting")
      return
    }
    queue.append(event)
    guard !isRunning else { return }
    isRunning = true
    Task(executorPreference: loop) { await self.run() }
  }

  private func run() async {
    while !queue.isEmpty {
      let event = queue.removeFirst()
      let (hooks, objections) = folder.hooks(for: event.name)
      for objection in objections where self.objections.insert(objection).inserted {
        log.warning("no hook: \(objection.path): \(objection.reason)")
      }
      for path in hooks { await run(path, event) }
    }
    isRunning = false
  }

  private func run(_ path: String, _ event: HookEvent) async {
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(null) }
    let child: ChildProcess
    do throws(ChildProcess.StartError) {
      // Its output goes where the log goes.
      child = try ChildProcess(
        [path],
        environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"] + environment
          + ["PROVISIONING_EVENT=\(event.name.rawValue)"] + event.variables,
        standardInput: null, standardOutput: STDERR_FILENO, leadsGroup: true, loop: loop)
    } catch {
      log.warning("hook \(path), \(event.name.rawValue): \(error)")
      return
    }
    hook = child
    let seconds = limits.run
    let timers = [
      loop.after(limits.run) { [log] in
        log.warning("hook \(path), \(event.name.rawValue): ended after \(seconds)")
        child.send(signal: SIGTERM)
      },
      loop.after(limits.run + limits.end) { child.send(signal: SIGKILL) },
    ]
    let end = await child.end()
    for timer in timers { timer.cancel() }
    hook = nil
    switch end {
    case .exited(0): break
    case .exited(let status):
      log.warning("hook \(path), \(event.name.rawValue): exit status \(status)")
    case .killed(let signal):
      log.warning("hook \(path), \(event.name.rawValue): signal \(signal)")
    }
  }
}
