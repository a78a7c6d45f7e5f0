import Foundation

/// The specification's JSON files, beside the sources.
enum Vectors {
  static func load<Content: Decodable>(_ name: String) throws -> Content {
    let file = URL(filePath: #filePath).appending(
      path: "../../../provisioning-spec/vectors/\(name)")
    return try JSONDecoder().decode(Content.self, from: Data(contentsOf: file.standardized))
  }
}

/// Bytes as pairs of hexadecimal digits.
struct Hex: Decodable, Equatable, CustomStringConvertible {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not hexadecimal: \(text)"))
    }
    bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  var description: String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }
}
