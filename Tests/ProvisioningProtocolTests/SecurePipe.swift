import Cryptography
import ProvisioningProtocol
import Secrets
import Testing

/// A device and a provisioner that talk in memory, and somebody between them who may do anything
/// to what they say.
///
/// It runs until both wait; then the test lets time pass, or has the device's Wi-Fi do something.
final class SecurePipe {
  /// What is on its way: a segment to the device, or one to the provisioner.
  enum Packet: Equatable {
    case write([UInt8])
    case notification([UInt8])
  }

  static let central = CentralID(rawValue: "A")

  var device: DeviceSession
  var provisioner: SecureSession
  var now = Duration.zero
  /// Sees each packet, and says what arrives instead; a write that does not arrive is acknowledged
  /// all the same, for that is the worst that can be done.
  var interfere: (Packet) -> [Packet] = { [$0] }
  /// Whether the wrong guesses can be stored.
  var canStore = true

  /// Every packet that was sent, before anybody interfered.
  private(set) var air: [Packet] = []
  private(set) var stored: [UInt32] = []
  private(set) var deviceActions: [DeviceSession.Action] = []
  private(set) var shown: [DeviceStatus] = []
  private(set) var isOpened = false
  private(set) var risks: [Risk] = []
  private(set) var outcome: SecureSession.Outcome?
  private let mtu: Int
  /// How many segments the device has sent in its session.
  private var sent = 0

  private static let salt = [UInt8](0..<16)
  static let code = "271-828-189"

  /// What a device with this code says of itself, and how it knows the code.
  static func information() throws -> [UInt8] {
    try DeviceInformation(
      deviceID: deviceID(), name: "Kitchen", profiles: [.secure],
      securities: [.open, .owe, .wpaPSK, .sae], stretching: CodeStretching(salt: salt)
    ).encoded()
  }

  static func deviceID() throws -> DeviceID { try #require(DeviceID("0123456789ab")) }

  static func credentials(_ code: String = code) throws -> SPAKE2Plus.Credentials {
    try known[code]
      ?? SetupCode(code.utf8).credentials(
        for: deviceID(), stretching: CodeStretching(salt: salt))
  }

  /// Stretching takes its time, so it is done once.
  private static let known: [String: SPAKE2Plus.Credentials] = {
    let codes = [code, "003-141-591"]
    let pairs = codes.compactMap { code in
      (try? SetupCode(code.utf8).credentials(
        for: deviceID(), stretching: CodeStretching(salt: salt))).map { (code, $0) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  static func device(
    wrongGuesses: UInt32 = 0, features: Set<DeviceFeature> = [], at now: Duration = .zero
  ) throws -> DeviceSession {
    let setup = try SecureSetup(
      deviceID: deviceID(), information: information(), record: credentials().record(),
      wrongGuesses: wrongGuesses)
    return DeviceSession(mode: .code, features: features, setup: setup, at: now)
  }

  init(
    _ job: SecureSession.Job, code: String = SecurePipe.code, information: [UInt8]? = nil,
    mtu: Int = 23, wrongGuesses: UInt32 = 0, features: Set<DeviceFeature> = []
  ) throws {
    self.mtu = mtu
    device = try Self.device(wrongGuesses: wrongGuesses, features: features)
    provisioner = try SecureSession(
      job, deviceID: Self.deviceID(), information: information ?? Self.information(),
      credentials: Self.credentials(code), mtu: mtu)
  }

  /// Puts another provisioner in the place of the last one, which has disconnected.
  func restart(_ job: SecureSession.Job, code: String = SecurePipe.code) throws {
    perform(device.disconnected(Self.central))
    outcome = nil
    isOpened = false
    shown = []
    provisioner = try SecureSession(
      job, deviceID: Self.deviceID(), information: Self.information(),
      credentials: Self.credentials(code), mtu: mtu)
    run()
  }

  /// Begins, and goes on until both wait.
  func run() { perform(provisioner.begin(at: now)) }

  /// Has something happen to the provisioner's session.
  func perform(_ actions: [SecureSession.Action]) {
    for action in actions {
      switch action {
      case .subscribe: perform(provisioner.subscribed(at: now))
      case .write(let segment):
        for packet in carry(.write(segment)) { arrive(packet) }
        perform(provisioner.wrote(at: now))
      case .opened: isOpened = true
      case .showRisks(let risks): self.risks = risks
      case .showStatus(let status): shown.append(status)
      case .finish(let outcome):
        #expect(self.outcome == nil)
        self.outcome = outcome
        #expect(provisioner.deadline == nil)
      }
    }
  }

  /// Has something happen to the device.
  func perform(_ actions: [DeviceSession.Action]) {
    for action in actions {
      deviceActions.append(action)
      switch action {
      case .send(let message):
        let segments = (try? SegmentWriter.segments(of: message, mtu: mtu, from: sent)) ?? []
        sent += segments.count
        #expect(!segments.isEmpty)
        for segment in segments {
          for packet in carry(.notification(segment)) { arrive(packet) }
        }
      case .sessionBegan: sent = 0
      case .storeWrongGuesses(let count):
        if canStore { stored.append(count) }
        perform(device.wrongGuessesStored(canStore))
      default: break
      }
    }
  }

  /// Lets a packet arrive that somebody made up or kept.
  func arrive(_ packet: Packet) {
    switch packet {
    case .write(let segment):
      perform(device.write(segment, to: .session, from: Self.central, at: now).actions)
    case .notification(let segment): perform(provisioner.notified(segment, at: now))
    }
  }

  /// Lets the next time limit of either side pass.
  func wait() {
    let limits = [device.deadline, provisioner.deadline].compactMap(\.self)
    guard let next = limits.min() else { return }
    now = max(now, next)
    perform(device.advance(to: now))
    perform(provisioner.advance(to: now))
  }

  private func carry(_ packet: Packet) -> [Packet] {
    air.append(packet)
    return interfere(packet)
  }
}

extension SecurePipe.Packet {
  var bytes: [UInt8] {
    switch self {
    case .write(let bytes), .notification(let bytes): bytes
    }
  }

  func with(_ bytes: [UInt8]) -> Self {
    switch self {
    case .write: .write(bytes)
    case .notification: .notification(bytes)
    }
  }
}
