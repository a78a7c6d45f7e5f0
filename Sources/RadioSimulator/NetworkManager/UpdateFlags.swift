/// `NMSettingsUpdate2Flags`, which those of `AddConnection2` are a part of.
struct UpdateFlags: OptionSet {
  let rawValue: UInt32

  static let toDisk = UpdateFlags(rawValue: 0x1)
  static let inMemory = UpdateFlags(rawValue: 0x2)
  static let inMemoryDetached = UpdateFlags(rawValue: 0x4)
  static let inMemoryOnly = UpdateFlags(rawValue: 0x8)
  static let volatile = UpdateFlags(rawValue: 0x10)
  static let blockAutoconnect = UpdateFlags(rawValue: 0x20)
  static let noReapply = UpdateFlags(rawValue: 0x40)

  private var places: UpdateFlags {
    intersection([.toDisk, .inMemory, .inMemoryDetached, .inMemoryOnly])
  }

  /// Whether the profile is to be in memory, in one way or another.
  var isInMemory: Bool { !places.isEmpty && !contains(.toDisk) }

  /// Whether NetworkManager takes them: one place at most, and volatile only in memory.
  var isValid: Bool {
    rawValue < 0x80 && places.rawValue.nonzeroBitCount <= 1 && (!contains(.volatile) || isInMemory)
  }
}
