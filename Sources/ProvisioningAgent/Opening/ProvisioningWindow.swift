package import ProvisioningProtocol

/// Decides when a device is open.
///
/// A value without a clock: each event comes with its time, a duration since any fixed start, and
/// the caller runs `advance` when `deadline` has come.
package struct ProvisioningWindow: Equatable, Sendable {
  /// What a restart of the program must not forget; a reboot may.
  package struct Memory: Hashable, Sendable {
    /// Until when a person has it open, perhaps ``forEver``; nil where nobody has.
    package var openedByHandUntil: Duration?
    /// Until when the mode has it open; nil where it has not, or without an end.
    package var openedUntil: Duration?
    /// Whether the mode's window is over, until there was a connection.
    package var isOver = false
    /// Whether a person closed it, until there was a connection or the person opens it.
    package var isClosedByHand = false

    package init() {}
  }

  /// What is known of the device's connections.
  package struct Connections: Equatable, Sendable {
    package var isOnline: Bool
    /// The Wi-Fi network in use.
    package var ssid: SSID?
    /// Nil where it cannot be known, for NetworkManager does not run.
    package var hasSavedNetwork: Bool?

    package init(isOnline: Bool, ssid: SSID? = nil, hasSavedNetwork: Bool?) {
      self.isOnline = isOnline
      self.ssid = ssid
      self.hasSavedNetwork = hasSavedNetwork
    }
  }

  package let policy: OpeningPolicy
  package private(set) var state: OpenState
  package private(set) var memory: Memory
  /// What the mode wants, whatever its window and a person say.
  private var wish = OpenState.closed(.starting)
  private var connections: Connections?
  private var offlineSince: Duration
  /// Whether a provisioner has the device, or it is on its way into a network.
  private var isInUse = false
  /// Until when it stays open after use, though nothing else asks for that.
  private var keptUntil: Duration?

  /// - Parameter memory: of the program before this one, on the same clock.
  package init(_ policy: OpeningPolicy, memory: Memory = Memory(), at now: Duration) {
    self.policy = policy
    self.memory = memory
    offlineSince = now
    state = .closed(.starting)
    update(at: now)
  }

  /// When to call `advance`; nil while there is nothing to wait for.
  package private(set) var deadline: Duration?

  /// When it closes unless it is used; nil while it is closed, used, or open without an end.
  package var end: Duration? {
    guard state.isOpen, !isInUse else { return nil }
    return ends.max().flatMap { $0 < Self.forEver ? $0 : nil }
  }

  /// Takes note of what the device is connected to.
  package mutating func connectionsChanged(to new: Connections, at now: Duration) {
    let wasOnline = connections?.isOnline
    connections = new
    if new.isOnline {
      memory.isOver = false
      if wasOnline == false { memory.isClosedByHand = false }
    } else if wasOnline == true {
      offlineSince = now
    }
    update(at: now)
  }

  /// Takes note that a provisioner has the device or lets go of it, with success or without.
  package mutating func useChanged(to isInUse: Bool, at now: Duration) {
    guard isInUse != self.isInUse else { return }
    self.isInUse = isInUse
    if !isInUse, state.isOpen {
      let isDone = connections?.isOnline ?? false
      keptUntil = now + (isDone ? OpeningPolicy.grace : OpeningPolicy.retryTime)
    }
    update(at: now)
  }

  /// Takes note that a provisioner got the device into a network: nobody has to hold it open now.
  package mutating func succeeded(at now: Duration) {
    memory.openedByHandUntil = nil
    memory.openedUntil = nil
    keptUntil = now + OpeningPolicy.grace
    update(at: now)
  }

  /// A person opens the device.
  ///
  /// - Parameter length: zero for ever; nil for what is configured.
  package mutating func open(for length: Duration?, at now: Duration) {
    let length = length ?? policy.window ?? OpeningPolicy.byHand
    memory.openedByHandUntil = length == .zero ? Self.forEver : now + length
    memory.isClosedByHand = false
    update(at: now)
  }

  /// A person closes it.
  package mutating func close(at now: Duration) {
    memory.openedByHandUntil = nil
    memory.openedUntil = nil
    memory.isClosedByHand = true
    keptUntil = nil
    isInUse = false
    update(at: now)
  }

  /// Takes note that it is so late.
  package mutating func advance(to now: Duration) { update(at: now) }

  /// An end that never comes.
  package static let forEver = Duration.seconds(1 << 60)

  /// When what has it open ends; none where nothing ends.
  private var ends: [Duration] {
    let ends = [memory.openedByHandUntil, memory.openedUntil].compactMap(\.self)
    // What the mode has open without an end needs not be kept open.
    return wish.isOpen && ends.isEmpty ? [] : ends + [keptUntil].compactMap(\.self)
  }

  private mutating func update(at now: Duration) {
    if let end = memory.openedByHandUntil, end <= now, !isInUse { memory.openedByHandUntil = nil }
    if let end = keptUntil, end <= now { keptUntil = nil }
    wish = wish(at: now)
    if wish.isOpen {
      if memory.openedUntil == nil, !memory.isOver, let length = policy.window, length > .zero {
        memory.openedUntil = now + length
      }
    } else if wish != .closed(.starting) {
      memory.openedUntil = nil
    }
    if let end = memory.openedUntil, end <= now, !isInUse, keptUntil == nil {
      memory.openedUntil = nil
      memory.isOver = true
    }
    state = decided(at: now)
    deadline = nextDeadline(at: now)
  }

  private func wish(at now: Duration) -> OpenState {
    switch policy.mode {
    case .always: return .open(.always)
    case .manual: return .closed(.manual)
    case .unprovisioned:
      guard let connections, let saved = connections.hasSavedNetwork else {
        return .closed(.starting)
      }
      return saved ? .closed(.provisioned) : .open(.nothingSaved)
    case .offline:
      guard let connections else { return .closed(.starting) }
      if connections.isOnline {
        return .closed(.online(connections.ssid, opensAfter: policy.offlineAfter))
      }
      if connections.hasSavedNetwork == false { return .open(.nothingSaved) }
      return offlineSince + policy.offlineAfter <= now
        ? .open(.offline(policy.offlineAfter)) : .closed(.waiting(policy.offlineAfter))
    }
  }

  private func decided(at now: Duration) -> OpenState {
    if memory.openedByHandUntil != nil { return .open(.byHand) }
    if memory.isClosedByHand { return .closed(.byHand) }
    switch wish {
    case .open where memory.isOver: return .closed(.windowOver)
    case .open: return wish
    case .closed:
      // It closes when nobody is held up by that.
      return state.isOpen && (isInUse || keptUntil != nil) ? state : wish
    }
  }

  private func nextDeadline(at now: Duration) -> Duration? {
    if state.isOpen {
      // While it is used nothing ends.
      guard !isInUse else { return nil }
      return ends.filter { $0 > now && $0 < Self.forEver }.min()
    }
    guard case .closed(.waiting) = state else { return nil }
    return offlineSince + policy.offlineAfter
  }
}
