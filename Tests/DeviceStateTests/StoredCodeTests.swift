import CBOR
import Cryptography
import Foundation
import ProvisioningProtocol
import Secrets
import Testing

@testable import DeviceState

@Suite struct StoredCodeTests {
  private let code = SetupCode.random()

  private func stored(keepsCode: Bool) throws -> StoredCode {
    let device = try #require(DeviceID("0123456789ab"))
    return try StoredCode(code, device: device, keepsCode: keepsCode)
  }

  @Test func theVerifierIsThatOfTheCode() throws {
    let stored = try stored(keepsCode: true)
    let record = try code.credentials(for: stored.device, stretching: stored.verifier.stretching)
      .record()
    #expect(stored.verifier.record == record)
    #expect(stored.code == code)
    #expect(stored.withoutCode.code == nil)
    #expect(stored.withoutCode.verifier.record == record)
  }

  @Test(arguments: [true, false]) func theFolderGivesWhatItWasGiven(keepsCode: Bool) throws {
    let stored = try stored(keepsCode: keepsCode)
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      #expect(try folder.storedCode() == nil)
      try folder.save(stored)
      #expect(try folder.storedCode() == stored)
      #expect(try permissions(of: path + "/setup-code") == 0o600)
    }
  }

  @Test func withOnlyTheVerifierTheCodeIsNowhereInTheFile() throws {
    let kept = Data(try stored(keepsCode: true).encoded)
    let dropped = Data(try stored(keepsCode: true).withoutCode.encoded)
    #expect(kept.range(of: Data(code.digits)) != nil)
    #expect(dropped.range(of: Data(code.digits)) == nil)
  }

  @Test func noPartOfTheFilePassesForTheWhole() throws {
    let bytes = try stored(keepsCode: true).encoded
    for count in 0..<bytes.count {
      #expect(throws: StateError.Problem.corrupt) {
        try StoredCode(decoding: SecretBytes(bytes[..<count]))
      }
    }
  }

  @Test func damagedValuesAreRefused() throws {
    let good = try CBORValue(decoding: try stored(keepsCode: true).encoded)
    guard case .map(let entries) = good else {
      Issue.record("not a map")
      return
    }
    func with(_ key: UInt64, _ value: CBORValue?) -> SecretBytes {
      var entries = entries.filter { $0.key != .unsigned(key) }
      if let value { entries.append(CBORValue.Entry(.unsigned(key), value)) }
      return CBORValue.map(entries).encodedSecret
    }
    let damaged = [
      with(0, nil), with(0, .text("1")), with(1, nil), with(1, .init(bytes: [1, 2, 3])),
      with(2, nil),
      with(2, .map([])), with(3, nil), with(3, .init(bytes: [])),
      with(3, .init(bytes: [UInt8](repeating: 1, count: SPAKE2Plus.Record.count))),
      with(4, .null), with(4, .init(bytes: Array("123456789".utf8))), CBORValue.null.encodedSecret,
    ]
    for bytes in damaged {
      #expect(throws: StateError.Problem.corrupt) { try StoredCode(decoding: bytes) }
    }
    #expect(throws: StateError.Problem.laterVersion(2)) {
      try StoredCode(decoding: with(0, .unsigned(2)))
    }
    // What a later version of the same format adds.
    #expect(try StoredCode(decoding: with(9, .bool(true))).code == code)
  }

  @Test func anErrorNamesTheFileAndNotItsContents() throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      try folder.write(SecretBytes("123-456-789".utf8), to: "setup-code")
      let error = try #require(throws: StateError.self) { try folder.storedCode() }
      #expect(error.description == "\(path)/setup-code: is damaged")
    }
  }
}

@Suite struct WrongGuessesTests {
  @Test func theNumberIsKept() throws {
    try withTemporaryFolder { path in
      #expect(try StateFolder(path).wrongGuesses() == 0)
      for number in [1, 5, .max, 0] as [UInt32] {
        try StateFolder(path).save(wrongGuesses: number)
        #expect(try StateFolder(path).wrongGuesses() == number)
      }
    }
  }

  @Test(arguments: ["", "\n", "5", "-1\n", "+1\n", "4294967296\n", "five\n", "5\n5\n", "5\0\n"])
  func anythingElseIsDamaged(text: String) throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      try folder.write(SecretBytes(text.utf8), to: "wrong-guesses")
      #expect(throws: StateError(path: path + "/wrong-guesses", problem: .corrupt)) {
        try folder.wrongGuesses()
      }
    }
  }
}

@Suite struct DaemonLockTests {
  @Test func withoutADaemonNobodyHoldsTheLock() throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      #expect(try DaemonLock.holder(of: folder) == nil)
      do { _ = try DaemonLock(folder) }
      #expect(try DaemonLock.holder(of: folder) == nil)
    }
  }
}
