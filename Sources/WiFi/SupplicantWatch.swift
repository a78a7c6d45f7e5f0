internal import DBus

/// Follows wpa_supplicant's interface for one device.
enum SupplicantWatch {
  /// Begins; ends when the subscription is dropped.
  ///
  /// - Parameters:
  ///   - interface: the device's name, such as `wlan0`.
  ///   - report: called on the loop's thread.
  /// - Returns: nothing where wpa_supplicant does not run, or does not know the device.
  static func begin(
    on bus: Connection, interface: String, report: @escaping @Sendable (SupplicantReport) -> Void
  ) async -> [Subscription] {
    do {
      // Asked first: a call alone would start a supplicant that nobody uses.
      guard try await bus.nameHasOwner(SupplicantBus.name) else { return [] }
      var rule = MatchRule(
        sender: SupplicantBus.name, interface: StandardInterface.properties,
        member: "PropertiesChanged", argument0: SupplicantBus.interface)
      do {
        let reply = try await bus.call(
          SupplicantBus.name, SupplicantBus.path, SupplicantBus.name, "GetInterface",
          [.string(interface)], timeout: .seconds(2))
        rule.path = reply.first?.asObjectPath
      } catch let error where error.name == BusError.Name.accessDenied {
        // Signals may be heard where calls are not allowed; a board has one supplicant interface.
      }
      let changes = try await bus.subscribe(rule) { message in
        guard message.arguments.count > 1, let changes = message.arguments[1].asDictionary else {
          return
        }
        report(SupplicantReport(changes))
      }
      let steps = try await bus.subscribe(
        MatchRule(
          sender: SupplicantBus.name, path: rule.path, interface: SupplicantBus.interface,
          member: SupplicantBus.eap)
      ) { message in
        let words = message.arguments.compactMap(\.asString)
        guard words.count == 2 else { return }
        report(SupplicantReport(eap: SupplicantReport.EAPStep(status: words[0], detail: words[1])))
      }
      return [changes, steps]
    } catch {
      return []
    }
  }
}

extension SupplicantReport {
  fileprivate init(_ changes: [String: Value]) {
    self.init(
      state: changes[SupplicantBus.state]?.asString,
      authentication: changes[SupplicantBus.authentication]?.asInteger,
      association: changes[SupplicantBus.association]?.asInteger,
      disconnection: changes[SupplicantBus.disconnection]?.asInteger)
  }
}

extension Connection {
  fileprivate func nameHasOwner(_ name: String) async throws(BusError) -> Bool {
    let reply = try await call(
      "org.freedesktop.DBus", ObjectPath(literal: "/org/freedesktop/DBus"), "org.freedesktop.DBus",
      "NameHasOwner", [.string(name)])
    return reply.first?.asBool ?? false
  }
}
