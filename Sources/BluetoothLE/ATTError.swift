/// An error code of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4.1.1).
public struct ATTError: RawRepresentable, Error, Sendable, Hashable {
  /// The code in the error response.
  public let rawValue: UInt8

  /// The error of any code, known here or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// 0x01: there is no attribute with this handle.
  public static let invalidHandle = Self(rawValue: 0x01)
  /// 0x02: the attribute cannot be read.
  public static let readNotPermitted = Self(rawValue: 0x02)
  /// 0x03: the attribute cannot be written.
  public static let writeNotPermitted = Self(rawValue: 0x03)
  /// 0x04: the request is malformed.
  public static let invalidPDU = Self(rawValue: 0x04)
  /// 0x05: the link must be authenticated first.
  public static let insufficientAuthentication = Self(rawValue: 0x05)
  /// 0x06: the server does not know this request.
  public static let requestNotSupported = Self(rawValue: 0x06)
  /// 0x07: the offset is beyond the value's end.
  public static let invalidOffset = Self(rawValue: 0x07)
  /// 0x08: the client must be authorized first.
  public static let insufficientAuthorization = Self(rawValue: 0x08)
  /// 0x09: too many prepared writes.
  public static let prepareQueueFull = Self(rawValue: 0x09)
  /// 0x0A: no such attribute in the range of handles.
  public static let attributeNotFound = Self(rawValue: 0x0A)
  /// 0x0B: the attribute cannot be read in parts.
  public static let attributeNotLong = Self(rawValue: 0x0B)
  /// 0x0C: the link's key is too short.
  public static let insufficientEncryptionKeySize = Self(rawValue: 0x0C)
  /// 0x0D: the value has the wrong length.
  public static let invalidAttributeValueLength = Self(rawValue: 0x0D)
  /// 0x0E: something unlikely went wrong.
  public static let unlikelyError = Self(rawValue: 0x0E)
  /// 0x0F: the link must be encrypted first.
  public static let insufficientEncryption = Self(rawValue: 0x0F)
  /// 0x10: the type of the attribute is no grouping one.
  public static let unsupportedGroupType = Self(rawValue: 0x10)
  /// 0x11: the server has run out of something.
  public static let insufficientResources = Self(rawValue: 0x11)
  /// 0xFD: the client characteristic configuration does not fit.
  public static let improperlyConfigured = Self(rawValue: 0xFD)
  /// 0xFE: the one before is not over.
  public static let procedureAlreadyInProgress = Self(rawValue: 0xFE)

  /// The codes that an application gives a meaning to.
  public static let applicationCodes: ClosedRange<UInt8> = 0x80...0x9F

  /// Whether the application gives the code its meaning.
  public var isApplicationError: Bool { Self.applicationCodes.contains(rawValue) }
}

extension ATTError: CustomStringConvertible {
  /// The code, as `ATT error 0x80`.
  public var description: String { "ATT error 0x\(Hexadecimal.text(rawValue, digits: 2))" }
}
