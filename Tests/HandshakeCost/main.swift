// What one handshake costs: the device beside OpenSSL's own three multiplications on P-256, the
// provisioner with and without its stretching, and what crosses the air. Prints a flat JSON object.
internal import COpenSSL
internal import Cryptography
internal import Glibc
internal import ProvisioningProtocol

let runs = 200

/// The CPU time of the process, in nanoseconds.
func cpuTime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func median(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }

/// What OpenSSL needs for the generator and two points, each times a random number.
func multiplications() -> [Int64] {
  guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1),
    let order = EC_GROUP_get0_order(group), let scalar = BN_new(), let point = EC_POINT_new(group),
    let result = EC_POINT_new(group)
  else { preconditionFailure("OpenSSL is out of memory") }
  defer {
    EC_POINT_free(point)
    EC_POINT_free(result)
    BN_free(scalar)
    EC_GROUP_free(group)
  }
  BN_priv_rand_range(scalar, order)
  EC_POINT_mul(group, point, scalar, nil, nil, nil)
  return (0..<runs).map { _ in
    BN_priv_rand_range(scalar, order)
    let start = cpuTime()
    EC_POINT_mul(group, result, scalar, nil, nil, nil)
    EC_POINT_mul(group, result, nil, point, scalar, nil)
    EC_POINT_mul(group, result, nil, point, scalar, nil)
    return cpuTime() - start
  }
}

/// One handshake between the two machines.
struct Handshake {
  var device: Int64 = 0
  var provisioner: Int64 = 0
  /// Writes, each of which is answered, and notifications.
  var writes = 0
  var notifications = 0
  /// Of ATT's packets in both directions, with their headers and the answers to writes.
  var bytes = 0

  init(
    _ session: inout DeviceSession, _ id: DeviceID, _ information: [UInt8],
    _ credentials: SPAKE2Plus.Credentials, mtu: Int
  ) throws {
    let central = CentralID(rawValue: "A")
    var start = cpuTime()
    var client = try SecureSession(
      .ask(.status), deviceID: id, information: information, credentials: credentials, mtu: mtu)
    var actions = client.begin(at: .zero) + client.subscribed(at: .zero)
    provisioner += cpuTime() - start
    var isOpened = false
    while !isOpened {
      var answers: [DeviceSession.Action] = []
      let written = actions
      actions = []
      for case .write(let segment) in written {
        writes += 1
        bytes += 3 + segment.count + 1
        start = cpuTime()
        answers += session.write(segment, to: .session, from: central, at: .zero).actions
        if answers.contains(where: { if case .storeWrongGuesses = $0 { true } else { false } }) {
          answers = answers.filter { if case .storeWrongGuesses = $0 { false } else { true } }
          answers += session.wrongGuessesStored(true)
        }
        device += cpuTime() - start
        start = cpuTime()
        actions += client.wrote(at: .zero)
        provisioner += cpuTime() - start
      }
      for case .send(let message) in answers {
        for segment in try SegmentWriter.segments(of: message, mtu: mtu, from: notifications) {
          notifications += 1
          bytes += 3 + segment.count
          start = cpuTime()
          actions += client.notified(segment, at: .zero)
          provisioner += cpuTime() - start
        }
      }
      isOpened = answers.contains { if case .sessionSecured = $0 { true } else { false } }
      precondition(isOpened || !actions.isEmpty, "the handshake has stopped")
    }
    _ = session.disconnected(central)
  }
}

guard let id = DeviceID("0123456789ab") else { exit(1) }
let code = SetupCode.random()
let stretching = try CodeStretching(salt: (0..<16).map { _ in .random(in: 0...255) })
let information = try DeviceInformation(
  deviceID: id, name: "Kitchen display", profiles: [.secure], securities: [.wpaPSK, .sae],
  stretching: stretching
).encoded()

let stretchings = try (0..<5).map { _ in
  let start = cpuTime()
  _ = try code.credentials(for: id, stretching: stretching)
  return cpuTime() - start
}
let credentials = try code.credentials(for: id, stretching: stretching)
let record = try credentials.record()

func device() -> DeviceSession {
  DeviceSession(
    mode: .code, setup: SecureSetup(deviceID: id, information: information, record: record))
}

let baseline = Double(median(multiplications()))
var figures = [
  ("three_multiplications_cpu_ms", baseline / 1e6),
  ("stretching_provisioner_cpu_ms", Double(median(stretchings)) / 1e6),
]

// A device multiplies twice more in the first handshake since its start.
let first = try (0..<runs).map { _ in
  var session = device()
  return try Handshake(&session, id, information, credentials, mtu: 517).device
}
figures.append(("first_handshake_device_ratio", Double(median(first)) / baseline))

var session = device()
_ = try Handshake(&session, id, information, credentials, mtu: 517)
for mtu in [23, 517] {
  let handshakes = try (0..<runs).map { _ in
    try Handshake(&session, id, information, credentials, mtu: mtu)
  }
  let device = Double(median(handshakes.map(\.device)))
  let provisioner = Double(median(handshakes.map(\.provisioner)))
  figures += [
    ("handshake_device_cpu_ms_mtu\(mtu)", device / 1e6),
    ("handshake_device_ratio_mtu\(mtu)", device / baseline),
    ("handshake_provisioner_cpu_ms_mtu\(mtu)", provisioner / 1e6),
    ("handshake_writes_mtu\(mtu)", Double(handshakes[0].writes)),
    ("handshake_notifications_mtu\(mtu)", Double(handshakes[0].notifications)),
    ("handshake_att_bytes_mtu\(mtu)", Double(handshakes[0].bytes)),
  ]
}
print("{" + figures.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}")
