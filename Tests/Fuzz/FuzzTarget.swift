internal import Glibc

/// A decoder that takes bytes from outside, by the name of its corpus.
///
/// Each traps when a promise is broken that holds for all bytes.
enum FuzzTarget: String, CaseIterable {
  case advertisement
  case status
  case deviceInformation = "device-information"
  case cbor
  case segments
  case sessionMessage = "session-message"
  case records
  case sealedRequest = "sealed-request"
  case deviceMessage = "device-message"
  case point
  case setupCode = "setup-code"
  case setupURI = "setup-uri"
  case sessions

  /// The one that the environment names.
  static let selected: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("FUZZ_TARGET is none of \(allCases.map(\.rawValue))")
    }
    return target
  }()
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.selected.decode(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
