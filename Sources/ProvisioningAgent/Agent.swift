package import Diagnostics
package import ProvisioningProtocol

/// A device's side of provisioning: runs what ``DeviceSession`` decides, through its ports.
///
/// Runs on the executor of its ports, so that a central's read or write is answered before the
/// call returns. While nobody provisions it has no timer and no task.
package actor Agent {
  private nonisolated let executor: any SerialExecutor & TaskExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let device: DeviceDescription
  private let information: [UInt8]
  private let guessStore: (any GuessStore)?
  private let indicator: (any IndicatorPort)?
  private let peripheral: any PeripheralPort
  private let station: any StationPort
  private let clock: any ClockPort
  private let log: AgentLog
  private let notifier: ServiceNotifier

  private var session: DeviceSession
  private var window: ProvisioningWindow
  private let windowStore: (any WindowStore)?
  /// What the store has.
  private var storedMemory: ProvisioningWindow.Memory
  private var observers: [any AgentObserver] = []
  private var shownState: AgentState?
  /// What was logged, told and done last.
  private var shownOpenState = OpenState.closed(.starting)
  /// Nil until Bluetooth has told anything.
  private var peripheralState: PeripheralState?
  /// Nil until Wi-Fi has told anything.
  private var stationState: StationState?
  private var isStationStarted = false
  private var isStationPrepared = false
  /// Ends the wait before the state is advertised.
  private var advertising: (@Sendable () -> Void)?
  /// Ends the time for which a central that has just connected is expected to write.
  private var expectation: (@Sendable () -> Void)?
  private var attempt: Attempt?
  /// Nil while the device does not make itself noticed.
  private var identification: Identification?
  private var timer: Timer?
  /// How many segments were sent in the session.
  private var sentSegments = 0
  private var statusText = ""

  /// A join that runs, or one that was stopped and is still being cleaned up.
  private struct Attempt {
    let number: UInt8
    let task: Task<Void, Never>
  }

  /// What the device does to be noticed.
  private struct Identification {
    let restore: @Sendable () throws -> Void
    let cancelTimer: @Sendable () -> Void
  }

  /// How long the device makes itself noticed; asked again meanwhile, it begins anew.
  private static let identificationTime = Duration.seconds(10)
  /// How long a state stays before it is advertised: what Bluetooth has to do for it holds up the
  /// session that it is about.
  private static let advertisementDelay = Duration.seconds(1)
  /// How long a central may take to its first write, for which the Wi-Fi is kept ready.
  private static let expectedSilence = Duration.seconds(20)

  private struct Timer {
    let deadline: Duration
    let cancel: @Sendable () -> Void
  }

  /// Makes an agent; nothing happens before ``start()``.
  ///
  /// - Parameters:
  ///   - code: the setup code for the secure profile; nil for none.
  ///   - indicator: what makes the device noticed; nil for nothing, which is what provisioners are
  ///     told then.
  ///   - policy: when the device is open.
  ///   - memory: of the agent before this one, where there was one since the boot.
  ///   - windowStore: keeps the memory; nil for nowhere.
  ///   - executor: the one that the ports are called on.
  /// - Throws: ``DeviceInformation/EncodingError`` when the description is too long for a device
  ///   information value, and what the cryptography library says.
  package init(
    device: DeviceDescription, code: CodeCheck? = nil, indicator: (any IndicatorPort)? = nil,
    policy: OpeningPolicy, memory: ProvisioningWindow.Memory? = nil,
    windowStore: (any WindowStore)? = nil, peripheral: any PeripheralPort, station: any StationPort,
    clock: any ClockPort, executor: any SerialExecutor & TaskExecutor, log: Log,
    notifier: ServiceNotifier
  ) throws {
    let features: [DeviceFeature] = indicator == nil ? [] : [.identify]
    let information = try device.information(
      features: features, stretching: code?.verifier.stretching
    ).encoded()
    let setup = code.map { code in
      SecureSetup(
        deviceID: device.id, information: information, record: code.verifier.record,
        wrongGuesses: code.wrongGuesses)
    }
    session = DeviceSession(
      mode: device.mode, features: Set(features), securities: device.securities, setup: setup,
      at: clock.now)
    storedMemory = memory ?? ProvisioningWindow.Memory()
    window = ProvisioningWindow(policy, memory: storedMemory, at: clock.now)
    self.windowStore = windowStore
    self.information = information
    guessStore = code?.store
    self.indicator = indicator
    self.device = device
    self.peripheral = peripheral
    self.station = station
    self.clock = clock
    self.executor = executor
    self.log = AgentLog(log)
    self.notifier = notifier
  }

  /// Offers the device to provisioners.
  package func start() {
    log.started(device)
    if device.mode == .code, guessStore == nil { log.setupCodeIsMissing() }
    shownOpenState = window.state
    peripheral.start(advertising: advertisement, server: self)
    // Otherwise it comes after the first advertisement, which nothing should hold up.
    if !window.state.isOpen { startStation() }
    log.changed(to: window.state)
    if window.state.isOpen { tell(.opened(window.state)) }
    arm()
  }

  /// Tells another one what happens from now on.
  package func observe(_ observer: any AgentObserver) { observers.append(observer) }

  /// What is to be known of the device now.
  package var state: AgentState {
    AgentState(
      openState: window.state, windowEnd: window.end,
      session: session.owner, status: session.fullStatus, bluetooth: peripheralState,
      obstacle: session.obstacle)
  }

  /// Opens the device, as the person at it wishes.
  ///
  /// - Parameter length: how long it stays open unused; zero for ever, nil as is configured.
  package func open(for length: Duration?) {
    window.open(for: length, at: clock.now)
    perform([])
  }

  /// Closes the device, as the person at it wishes; an attempt that runs goes on.
  package func close() {
    window.close(at: clock.now)
    perform([])
  }

  /// Whether the device has something to make itself noticed with.
  package nonisolated var canIdentify: Bool { indicator != nil }

  /// Has the device make itself noticed, as a provisioner's request does; does nothing where it
  /// cannot.
  package func identify() { makeNoticed() }

  /// Removes what is kept of a network, as the person at the device wishes.
  ///
  /// - Returns: how many profiles there were.
  package func forget(_ ssid: SSID) async -> Result<Int, RequestFailure> {
    log.forgetting(ssid)
    let result = await station.forget(ssid)
    if case .success(1...) = result { tell(.forgotten(ssid)) }
    return result
  }

  /// Lifts a lock after wrong setup codes, as the person at the device wishes.
  package func forgiveGuesses() {
    perform(session.forgiveGuesses())
    log.guessesAreForgiven()
  }

  /// Has the device no longer make itself noticed.
  package func endIdentification() {
    guard let identification else { return }
    self.identification = nil
    identification.cancelTimer()
    do {
      try identification.restore()
    } catch {
      log.identificationIsNotRestored(error)
    }
  }

  /// Ends an attempt that runs, tells the provisioner so, and withdraws the device.
  package func stop() async {
    if let attempt {
      perform(session.attemptEnded(.failed(.cancelled), of: attempt.number, at: clock.now))
      attempt.task.cancel()
      await attempt.task.value
    }
    timer?.cancel()
    timer = nil
    endExpectation()
    endIdentification()
    advertising?()
    advertising = nil
    await peripheral.stop()
    if isStationPrepared { station.release() }
    isStationPrepared = false
  }
}

// MARK: - Doing what the session decides

extension Agent {
  private func perform(_ actions: [DeviceSession.Action]) {
    for action in actions { perform(action) }
    window.useChanged(to: session.owner != nil || attempt != nil, at: clock.now)
    applyWindow()
    let isStationNeeded = session.owner != nil || attempt != nil || expectation != nil
    if isStationNeeded != isStationPrepared {
      isStationPrepared = isStationNeeded
      if isStationNeeded { station.prepare() } else { station.release() }
    }
    arm()
    report()
  }

  /// What everybody in reach is told; nil while the device is closed.
  private var advertisement: ProvisioningAdvertisement? {
    window.state.isOpen ? device.advertisement(session.advertisedState) : nil
  }

  /// Opens and closes as the window says.
  private func applyWindow() {
    if window.memory != storedMemory {
      storedMemory = window.memory
      do {
        try windowStore?.store(storedMemory)
      } catch {
        log.windowIsNotStored(error)
      }
    }
    let (old, new) = (shownOpenState, window.state)
    guard old != new else { return }
    shownOpenState = new
    log.changed(to: new)
    guard old.isOpen != new.isOpen else { return }
    advertising?()
    advertising = nil
    if new.isOpen {
      peripheral.advertise(advertisement)
      tell(.opened(new))
    } else {
      if let owner = session.owner { perform(session.disconnected(owner)) }
      endExpectation()
      peripheral.advertise(nil)
      tell(.closed(new))
    }
  }

  private func tell(_ event: AgentEvent) {
    for observer in observers { observer.agentDid(event) }
  }

  private func perform(_ action: DeviceSession.Action) {
    switch action {
    case .sessionBegan(let central):
      sentSegments = 0
      tell(.sessionBegan(central))
      log.sessionBegan(central)
    case .sessionEnded(let central, .disconnected):
      tell(.sessionEnded(central))
      log.sessionEnded(central, "disconnected")
    case .sessionEnded(let central, .silent):
      tell(.sessionEnded(central))
      log.sessionEnded(central, "been silent for too long")
    case .sessionSecured(let central):
      log.knowsCode(central)
    case .sessionEnded(let central, .aborted(let reason)):
      tell(.sessionEnded(central))
      log.broken(central, reason)
    case .notify(let status):
      log.told(status)
      peripheral.notify(status.encoded, of: .status)
    case .send(let message): send(message)
    case .storeWrongGuesses(let count): store(wrongGuesses: count)
    case .scan(let errand):
      Task(executorPreference: executor) {
        await self.scanned(await self.station.scan(), errand)
      }
    case .forgetNetwork(let ssid, let errand):
      Task(executorPreference: executor) {
        await self.forgot(await self.forget(ssid), errand)
      }
    case .list(let errand):
      Task(executorPreference: executor) {
        await self.listed(await self.station.savedNetworks(), errand)
      }
    case .advertise:
      advertiseSoon()
    case .connect(let request):
      connect(request)
    case .stop(let number):
      if attempt?.number == number { attempt?.task.cancel() }
    case .identify: makeNoticed()
    case .forget:
      // Not among the features of any device yet, so the session never asks.
      break
    }
  }

  private func connect(_ request: ConnectRequest) {
    log.joining(request)
    let previous = attempt?.task
    // The device may be on its way back from it, and need not get there.
    previous?.cancel()
    let number = request.attempt
    attempt = Attempt(
      number: number,
      task: Task(executorPreference: executor) {
        // One that was stopped may still be removing what it left in the system.
        await previous?.value
        let end: JoinResult
        if Task.isCancelled {
          end = JoinResult(.failed(.cancelled))
        } else {
          end = await self.station.join(request) { [weak self] progress in
            self?.assumeIsolated { $0.take(progress, number) }
          }
        }
        await self.attemptEnded(end, number)
      })
  }

  private func makeNoticed() {
    guard let indicator else { return }
    do {
      let restore = try identification?.restore ?? indicator.begin()
      identification?.cancelTimer()
      let cancelTimer = clock.after(Self.identificationTime) { [weak self] in
        self?.assumeIsolated { $0.endIdentification() }
      }
      if identification == nil { log.identifying() }
      identification = Identification(restore: restore, cancelTimer: cancelTimer)
    } catch {
      log.cannotIdentify(error)
    }
  }

  private func attemptEnded(_ end: JoinResult, _ number: UInt8) {
    let isCurrent = attempt?.number == number
    if isCurrent { attempt = nil }
    // What has been told of the failure is not told again when the device is back.
    let isReturning = session.isReturning(from: number)
    if !isReturning, let evidence = end.evidence { log.found(evidence, number) }
    let isSuccess = if case .connected = end.result { true } else { false }
    if isSuccess { window.succeeded(at: clock.now) }
    perform(
      session.attemptEnded(end.result, of: number, evidence: end.evidence, at: clock.now))
    if isCurrent, !isReturning {
      tell(isSuccess ? .connected(session.fullStatus) : .failed(session.fullStatus))
    }
  }

  private func take(_ progress: AttemptProgress, _ number: UInt8) {
    switch progress {
    case .reached(let step): perform(session.attemptReached(step, of: number))
    case .failing(let reason, let evidence):
      log.found(evidence, number)
      perform(
        session.attemptFailing(reason, of: number, evidence: evidence, at: clock.now))
      if attempt?.number == number { tell(.failed(session.fullStatus)) }
    }
  }

  private func scanned(_ result: Result<VisibleNetworks, RequestFailure>, _ errand: UInt32) {
    perform(session.scanned(result, errand: errand, at: clock.now))
  }

  private func listed(_ result: Result<[SavedNetwork], RequestFailure>, _ errand: UInt32) {
    perform(session.listed(result, errand: errand, at: clock.now))
  }

  private func forgot(_ result: Result<Int, RequestFailure>, _ errand: UInt32) {
    perform(session.forgot(result, errand: errand, at: clock.now))
  }

  /// Sends a message in segments that every central can take: a notification reaches all of them.
  private func send(_ message: [UInt8]) {
    do throws(SegmentWriter.LengthError) {
      // Three bytes of the MTU are not the value's.
      let segments = try SegmentWriter.segments(
        of: message, mtu: peripheral.notificationLength + 3, from: sentSegments)
      sentSegments += segments.count
      for segment in segments { peripheral.notify(segment, of: .session) }
    } catch {
      log.cannotSend(count: message.count)
    }
  }

  private func store(wrongGuesses count: UInt32) {
    guard let guessStore else { return }
    do {
      try guessStore.store(wrongGuesses: count)
      perform(session.wrongGuessesStored(true))
    } catch {
      log.guessesAreNotStored(error)
      perform(session.wrongGuessesStored(false))
    }
  }

  private func advertiseSoon() {
    guard advertising == nil, window.state.isOpen else { return }
    advertising = clock.after(Self.advertisementDelay) { [weak self] in
      self?.assumeIsolated { agent in
        agent.advertising = nil
        agent.peripheral.advertise(agent.advertisement)
      }
    }
  }

  /// Has the Wi-Fi made ready while the central still looks at the table.
  private func expectSession() {
    guard window.state.isOpen, device.mode != .code || guessStore != nil else { return }
    endExpectation()
    expectation = clock.after(Self.expectedSilence) { [weak self] in
      self?.assumeIsolated { agent in
        agent.expectation = nil
        agent.perform([])
      }
    }
    perform([])
  }

  private func endExpectation() {
    expectation?()
    expectation = nil
  }

  /// Keeps one timer, for the next deadline, and none while there is none.
  private func arm() {
    let deadline = [session.deadline, window.deadline].compactMap(\.self).min()
    guard timer?.deadline != deadline else { return }
    timer?.cancel()
    timer = deadline.map { deadline in
      let cancel = clock.after(deadline - clock.now) { [weak self] in
        self?.assumeIsolated { agent in
          agent.timer = nil
          agent.window.advance(to: agent.clock.now)
          agent.perform(agent.session.advance(to: agent.clock.now))
        }
      }
      return Timer(deadline: deadline, cancel: cancel)
    }
  }
}

// MARK: - What Bluetooth and Wi-Fi tell

extension Agent: AttributeServer {
  package nonisolated func peripheralDidChange(_ state: PeripheralState) {
    assumeIsolated { $0.take(state) }
  }

  package nonisolated func value(
    of characteristic: ProvisioningCharacteristic, for central: CentralID
  ) -> [UInt8] {
    assumeIsolated { agent in
      switch characteristic {
      case .status:
        let status = agent.session.readStatus(by: central, at: agent.clock.now)
        agent.arm()
        return status.encoded
      case .information: return agent.information
      case .ssid, .password, .control, .session: return []
      }
    }
  }

  package nonisolated func write(
    _ value: [UInt8], to characteristic: ProvisioningCharacteristic, from central: CentralID
  ) throws(ApplicationError) {
    let error = assumeIsolated { agent in
      let response = agent.session.write(
        value, to: characteristic, from: central, at: agent.clock.now)
      if let error = response.error { agent.log.refused(characteristic, of: central, error) }
      agent.perform(response.actions)
      return response.error
    }
    if let error { throw error }
  }

  package nonisolated func centralDidConnect() {
    assumeIsolated { $0.expectSession() }
  }

  package nonisolated func centralDidDisconnect(_ central: CentralID) {
    assumeIsolated { agent in
      agent.endExpectation()
      agent.perform(agent.session.disconnected(central))
    }
  }

  private func take(_ state: PeripheralState) {
    let old = peripheralState
    guard state != old else { return }
    peripheralState = state
    log.changed(to: state)
    if old == nil {
      // Ready without Bluetooth too: the daemon waits for it, and a boot must not wait for that.
      notifier.notify(.ready)
      startStation()
    }
    report()
  }

  private func startStation() {
    guard !isStationStarted else { return }
    isStationStarted = true
    station.start { [weak self] state in self?.assumeIsolated { $0.take(state) } }
  }

  private func take(_ state: StationState) {
    let old = stationState
    guard state != old else { return }
    stationState = state
    session.obstacle = state.obstacle
    if let obstacle = state.obstacle {
      if obstacle != old?.obstacle { log.wifi(cannotBeUsedFor: obstacle) }
    } else if old == nil || old?.obstacle != nil {
      log.wifiCanBeUsed()
    }
    let isOnline =
      state.link != nil
      || (state.hasOtherConnection && window.policy.countsOtherConnections)
    window.connectionsChanged(
      to: ProvisioningWindow.Connections(
        isOnline: isOnline, ssid: state.link?.ssid, hasSavedNetwork: state.hasSavedNetwork),
      at: clock.now)
    perform(session.linkChanged(to: state.link, at: clock.now))
  }

  /// Tells the service manager and the observers what a person would want to know, when that has
  /// changed.
  private func report() {
    let state = state
    if state != shownState {
      shownState = state
      for observer in observers { observer.agentDidChange(state) }
    }
    guard let peripheralState else { return }
    var text =
      switch peripheralState {
      case .unavailable(let why): "Waiting for Bluetooth: \(why)"
      case .hidden(let why): "Not advertising: \(why)"
      case .idle: window.state.words
      case .advertising: "Advertising as ‘\(device.name)’ (\(device.id)), \(window.state.words)"
      }
    let status = session.status
    text += "; Wi-Fi: \(status.state.name)"
    if let obstacle = stationState?.obstacle {
      text += ", \(obstacle.name)"
    } else if status.reason != .none {
      text += ", \(status.reason.name)"
    }
    guard text != statusText else { return }
    statusText = text
    notifier.notify(.status(text))
  }
}
