/// What a device's label says to a camera: which device it is, and its setup code.
///
/// `wifiprov:1?id=0123456789ab&code=123456789&name=Kitchen%20lamp`: a URI of RFC 3986 with the
/// protocol's major version as its path, and with keys and values as its query.
package struct SetupURI: Equatable, Sendable {
  /// How many bytes a reader takes.
  package static let maximumLength = 4096

  /// The keys of the query.
  package enum Key: String, CaseIterable, Sendable {
    case id
    case code
    case name
  }

  /// Why text is no such URI.
  package enum FormatError: Error, Hashable, Sendable {
    case tooLong(count: Int)
    /// Another scheme than `wifiprov`: a code for something else.
    case foreign
    /// Another major version, or none.
    case unsupportedVersion
    /// A character that may not stand there, or a broken percent-encoding.
    case malformed(offset: Int)
    case missing(Key)
    case duplicate(Key)
    /// Not 12 hexadecimal digits.
    case deviceID
    case code(SetupCode.FormatError)
    /// Not UTF-8.
    case name
  }

  package var deviceID: DeviceID
  package var code: SetupCode
  package var name: String?

  package init(deviceID: DeviceID, code: SetupCode, name: String? = nil) {
    self.deviceID = deviceID
    self.code = code
    self.name = name
  }
}
