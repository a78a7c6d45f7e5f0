internal import DBus
internal import MainLoop

/// The interface by which a script makes the room misbehave.
///
/// ```sh
/// gdbus call --address "$DBUS_SYSTEM_BUS_ADDRESS" \
///   --dest io.github.wifi_provisioning.RadioSimulator1 \
///   --object-path /io/github/wifi_provisioning/RadioSimulator1 \
///   --method io.github.wifi_provisioning.RadioSimulator1.DropLinks hci0
/// ```
actor ControlService {
  static let name = "io.github.wifi_provisioning.RadioSimulator1"
  static let path = ObjectPath(literal: "/io/github/wifi_provisioning/RadioSimulator1")

  nonisolated let loop: MainLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let busAddress: String
  private let adapters: [SimulatedAdapter]
  private let bluez: SimulatedBlueZ
  private let networkManager: SimulatedNetworkManager
  private var bus: Connection?

  /// - Parameter adapters: what `AddAdapter` takes for the names that the scenario describes.
  init(
    loop: MainLoop, busAddress: String, adapters: [SimulatedAdapter], bluez: SimulatedBlueZ,
    networkManager: SimulatedNetworkManager
  ) {
    self.loop = loop
    self.busAddress = busAddress
    self.adapters = adapters
    self.bluez = bluez
    self.networkManager = networkManager
  }

  func start() async throws(BusError) {
    let bus = try await Connection.open(.address(busAddress), loop: loop)
    self.bus = bus
    await bus.export(Self.path, [interface])
    try await bus.requestName(Self.name)
  }

  func stop() async {
    await bus?.close()
    bus = nil
  }

  private var interface: Interface {
    let (bluez, networkManager, known) = (bluez, networkManager, adapters)
    return Interface(
      Self.name,
      methods: [
        method("StopBlueZ") { _ throws(BusError) in await bluez.stop() },
        method("StartBlueZ") { _ throws(BusError) in try await bluez.start() },
        method("StopNetworkManager") { _ throws(BusError) in await networkManager.stop() },
        method("StartNetworkManager") { _ throws(BusError) in try await networkManager.start() },
        method("HideAccessPoint", in: "s") { call throws(BusError) in
          try await networkManager.setAccessPoint(call, isSilent: true)
        },
        method("ShowAccessPoint", in: "s") { call throws(BusError) in
          try await networkManager.setAccessPoint(call, isSilent: false)
        },
        method("HideAccessPointFrom", in: "ss") { call throws(BusError) in
          guard let name = call.arguments.first?.asString,
            let state = call.arguments.last?.asString,
            await networkManager.setAccessPoint(name, isSilentFrom: state)
          else { throw .invalidArguments("no access point has that name") }
        },
        method("ExpireCheckpoints") { _ throws(BusError) in
          await networkManager.expireCheckpoints()
        },
        method("AddAdapter", in: "s") { call throws(BusError) in
          let index = try call.adapter()
          await bluez.addAdapter(
            known.first { $0.index == index } ?? SimulatedAdapter(index))
        },
        method("RemoveAdapter", in: "s") { call throws(BusError) in
          await bluez.removeAdapter(try call.adapter())
        },
        method("SetPowered", in: "sb") { call throws(BusError) in
          await bluez.setPowered(call.flag, adapter: try call.adapter())
        },
        method("SetBlocked", in: "sb") { call throws(BusError) in
          await bluez.setBlocked(call.flag, adapter: try call.adapter())
        },
        method("SetOutOfReach", in: "sb") { call throws(BusError) in
          await bluez.setOutOfReach(call.flag, adapter: try call.adapter())
        },
        method("DropLinks", in: "s") { call throws(BusError) in
          await bluez.dropLinks(of: try call.adapter())
        },
        method("SetMTU", in: "sq") { call throws(BusError) in
          let mtu = call.arguments.last?.asInteger ?? 0
          guard (23...517).contains(mtu) else {
            throw .invalidArguments("an MTU is a number from 23 to 517")
          }
          await bluez.setMTU(UInt16(clamping: mtu), adapter: try call.adapter())
        },
        method("RefuseNext", in: "s") { call throws(BusError) in
          guard let text = call.arguments.first?.asString,
            let refusal = SimulatedBlueZ.Refusal(rawValue: text)
          else {
            let words = SimulatedBlueZ.Refusal.allCases.map(\.rawValue)
            throw .invalidArguments("one of " + words.joined(separator: ", "))
          }
          await bluez.refuseNext(refusal)
        },
        method("HideNextConnection") { _ throws(BusError) in await bluez.hideNextConnection() },
        method("SetReplyDelay", in: "u") { call throws(BusError) in
          await bluez.setReplyDelay(.milliseconds(call.arguments.first?.asInteger ?? 0))
        },
      ])
  }

  /// A method that is answered, without a value, when its work is done.
  private func method(
    _ name: String, in input: StaticString = "",
    _ body: @escaping @Sendable (MethodCall) async throws(BusError) -> Void
  ) -> Method {
    let loop = loop
    return Method(name, in: input) { call in
      Task(executorPreference: loop) { [self] in await perform(call, body) }
      return .later
    }
  }

  private func perform(
    _ call: MethodCall, _ body: @Sendable (MethodCall) async throws(BusError) -> Void
  ) async {
    do throws(BusError) {
      try await body(call)
      call.answer(.reply([]))
    } catch {
      call.answer(.error(error))
    }
  }
}

extension SimulatedNetworkManager {
  fileprivate func setAccessPoint(_ call: MethodCall, isSilent: Bool) throws(BusError) {
    guard let name = call.arguments.first?.asString, setAccessPoint(name, isSilent: isSilent)
    else { throw .invalidArguments("no access point has that name") }
  }
}

extension MethodCall {
  /// The adapter that the first argument names.
  fileprivate func adapter() throws(BusError) -> UInt8 {
    guard let name = arguments.first?.asString, name.hasPrefix("hci"),
      let index = UInt8(name.dropFirst(3))
    else { throw .invalidArguments("an adapter has a name such as hci0") }
    return index
  }

  fileprivate var flag: Bool { arguments.last?.asBool ?? false }
}
