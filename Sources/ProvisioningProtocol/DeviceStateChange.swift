/// A state that NetworkManager's Wi-Fi device came into, and why, by NetworkManager's numbers.
package struct DeviceStateChange: Hashable, Sendable {
  package var state: UInt32
  package var reason: UInt32

  package init(state: UInt32, reason: UInt32) {
    self.state = state
    self.reason = reason
  }
}
