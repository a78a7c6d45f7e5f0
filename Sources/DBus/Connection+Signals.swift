internal import CDBus
// Without it, the executor protocol's own answer of "unknown" is found instead of the loop's.
internal import MainLoop

/// A subscription that a handler waits on.
struct SubscriptionEntry {
  let rule: MatchRule
  let handler: @Sendable (Message) -> Void
}

/// A well-known name whose owner is followed.
struct NameWatch {
  var owner: String?
  var handlers: [UInt64: @Sendable (String?) -> Void] = [:]
  /// Rules that name this sender and need its owner.
  var users = 0
}

/// Ends a subscription or a name watch when it is cancelled or dropped.
package final class Subscription: Sendable {
  private let connection: Connection
  private let end: @Sendable (isolated Connection) -> Void

  init(_ connection: Connection, _ end: @escaping @Sendable (isolated Connection) -> Void) {
    self.connection = connection
    self.end = end
  }

  deinit { cancel() }

  /// Ends it, on the loop's thread at once, elsewhere as soon as the loop turns.
  package func cancel() {
    let (connection, end) = (connection, end)
    if connection.loop.isIsolatingCurrentContext() == true {
      connection.assumeIsolated { end($0) }
    } else {
      Task(executorPreference: connection.loop) { await end(connection) }
    }
  }
}

extension Connection {
  /// Hears the signals that a rule describes, from when this returns.
  ///
  /// - Parameter handler: runs on the loop's thread, in the bus's order.
  package func subscribe(_ rule: MatchRule, _ handler: @escaping @Sendable (Message) -> Void)
    async throws(BusError) -> Subscription
  {
    let followsOwner = !rule.sender.hasPrefix(":") && rule.sender != MessageBus.name
    if followsOwner { try await follow(rule.sender) }
    lastSubscription += 1
    let id = lastSubscription
    let isNewRule = !subscriptions.values.contains { $0.rule == rule }
    subscriptions[id] = SubscriptionEntry(rule: rule, handler: handler)
    if isNewRule {
      do {
        try await addMatch(rule)
      } catch {
        subscriptions[id] = nil
        if followsOwner { unfollow(rule.sender) }
        throw error
      }
    }
    return Subscription(self) { connection in
      guard connection.subscriptions.removeValue(forKey: id) != nil else { return }
      if !connection.subscriptions.values.contains(where: { $0.rule == rule }) {
        connection.removeMatch(rule)
      }
      if followsOwner { connection.unfollow(rule.sender) }
    }
  }

  /// Follows who owns a name.
  ///
  /// - Parameter handler: runs on the loop's thread: once with the present owner before this
  ///   returns, then at each change; nil when nobody owns it.
  package func watchName(_ name: String, _ handler: @escaping @Sendable (String?) -> Void)
    async throws(BusError) -> Subscription
  {
    try await follow(name)
    lastSubscription += 1
    let id = lastSubscription
    owners[name]?.handlers[id] = handler
    handler(owners[name]?.owner)
    return Subscription(self) { connection in
      guard connection.owners[name]?.handlers.removeValue(forKey: id) != nil else { return }
      connection.unfollow(name)
    }
  }

  private static func ownerRule(_ name: String) -> MatchRule {
    MatchRule(
      sender: MessageBus.name, path: MessageBus.path, interface: MessageBus.interface,
      member: "NameOwnerChanged", argument0: name)
  }

  /// Listens first, then asks, so that no change is missed between the two.
  private func follow(_ name: String) async throws(BusError) {
    let isNew = owners[name] == nil
    owners[name, default: NameWatch()].users += 1
    guard owners[name]?.owner == nil else { return }
    do {
      if isNew { try await addMatch(Self.ownerRule(name)) }
      // A later follower asks too: the first one's answer may still be on its way.
      let reply = try await call(
        MessageBus.name, MessageBus.path, MessageBus.interface, "GetNameOwner", [.string(name)])
      setOwner(of: name, to: reply.first?.asString)
    } catch {
      if error.name == BusError.Name.nameHasNoOwner { return setOwner(of: name, to: nil) }
      unfollow(name)
      throw error
    }
  }

  private func unfollow(_ name: String) {
    guard let watch = owners[name] else { return }
    if watch.users > 1 {
      owners[name]?.users -= 1
    } else {
      owners[name] = nil
      removeMatch(Self.ownerRule(name))
    }
  }

  private func setOwner(of name: String, to owner: String?) {
    guard let watch = owners[name], watch.owner != owner else { return }
    owners[name]?.owner = owner
    for (_, handler) in watch.handlers.sorted(by: { $0.key < $1.key }) { handler(owner) }
  }

  private func addMatch(_ rule: MatchRule) async throws(BusError) {
    _ = try await call(
      MessageBus.name, MessageBus.path, MessageBus.interface, "AddMatch", [.string(rule.text)])
  }

  private func removeMatch(_ rule: MatchRule) {
    try? post(
      MessageBus.name, MessageBus.path, MessageBus.interface, "RemoveMatch", [.string(rule.text)])
  }

  func deliver(_ message: Message) {
    if message.sender == MessageBus.name, message.member == "NameOwnerChanged",
      message.arguments.count == 3, let name = message.arguments[0].asString,
      let owner = message.arguments[2].asString
    {
      setOwner(of: name, to: owner.isEmpty ? nil : owner)
    }
    // A copy: handlers may subscribe and cancel.
    for (id, entry) in subscriptions.sorted(by: { $0.key < $1.key })
    where isFrom(entry.rule.sender, message) && entry.rule.matches(message) {
      if subscriptions[id] != nil { entry.handler(message) }
    }
  }

  private func isFrom(_ sender: String, _ message: Message) -> Bool {
    guard let actual = message.sender else { return false }
    return actual == sender || owners[sender]?.owner == actual
  }
}
