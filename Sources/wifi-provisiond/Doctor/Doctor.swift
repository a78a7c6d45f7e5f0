internal import DBus
internal import Glibc
internal import MainLoop

/// Looks at everything that provisioning needs, for the person at a device that does not do it;
/// changes nothing.
struct Doctor: Sendable {
  let configuration: Configuration
  /// Before the paths of the system's files; for tests.
  var root = ""

  /// Looks, and says what it found; returns the exit status.
  func run(json: Bool) -> Int32 {
    let loop = MainLoop()
    return loop.run { _ in
      let findings = await self.findings(loop)
      let text = findings.map { json ? $0.json : $0.description }.joined()
      _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
      let isWell = !findings.contains { $0.level == .error }
      return (isWell ? ExitStatus.success : .failure).rawValue
    }
  }

  func findings(_ loop: MainLoop) async -> [Finding] {
    var findings = [configured, setupCode, clock] + radioSwitches
    let bus: Connection
    do throws(BusError) {
      bus = try await Connection.open(.system, loop: loop)
    } catch {
      findings.append(
        .error(
          .systemBus, "The system bus cannot be used: \(error.message)",
          do: "Install dbus, and start it: `systemctl start dbus`."))
      return findings
    }
    let daemon = try? await ControlClient(bus: bus).status()
    findings.append(Self.daemon(daemon))
    findings += await bluetooth(bus, daemon, loop)
    findings += await network(bus)
    await bus.close()
    return findings
  }

  private static func daemon(_ status: DaemonStatus?) -> Finding {
    guard let status else {
      return .warning(
        .daemon, "The daemon does not run, or has not its name on the system bus",
        do: "Start it: `systemctl enable --now wifi-provisiond`; `journalctl -u wifi-provisiond`"
          + " says why it ended.")
    }
    return .ok(.daemon, "The daemon runs; it is \(status.why)")
  }
}
