/// A central, by whatever name the Bluetooth layer gives it while it is connected.
package struct CentralID: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}
