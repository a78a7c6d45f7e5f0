import Foundation
import QRCode
import Testing

@Suite struct QRCodeTests {
  private let text = "wifiprov:1?id=0123456789ab&code=123456788&name=Kitchen%20lamp"

  /// The rows of the code with its margin, as they should look.
  private func rows(_ code: QRCode) -> [[Bool]] {
    let range = -QRCode.margin..<code.size + QRCode.margin
    return range.map { row in range.map { code.isDark(column: $0, row: row) } }
  }

  @Test(arguments: [1, 3, 8]) func aScannerReadsThePicture(scale: Int) throws {
    let png = try QRCode(text.utf8).png(scale: scale)
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString + ".png").path
    try Data(png).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let scanner = Process()
    scanner.executableURL = URL(fileURLWithPath: "/usr/bin/zbarimg")
    scanner.arguments = ["--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable", path]
    let output = Pipe()
    scanner.standardOutput = output
    try scanner.run()
    let read = output.fileHandleForReading.readDataToEndOfFile()
    scanner.waitUntilExit()
    #expect(String(decoding: read, as: UTF8.self) == text + "\n")
  }

  @Test func halfBlocksShowTwoRowsEach() throws {
    let code = try QRCode(text.utf8)
    let expected = rows(code)
    var found: [[Bool]] = []
    for line in code.text(.unicode, coloured: false).split(separator: "\n") {
      found.append(line.map { $0 == "▀" || $0 == "█" })
      found.append(line.map { $0 == "▄" || $0 == "█" })
    }
    #expect(found.prefix(expected.count).elementsEqual(expected))
    // The side is odd, so that the last line has one row of nothing below the margin.
    #expect(found.count == expected.count + 1)
    #expect(found.last?.contains(true) == false)
  }

  @Test func withoutUnicodeTwoCharactersShowAModule() throws {
    let code = try QRCode(text.utf8)
    let text = code.text(.ascii, coloured: false)
    let found = text.split(separator: "\n").map { line in
      stride(from: 0, to: line.count, by: 2).map { line.dropFirst($0).prefix(2) == "##" }
    }
    #expect(found == rows(code))
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func onATerminalEveryLineSetsItsColoursAndSetsThemBack() throws {
    let lines = try QRCode(text.utf8).text(.unicode, coloured: true).split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("\u{1b}[30;47m") && $0.hasSuffix("\u{1b}[0m") })
  }

  @Test func theDrawingHasTheSameModules() throws {
    let code = try QRCode(text.utf8)
    let svg = code.svg(caption: ["123-456-788", "0123456789ab"])
    let document = try DrawingProbe(svg)
    #expect(document.texts == ["123-456-788", "0123456789ab"])
    #expect(document.viewBox == "0 0 \(code.size + 8) \(code.size + 16)")
    // Mx yhNv1Hxz: a run of N modules.
    var found = rows(code).map { $0.map { _ in false } }
    for run in document.path.split(separator: "z") {
      let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
      try #require(numbers.count == 5 && numbers[3] == 1 && numbers[4] == numbers[0])
      for column in numbers[0]..<numbers[0] + numbers[2] { found[numbers[1]][column] = true }
    }
    #expect(found == rows(code))
  }

  @Test func whatDoesNotFitIsAnError() throws {
    #expect(try QRCode([UInt8](repeating: 0, count: 2331)).size == 177)
    #expect(throws: QRCode.Failure.tooLong(count: 2332)) {
      try QRCode([UInt8](repeating: 0, count: 2332))
    }
  }
}

/// What the drawing has to say, found as in any text: it has one path.
private struct DrawingProbe {
  let viewBox: String
  let path: String
  let texts: [String]

  init(_ svg: String) throws {
    viewBox = String(try #require(svg.firstMatch(of: /viewBox="([^"]*)"/)).1)
    path = String(try #require(svg.firstMatch(of: /<path d="([^"]*)"/)).1)
    texts = svg.matches(of: /<text [^>]*>([^<]*)<\/text>/).map { String($0.1) }
    try #require(svg.hasSuffix("</svg>\n"))
  }
}
