internal import DBus
internal import Glibc
internal import ProvisioningProtocol

/// Asks the daemon that runs, for the commands of the person at the device.
struct ControlClient {
  private let bus: Connection

  /// Why the daemon does not do what is asked for.
  enum Failure: Error {
    /// None runs, or it has not its name on the bus.
    case notRunning
    case refused(String)
  }

  init(bus: Connection) { self.bus = bus }

  func status() async throws(Failure) -> DaemonStatus {
    do throws(BusError) {
      let reply = try await bus.call(
        ControlBus.name, ControlBus.path, StandardInterface.properties, "GetAll",
        [.string(ControlBus.interface)])
      return DaemonStatus(reply.first?.asDictionary ?? [:])
    } catch {
      throw Failure(error)
    }
  }

  /// - Parameter seconds: how long it is to stay open unused; nil for as is configured.
  func open(for seconds: Int?) async throws(Failure) {
    try await call("Open", [.int64(Int64(seconds ?? -1))])
  }

  func close() async throws(Failure) { try await call("Close") }

  func identify() async throws(Failure) { try await call("Identify") }

  /// - Returns: how many profiles there were.
  func forget(_ ssid: SSID) async throws(Failure) -> Int {
    try await call("Forget", [.bytes(ssid.bytes)]).first?.asInteger ?? 0
  }

  @discardableResult
  private func call(_ method: String, _ arguments: [Value] = []) async throws(Failure) -> [Value] {
    do throws(BusError) {
      return try await bus.call(
        ControlBus.name, ControlBus.path, ControlBus.interface, method, arguments,
        timeout: .seconds(300), mayAskUser: isatty(STDIN_FILENO) == 1)
    } catch {
      throw Failure(error)
    }
  }
}

extension ControlClient.Failure {
  fileprivate init(_ error: BusError) {
    self =
      error.isServiceMissing
      ? .notRunning : .refused(error.message.isEmpty ? error.name : error.message)
  }

  /// For the person at the device.
  var message: String {
    switch self {
    case .notRunning:
      "no daemon runs that could be asked; ‘systemctl start wifi-provisiond’ starts it"
    case .refused(let why): why
    }
  }
}
