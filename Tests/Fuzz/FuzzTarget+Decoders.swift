internal import CBOR
internal import Cryptography
internal import ProvisioningProtocol
internal import Secrets

extension FuzzTarget {
  /// Decodes the bytes, and checks what must hold if they can be.
  func decode(_ bytes: [UInt8]) {
    switch self {
    case .advertisement:
      guard let value = try? ProvisioningAdvertisement(decoding: bytes) else { return }
      precondition(bytes.starts(with: value.encoded))
    case .status:
      guard let value = try? ProvisioningStatus(decoding: bytes) else { return }
      precondition((try? ProvisioningStatus(decoding: value.encoded)) == value)
      precondition(bytes.starts(with: value.encoded.dropLast()))
    case .deviceInformation:
      guard let value = try? DeviceInformation(decoding: bytes) else { return }
      guard let encoded = try? value.encoded() else { return }
      precondition((try? DeviceInformation(decoding: encoded)) == value)
    case .cbor:
      guard let value = try? CBORValue(decoding: bytes) else { return }
      let encoded = value.encoded
      let again = try? CBORValue(decoding: encoded, limits: CBORLimits(bytes: .max))
      // NaN is not equal to itself, so compare what the two are written as.
      precondition(again?.encoded == encoded)
      _ = try? CodeStretching(value)
    case .segments: decodeSegments(bytes)
    case .sessions:
      guard var sessions = FuzzedSessions(bytes) else { preconditionFailure("no sessions") }
      sessions.run()
    case .sessionMessage:
      guard let message = try? SessionMessage(decoding: bytes) else { return }
      precondition((try? SessionMessage(decoding: message.encoded)) == message)
    case .records: openRecord(bytes)
    case .sealedRequest: decodeRequest(bytes)
    case .deviceMessage: decodeDeviceMessage(bytes)
    case .point:
      guard let point = try? P256Point(bytes) else { return }
      precondition(point.bytes.elementsEqual(bytes))
    case .setupCode:
      guard let code = try? SetupCode(bytes) else { return }
      precondition((try? SetupCode(code.label.utf8)) == code)
    case .setupURI:
      // Written out in full, a long name may be too long.
      guard let uri = try? SetupURI(bytes), uri.text.utf8.count <= SetupURI.maximumLength else {
        return
      }
      precondition((try? SetupURI(uri.text.utf8)) == uri)
    }
  }

  /// Takes the input as segments, each after its length in one byte; the time moves by that many
  /// tenths of a second.
  private func decodeSegments(_ bytes: [UInt8]) {
    var reader = SegmentReader()
    var now = Duration.zero
    var rest = bytes[...]
    while let count = rest.popFirst() {
      now += .milliseconds(100 * Int64(count))
      let segment = Array(rest.prefix(Int(count)))
      rest = rest.dropFirst(Int(count))
      guard let message = try? reader.receive(segment, at: now) else { continue }
      precondition(SegmentWriter.messageLength.contains(message.count))
      precondition(reader.deadline == nil)
      var echo = SegmentReader()
      let segments = (try? SegmentWriter.segments(of: message, mtu: bytes.count)) ?? []
      let messages = segments.compactMap { try? echo.receive($0, at: now) }
      precondition(messages == [message])
    }
  }

  private func decodeRequest(_ bytes: [UInt8]) {
    guard let request = try? SealedRequest(decoding: SecretBytes(bytes)),
      let method = try? request.method()
    else { return }
    let written = SealedRequest(id: request.id, method)
    let again = try? SealedRequest(decoding: written.encoded)
    precondition(again == written)
    precondition((try? again?.method()) == method)
    guard case .provision(let network) = method else { return }
    do throws(NetworkDescriptionError) {
      try network.check()
    } catch {
      precondition(!error.words.isEmpty && !error.advice.isEmpty)
    }
  }

  private func decodeDeviceMessage(_ bytes: [UInt8]) {
    guard let message = try? DeviceMessage(decoding: SecretBytes(bytes)) else { return }
    // A result may hold anything, also what cannot be compared.
    let encoded = message.encoded
    precondition((try? DeviceMessage(decoding: encoded))?.encoded == encoded)
    guard case .response(_, .success(let value)) = message else { return }
    if let page = try? ScanPage(value) {
      precondition((try? ScanPage(page.map)) == page)
    }
    if let page = try? ListPage<SavedNetwork>(value) {
      precondition((try? ListPage(page.map)) == page)
    }
    if let status = try? DeviceStatus(value) {
      // What is long is cut once.
      precondition((try? DeviceStatus(status.map))?.map == status.map)
    }
    if let details = try? DeviceDetails(value) {
      precondition((try? DeviceDetails(details.map)) == details)
    }
  }

  /// Opens the input as the first record; nobody without the key can have written it.
  private func openRecord(_ bytes: [UInt8]) {
    guard
      var records = try? SealedRecords(
        sharedKey: SecretBytes([UInt8](repeating: 7, count: 32)), side: .device)
    else { preconditionFailure("no keys") }
    precondition((try? records.open(bytes)) == nil)
    precondition(records.hasEnded)
  }
}
