import Cryptography
import DeviceState
import Diagnostics
import Foundation
import ProvisioningProtocol
import Synchronization
import Testing

@testable import wifi_provisiond

@Suite struct SetupStateTests {
  private let code = SetupCode.random()

  private func withFolder(_ body: (StateFolder) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(try StateFolder(path, create: true))
  }

  private func device(_ id: String = "0123456789ab") throws -> DeviceID {
    try #require(DeviceID(id))
  }

  @Test func theFirstStartMakesACodeAndTheSecondKeepsIt() throws {
    try withFolder { folder in
      let lines = Lines()
      let first = try SetupState(
        folder: folder, device: try device(), storage: .code, log: lines.log)
      #expect(first.wrongGuesses == 0)
      let stored = try #require(try folder.storedCode())
      let code = try #require(stored.code)
      #expect(stored.verifier == first.verifier)
      let second = try SetupState(
        folder: folder, device: try device(), storage: .code, log: lines.log)
      #expect(second.verifier == first.verifier)
      // The log is no place for it.
      #expect(lines.all.count == 1)
      #expect(!lines.all.joined().contains(code.label))
      #expect(!lines.all.joined().contains(String(decoding: code.digits, as: UTF8.self)))
    }
  }

  @Test func aCodeThatCouldNotBeShownIsNotMade() throws {
    try withFolder { folder in
      let error = try #require(throws: SetupState.Failure.self) {
        try SetupState(
          folder: folder, device: try device(), storage: .verifier, log: Lines().log)
      }
      #expect(error.message.contains("set-code --generate"))
      #expect(try folder.storedCode() == nil)
    }
  }

  @Test func theCodeGoesWhenOnlyTheVerifierIsToBeKept() throws {
    try withFolder { folder in
      let stored = try StoredCode(code, device: try device(), keepsCode: true)
      try folder.save(stored)
      let state = try SetupState(
        folder: folder, device: try device(), storage: .verifier, log: Lines().log)
      #expect(state.verifier == stored.verifier)
      #expect(try folder.storedCode() == stored.withoutCode)
    }
  }

  @Test func anotherDeviceIDMakesTheVerifierAnew() throws {
    try withFolder { folder in
      try folder.save(try StoredCode(code, device: try device(), keepsCode: true))
      let lines = Lines()
      let other = try device("ba9876543210")
      let state = try SetupState(folder: folder, device: other, storage: .code, log: lines.log)
      let stored = try #require(try folder.storedCode())
      #expect(stored.device == other)
      #expect(stored.code == code)
      let record = try code.credentials(for: other, stretching: state.verifier.stretching)
        .record()
      #expect(state.verifier.record == record)
      #expect(stored.verifier == state.verifier)
      #expect(lines.all.count == 1)
    }
  }

  @Test func anotherDeviceIDWithoutTheCodeIsAnError() throws {
    try withFolder { folder in
      try folder.save(try StoredCode(code, device: try device(), keepsCode: false))
      let error = try #require(throws: SetupState.Failure.self) {
        try SetupState(
          folder: folder, device: try device("ba9876543210"), storage: .verifier,
          log: Lines().log)
      }
      #expect(error.message.contains("0123456789ab"))
    }
  }

  @Test func aDamagedCounterCountsAsFull() throws {
    try withFolder { folder in
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path + "/wrong-guesses"))
      chmod(folder.path + "/wrong-guesses", 0o600)
      let state = try SetupState(
        folder: folder, device: try device(), storage: .code, log: Lines().log)
      #expect(state.wrongGuesses == GuessCounter.limit)
    }
  }
}

/// What was logged.
private final class Lines: Sendable {
  private let list = Mutex<[String]>([])

  var all: [String] { list.withLock { $0 } }

  var log: Log {
    Log(threshold: .debug, format: .plain) { line in
      self.list.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
  }
}
