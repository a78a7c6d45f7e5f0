/// How long things take on the simulated air and in the simulated BlueZ.
package struct RadioTiming: Sendable {
  /// One way of an attribute packet.
  package var latency: Duration = .milliseconds(3)
  /// From `Connect` to the link.
  package var connection: Duration = .milliseconds(40)
  /// From the link to resolved services.
  package var resolution: Duration = .milliseconds(60)
  /// From `Disconnect` to the link's end; BlueZ lets two seconds pass.
  package var disconnection: Duration = .milliseconds(60)
  /// Between two advertising events.
  package var advertisingInterval: Duration = .milliseconds(100)
  /// From an adapter's appearance to its managers for attributes and advertisements.
  package var managers: Duration = .milliseconds(20)
  /// For an application to answer, as in BlueZ's src/shared/gatt-db.c.
  package var attributeTimeout: Duration = .seconds(5)
  /// For a person to answer while devices pair, as in BlueZ's src/agent.c.
  package var agentTimeout: Duration = .seconds(60)
  /// For a peer to become connectable after `Connect`.
  package var connectionTimeout: Duration = .seconds(20)
  /// From when a device was last heard to the end of its object, unless somebody connected to it.
  package var temporaryTimeout: Duration = .seconds(30)

  package init() {}
}
