/// Where the agent keeps what a restart must not forget of its window.
package protocol WindowStore: Sendable {
  /// Stores it until the next boot; called on the agent's executor, and done before it returns.
  func store(_ memory: ProvisioningWindow.Memory) throws
}
