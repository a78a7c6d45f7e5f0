internal import Cryptography
internal import ProvisioningProtocol
internal import Secrets

/// A device and a provisioner that know the same code, and the input between them: it says which
/// segments arrive, which are lost, repeated or changed, and what else happens meanwhile.
struct FuzzedSessions: ~Copyable {
  private var input: ArraySlice<UInt8>
  private var device: DeviceSession
  private var provisioner: SecureSession
  private var now = Duration.zero
  private var toDevice: [[UInt8]] = []
  private var toProvisioner: [[UInt8]] = []
  private var isFinished = false
  private var attempt: UInt8 = 0
  private var sent = 0

  private static let owner = CentralID(rawValue: "A")
  private static let ssid = try? SSID(Array("Home".utf8))
  private static let password = try? WiFiPassword(SecretBytes(Array("correct horse".utf8)))
  private static let mtu = 64

  init?(_ bytes: [UInt8]) {
    guard let id = DeviceID("0123456789ab"), let ssid = Self.ssid, let password = Self.password,
      let w0 = Self.scalar(1), let w1 = Self.scalar(2),
      let stretching = try? CodeStretching(salt: [UInt8](0..<16)),
      let information = try? DeviceInformation(
        deviceID: id, name: "Kitchen", profiles: [.secure], stretching: stretching
      ).encoded()
    else { return nil }
    let credentials = SPAKE2Plus.Credentials(w0: w0, w1: w1)
    guard let record = try? credentials.record(),
      let session = try? SecureSession(
        .provision(NetworkDescription(ssid: ssid, password: password)), deviceID: id,
        information: information, credentials: credentials, mtu: Self.mtu, scalar: Self.scalar(4))
    else { return nil }
    let setup = SecureSetup(
      deviceID: id, information: information, record: record, scalar: Self.scalar(3))
    input = bytes[...]
    device = DeviceSession(mode: .code, setup: setup)
    provisioner = session
  }

  private static func scalar(_ value: UInt8) -> P256Scalar? {
    try? P256Scalar(SecretBytes([UInt8](repeating: value, count: P256Scalar.count)))
  }

  /// Plays the input to its end, then lets the time pass until the provisioner has given up.
  mutating func run() {
    take(provisioner.begin(at: now))
    take(provisioner.subscribed(at: now))
    while let step = input.popFirst() { play(step) }
    for _ in 0..<1_000 where !isFinished {
      now = provisioner.deadline ?? now
      take(provisioner.advance(to: now))
    }
    precondition(isFinished, "the provisioner waits for ever")
    precondition(provisioner.deadline == nil)
    take(device.disconnected(Self.owner))
    precondition(device.owner == nil)
  }

  private mutating func play(_ step: UInt8) {
    switch step & 7 {
    case 0: deliver { $0 }
    case 1:
      // The same, with one byte changed.
      let (position, difference) = (input.popFirst() ?? 0, input.popFirst() ?? 1)
      deliver { segment in
        guard !segment.isEmpty else { return segment }
        var changed = segment
        changed[Int(position) % segment.count] ^= difference
        return changed
      }
    case 2: deliver { _ in nil }
    case 3:
      let isForDevice = !toDevice.isEmpty
      if let next = isForDevice ? toDevice.first : toProvisioner.first { arrive(next, isForDevice) }
    case 4:
      let count = Int(input.popFirst() ?? 0)
      let segment = Array(input.prefix(count))
      input = input.dropFirst(count)
      arrive(segment, step & 8 == 0)
    case 5:
      now += .seconds(Int64(input.popFirst() ?? 1))
      take(device.advance(to: now))
      take(provisioner.advance(to: now))
    case 6:
      let characteristic = ProvisioningCharacteristic.allCases[
        Int(step >> 3) % ProvisioningCharacteristic.allCases.count]
      let count = Int(input.popFirst() ?? 0)
      let value = Array(input.prefix(count))
      input = input.dropFirst(count)
      let central = CentralID(rawValue: count % 2 == 0 ? "B" : "A")
      take(device.write(value, to: characteristic, from: central, at: now).actions)
    default: playEvent(step >> 3)
    }
  }

  private mutating func playEvent(_ event: UInt8) {
    switch event {
    case 0: take(device.attemptReached(.authenticating, of: attempt))
    case 1: take(device.attemptEnded(.failed(.wrongPassword), of: attempt, at: now))
    case 2: take(device.attemptEnded(.connected(WiFiLink(), saved: true), of: attempt, at: now))
    case 3: take(device.disconnected(Self.owner))
    case 4: take(device.forgiveGuesses())
    case 5: take(provisioner.failed(.other, at: now))
    case 6: take(provisioner.disconnected())
    case 7: take(provisioner.stop(.cancelled, at: now))
    case 8: take(device.linkChanged(to: nil, at: now))
    case 9:
      let evidence = AttemptEvidence(summary: "The handshake failed.", supplicant: ["eap failure"])
      take(device.attemptFailing(.wrongPassword, of: attempt, evidence: evidence, at: now))
    case 10:
      take(device.attemptEnded(.rolledBack(.wrongPassword, WiFiLink()), of: attempt, at: now))
    case 11: take(device.linkChanged(to: WiFiLink(), at: now))
    default: _ = device.readStatus(by: Self.owner, at: now)
    }
  }

  /// Takes the next segment on its way, and lets what `change` makes of it arrive.
  private mutating func deliver(_ change: ([UInt8]) -> [UInt8]?) {
    let isForDevice = !toDevice.isEmpty
    guard isForDevice || !toProvisioner.isEmpty else { return }
    let segment = isForDevice ? toDevice.removeFirst() : toProvisioner.removeFirst()
    if let segment = change(segment) { arrive(segment, isForDevice) }
  }

  private mutating func arrive(_ segment: [UInt8], _ isForDevice: Bool) {
    guard isForDevice else {
      take(provisioner.notified(segment, at: now))
      return
    }
    let response = device.write(segment, to: .session, from: Self.owner, at: now)
    take(response.actions)
    if let error = response.error {
      take(provisioner.failed(.application(error), at: now))
    } else {
      take(provisioner.wrote(at: now))
    }
  }

  private mutating func take(_ actions: [SecureSession.Action]) {
    for action in actions {
      precondition(!isFinished, "something after the end")
      switch action {
      case .write(let segment): toDevice.append(segment)
      case .finish: isFinished = true
      case .subscribe, .opened, .showRisks, .showStatus: break
      }
    }
  }

  private mutating func take(_ actions: [DeviceSession.Action]) {
    var rest = actions
    while !rest.isEmpty {
      switch rest.removeFirst() {
      case .send(let message):
        let segments = (try? SegmentWriter.segments(of: message, mtu: Self.mtu, from: sent)) ?? []
        sent += segments.count
        precondition(!segments.isEmpty, "a message that cannot be sent")
        toProvisioner += segments
      case .sessionBegan: sent = 0
      case .storeWrongGuesses: rest = device.wrongGuessesStored(true) + rest
      case .connect(let request):
        // Nobody without the code can have it join anything else.
        let network = request.network
        precondition(network.ssid == Self.ssid && network.password == Self.password)
        attempt = request.attempt
      default: break
      }
    }
  }
}
