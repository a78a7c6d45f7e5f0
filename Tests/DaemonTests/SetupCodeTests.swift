import DeviceState
import Foundation
import ProvisioningProtocol
import Testing

/// What the person at the device does with its setup code, as the program is called.
@Suite struct SetupCodeCommandTests {
  /// A folder with a configuration, and a state folder in it that is not there yet.
  private struct Device {
    let folder: String
    var state: String { folder + "/state" }

    func run(_ arguments: [String], input: String = "", locale: String = "C.UTF-8") throws
      -> ProgramOutcome
    {
      try runDaemonProgram(
        ["--config", folder + "/device.conf", "--state", state] + arguments,
        environment: ["LC_ALL": locale], input: input)
    }

    func storedCode() throws -> StoredCode? { try StateFolder(state).storedCode() }
  }

  private func withDevice(storage: String = "code", _ body: (Device) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = """
      [provisioning]
      code-storage = \(storage)
      [device]
      id = 0123456789ab
      name = Kitchen lamp
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/device.conf"))
    try body(Device(folder: path))
  }

  @Test(arguments: [["CODE"], ["--stdin"]]) func theCodeIsTakenAndShown(way: [String]) throws {
    try withDevice { device in
      let outcome =
        way == ["--stdin"]
        ? try device.run(["set-code", "--stdin"], input: "314 159 266\n")
        : try device.run(["set-code", "314-159-266"])
      #expect(outcome.errors == "")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("Setup code  314-159-266\n"))
      let stored = try #require(try device.storedCode())
      #expect(stored.code?.label == "314-159-266")
      #expect(stored.device == DeviceID("0123456789ab"))
    }
  }

  @Test func everyGeneratedCodeIsAnother() throws {
    try withDevice { device in
      try #require(try device.run(["set-code", "--generate"]).status == 0)
      let first = try device.storedCode()
      try #require(try device.run(["set-code", "--generate"]).status == 0)
      let second = try device.storedCode()
      #expect(first?.code != nil && second?.code != nil && first?.code != second?.code)
    }
  }

  @Test func anotherCodeBeginsWithoutWrongGuesses() throws {
    try withDevice { device in
      try StateFolder(device.state, create: true).save(wrongGuesses: 7)
      try #require(try device.run(["set-code", "--generate"]).status == 0)
      #expect(try StateFolder(device.state).wrongGuesses() == 0)
    }
  }

  @Test func badCodesAreRefusedAndNotRepeated() throws {
    try withDevice { device in
      for (code, part) in [
        ("314159260", "mistyped"), ("31415926", "nine digits"), ("", "nine digits"),
        ("1111111111", "nine digits"), ("000000000", "guessed first"),
      ] {
        let outcome = try device.run(["set-code", "--stdin"], input: code)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(part), "\(code)")
        #expect(code.isEmpty || !outcome.errors.contains(code))
      }
      #expect(!FileManager.default.fileExists(atPath: device.state))
    }
  }

  @Test func oneSourceHasToBeNamed() throws {
    try withDevice { device in
      for arguments in [[], ["--stdin", "--generate"], ["--generate", "1"], ["1", "2"]] {
        let outcome = try device.run(["set-code"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("set-code --help"))
      }
    }
  }

  @Test func theLabelHasCodeIDAndURI() throws {
    try withDevice { device in
      let before = try device.run(["label"])
      #expect(before.status == 1)
      #expect(before.errors.contains("set-code --generate"))
      try #require(try device.run(["set-code", "--stdin"], input: "314159266").status == 0)
      let label = try device.run(["label"])
      #expect(
        label.output.hasSuffix(
          """

          Setup code  314-159-266
          Device id   0123456789ab
          wifiprov:1?id=0123456789ab&code=314159266&name=Kitchen%20lamp

          """))
      #expect(label.output.contains("▀"))
      #expect(try device.run(["label"], locale: "C").output.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test func thePicturesAreForTheirOwnerAlone() throws {
    try withDevice { device in
      try #require(try device.run(["set-code", "--generate"]).status == 0)
      let (png, svg) = (device.folder + "/label.png", device.folder + "/label.svg")
      let outcome = try device.run(["label", "--png", png, "--svg", svg])
      #expect(outcome.status == 0)
      #expect(outcome.output == "")
      for path in [png, svg] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
      let data = try Data(contentsOf: URL(fileURLWithPath: png))
      #expect(data.starts(with: [0x89, 0x50, 0x4e, 0x47]))
      let label = try #require(try device.storedCode()?.code?.label)
      #expect(try String(contentsOfFile: svg, encoding: .utf8).contains(">\(label)<"))
    }
  }

  @Test func aVerifierShowsTheCodeOnce() throws {
    try withDevice(storage: "verifier") { device in
      let outcome = try device.run(["set-code", "--generate"])
      #expect(outcome.output.contains("Setup code"))
      let stored = try #require(try device.storedCode())
      #expect(stored.code == nil)
      let label = try device.run(["label"])
      #expect(label.status == 1)
      #expect(label.errors.contains("not kept"))
    }
  }

  @Test func openForgivesTheWrongGuesses() throws {
    try withDevice { device in
      #expect(try device.run(["open"]).status == 1)
      let folder = try StateFolder(device.state, create: true)
      try folder.save(wrongGuesses: 9)
      #expect(try device.run(["open"]).status == 0)
      #expect(try folder.wrongGuesses() == 0)
    }
  }

  @Test func aFileThatOthersMayReadIsNamed() throws {
    try withDevice { device in
      try #require(try device.run(["set-code", "--generate"]).status == 0)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: device.state + "/setup-code")
      let label = try device.run(["label"])
      #expect(label.status == 1)
      #expect(label.errors.hasPrefix("error: \(device.state)/setup-code: others than its owner"))
      // Another code is written to another file.
      #expect(try device.run(["set-code", "--generate"]).status == 0)
      #expect(try device.run(["label"]).status == 0)
    }
  }
}
