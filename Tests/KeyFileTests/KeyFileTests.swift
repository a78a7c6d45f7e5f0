import Foundation
import KeyFile
import Testing

private func parse(_ text: String) throws(KeyFileError) -> KeyFile {
  try KeyFile(contents: Array(text.utf8), file: "a.conf")
}

private func group(_ text: String) throws -> Group {
  try #require(try parse("[g]\n" + text)["g"])
}

@Suite struct KeyFileTests {
  @Test func groupsAndKeysKeepTheirOrderAndTheirLines() throws {
    let file = try parse(
      "# a comment\n\n[first]\n one = 1\n\n[step 2]\r\ntwo=2\r\n# x = y\nthree=\n")
    #expect(file.groups.map(\.name) == ["first", "step 2"])
    #expect(file.groups.map(\.line) == [3, 6])
    #expect(file["first"]?["one"]?.value == [0x31])
    #expect(file["first"]?["one"]?.file == "a.conf")
    #expect(file["first"]?["one"]?.line == 4)
    #expect(file["step 2"]?.entries.map(\.key) == ["two", "three"])
    #expect(file["step 2"]?["two"]?.value == [0x32])
    #expect(file["step 2"]?["three"]?.value == [])
    #expect(file["step 2"]?["three"]?.line == 9)
    #expect(file["third"] == nil)
  }

  @Test func aGroupMayBeginAgain() throws {
    let file = try parse("[a]\nx=1\n[b]\ny=2\n[a]\nz=3\n")
    #expect(file.groups.map(\.name) == ["a", "b"])
    #expect(file["a"]?.entries.map(\.line) == [2, 6])
  }

  @Test func valuesAreTakenAsTheyStand() throws {
    let found = try group("a =  \\s;\"x\" = #1\\n \nb[de] = ü\n")
    #expect(try found.text("a") == "\\s;\"x\" = #1\\n")
    #expect(try found.text("b[de]") == "ü")
  }

  @Test(arguments: [
    ("[a]\nx=1\nnonsense\ny=2\n", 3), ("x=1\n", 1), ("[a]\n\n[b\nx=1", 3), ("[a]\n=1\n[b]\n", 2),
  ])
  func aSyntaxErrorHasItsLine(text: String, line: Int) throws {
    let error = try #require(throws: KeyFileError.self) { try parse(text) }
    #expect(error.line == line)
    #expect(error.file == "a.conf")
    guard case .syntax = error.problem else {
      Issue.record("\(error)")
      return
    }
  }

  @Test(arguments: ["", "\n", "# nothing", "\n\n#\n"])
  func aFileMayBeEmpty(text: String) throws { #expect(try parse(text).groups.isEmpty) }

  @Test func aNULByteIsAnError() throws {
    let error = try #require(throws: KeyFileError.self) { try parse("[a]\nx=1\u{0}2\n") }
    #expect(error.line == 2)
  }

  @Test func aKeyThatStandsTwiceIsAnError() throws {
    let error = try #require(throws: KeyFileError.self) { try parse("[a]\nx=1\n[b]\nx=1\nx=2\n") }
    #expect(error.description == "a.conf:5: [b] x: already set in line 4")
  }

  @Test func unknownKeysAreNamed() throws {
    let errors = try group("name=x\nnmae=y\n").unknownKeys(known: ["name"])
    #expect(errors.map(\.description) == ["a.conf:3: [g] nmae: unknown key"])
  }

  @Test func typedValues() throws {
    let found = try group("on=yes\noff=false\nn=12\nhex=48 6F 00ff\nword=b\nssid-hex=00\n")
    #expect(try found.boolean("on") == true)
    #expect(try found.boolean("off") == false)
    #expect(try found.boolean("none") == nil)
    #expect(try found.integer("n", in: 0...12) == 12)
    #expect(try found.hexadecimal("hex") == [0x48, 0x6f, 0, 0xff])
    #expect(try found.choice("word", ["a": 1, "b": 2]) == 2)
    #expect(try found.bytes("ssid") == [0])
    #expect(try found.bytes("word") == [0x62])
    #expect(try found.bytes("none") == nil)
  }

  @Test func valuesOfTheWrongKindSayWhatIsExpected() throws {
    let found = try group("x=maybe\ny = 4 8\nssid=a\nssid-hex=61\n")
    func problem(_ body: () throws -> Void) -> String? {
      (#expect(throws: KeyFileError.self, performing: body))?.description
    }
    #expect(
      problem { _ = try found.boolean("x") } == "a.conf:2: [g] x: expected yes, no, true, false")
    #expect(
      problem { _ = try found.integer("x", in: 1...9) }
        == "a.conf:2: [g] x: expected a whole number from 1 to 9")
    #expect(
      problem { _ = try found.hexadecimal("y") }
        == "a.conf:3: [g] y: expected pairs of hexadecimal digits")
    #expect(
      problem { _ = try found.bytes("ssid") }
        == "a.conf:4: [g] ssid: expected ssid or ssid-hex, not both")
  }

  @Test func aValueThatIsNoTextIsAnError() throws {
    let file = try KeyFile(contents: Array("[g]\nx=".utf8) + [0xff, 0x0a], file: "a.conf")
    let found = try #require(file["g"])
    #expect(found["x"]?.value == [0xff])
    let error = try #require(throws: KeyFileError.self) { try found.text("x") }
    #expect(error.problem == .invalidValue(expected: "UTF-8 text"))
  }
}

@Suite struct DropInTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString).path

  private func write(_ name: String, _ text: String) throws {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func laterFilesReplaceKeysAndKeepTheRest() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("d.conf", "[a]\nx=1\ny=1\n")
    try write("d.conf.d/20-b.conf", "[a]\nx=3\n[b]\nz=3\n")
    try write("d.conf.d/10-a.conf", "[a]\nx=2\n")
    try write("d.conf.d/30-c.conf~", "nonsense")
    try write("d.conf.d/.40.conf", "nonsense")
    let file = try KeyFile(pathWithDropIns: "\(folder)/d.conf", mayBeMissing: false)
    #expect(try file["a"]?.text("x") == "3")
    #expect(try file["a"]?.text("y") == "1")
    #expect(file["a"]?["x"]?.file == "\(folder)/d.conf.d/20-b.conf")
    #expect(try file["b"]?.text("z") == "3")
  }

  @Test func aMissingFileIsAnErrorWhereItIsNamed() throws {
    let error = try #require(throws: KeyFileError.self) {
      try KeyFile(pathWithDropIns: "\(folder)/none.conf", mayBeMissing: false)
    }
    #expect(error.description == "\(folder)/none.conf: no such file")
    #expect(try KeyFile(pathWithDropIns: "\(folder)/none.conf", mayBeMissing: true).groups.isEmpty)
  }

  @Test func aFolderIsNoFile() throws {
    let error = try #require(throws: KeyFileError.self) {
      try KeyFile(path: FileManager.default.temporaryDirectory.path)
    }
    guard case .unreadable = error.problem else {
      Issue.record("\(error)")
      return
    }
  }
}
