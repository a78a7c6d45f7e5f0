internal import DBus
internal import Glibc

/// Says who may ask the daemon for something: root and the daemon's own user may, and who polkit
/// says may (polkit(8); interface org.freedesktop.PolicyKit1.Authority).
struct Authority {
  private static let name = "org.freedesktop.PolicyKit1"
  private static let path = ObjectPath(literal: "/org/freedesktop/PolicyKit1/Authority")
  private static let interface = "org.freedesktop.PolicyKit1.Authority"
  /// The flag with which polkit asks a user for a password.
  private static let allowUserInteraction: UInt32 = 1
  /// How long a user may think about the password.
  private static let userTime = Duration.seconds(300)

  let bus: Connection
  /// Who need not be asked about.
  var trusted: Set<UInt32> = [0, geteuid()]

  /// Why a caller may not do something; nil when it may.
  func refusal(of action: String, to call: MethodCall) async -> BusError? {
    do throws(BusError) {
      let user = try await bus.userID(of: call.sender)
      if trusted.contains(user) { return nil }
      let reply = try await bus.call(
        Self.name, Self.path, Self.interface, "CheckAuthorization",
        [
          .structure([
            .string("system-bus-name"), .properties(["name": .string(call.sender)]),
          ]),
          .string(action), .dictionary(key: .string, value: .string, []),
          .uint32(call.mayAskUser ? Self.allowUserInteraction : 0), .string(""),
        ], timeout: call.mayAskUser ? Self.userTime : .seconds(25))
      // (is authorized, is a challenge, details)
      if reply.first?.asArray?.first?.asBool == true { return nil }
      return denied("polkit does not allow you \(action)")
    } catch {
      return denied(
        error.isServiceMissing
          ? "only root may do this, for polkit does not run"
          : "polkit cannot be asked: \(error)")
    }
  }

  private func denied(_ why: String) -> BusError {
    BusError(name: BusError.Name.accessDenied, message: why)
  }
}
