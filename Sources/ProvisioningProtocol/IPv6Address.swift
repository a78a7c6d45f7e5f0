/// An IPv6 address in network order, without a zone.
package struct IPv6Address: InternetAddress {
  package static let byteCount = 16

  /// Exactly sixteen.
  package let bytes: [UInt8]

  /// Takes sixteen bytes; any other count gives nil.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  package var isUnicast: Bool {
    let isLowest = bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
    return bytes[0] != 0xFF && !isLowest
  }

  package var isLinkLocal: Bool { bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }
}

extension IPv6Address: LosslessStringConvertible {
  /// Reads any of the forms of RFC 4291, section 2.2; anything else gives nil.
  package init?(_ description: String) {
    let text = Array(description.utf8)
    let gap = text.indices.dropLast().first {
      text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":")
    }
    guard let gap else {
      guard let bytes = Self.groups(text[...]) else { return nil }
      self.init(bytes: bytes)
      return
    }
    guard let head = Self.groups(text[..<gap], mayEndInIPv4: false),
      let tail = Self.groups(text[(gap + 2)...]), head.count + tail.count <= 14
    else { return nil }
    let zeros = [UInt8](repeating: 0, count: Self.byteCount - head.count - tail.count)
    self.init(bytes: head + zeros + tail)
  }

  /// The bytes of groups with colons between them; none for no text.
  private static func groups(
    _ text: ArraySlice<UInt8>, mayEndInIPv4: Bool = true
  ) -> [UInt8]? {
    if text.isEmpty { return [] }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if mayEndInIPv4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let address = IPv4Address(String(decoding: part, as: UTF8.self)) else { return nil }
        return bytes + address.bytes
      }
      // A sign would be read as part of the number.
      guard (1...4).contains(part.count), part.first != UInt8(ascii: "+"),
        let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
      else { return nil }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return bytes
  }

  /// The form of RFC 5952.
  package var description: String {
    let groups = stride(from: 0, to: Self.byteCount, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    var longest = 0..<0
    var start = 0
    while start < groups.count {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
      // A single group is not shortened.
      if end - start > max(longest.count, 1) { longest = start..<end }
      start = max(end, start + 1)
    }
    let words = groups.map { String($0, radix: 16) }
    guard !longest.isEmpty else { return words.joined(separator: ":") }
    return words[..<longest.lowerBound].joined(separator: ":") + "::"
      + words[longest.upperBound...].joined(separator: ":")
  }
}
