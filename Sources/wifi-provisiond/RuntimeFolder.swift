internal import DeviceState
internal import Diagnostics
internal import Glibc
internal import ProvisioningAgent

/// The folder that keeps what a restart of the daemon must not forget, and that the boot empties.
struct RuntimeFolder: WindowStore {
  private let path: String

  /// The service manager's, or the usual one.
  init() {
    // Several are separated by colons; the unit names one.
    path = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) } ?? "/run/wifi-provisiond"
  }

  /// What the daemon before this one left; nil for nothing, also where that cannot be read.
  func memory(_ log: Log) -> ProvisioningWindow.Memory? {
    do throws(StateError) {
      return try StateFolder(path).window().map { ProvisioningWindow.Memory($0) }
    } catch {
      if error.problem != .missing {
        log.warning("how long the device was to stay open is forgotten: \(error.description)")
      }
      return nil
    }
  }

  func store(_ memory: ProvisioningWindow.Memory) throws {
    try StateFolder(path, create: true).save(StoredWindow(memory))
  }
}

extension ProvisioningWindow.Memory {
  init(_ stored: StoredWindow) {
    self.init()
    openedByHandUntil = stored.openedByHandUntil.map { Duration(sinceBoot: $0) }
    openedUntil = stored.openedUntil.map { Duration(sinceBoot: $0) }
    isOver = stored.isOver
    isClosedByHand = stored.isClosedByHand
  }
}

extension StoredWindow {
  init(_ memory: ProvisioningWindow.Memory) {
    self.init(
      openedByHandUntil: memory.openedByHandUntil?.sinceBoot,
      openedUntil: memory.openedUntil?.sinceBoot, isOver: memory.isOver,
      isClosedByHand: memory.isClosedByHand)
  }
}

extension Duration {
  /// Milliseconds; the largest number for no end.
  fileprivate var sinceBoot: UInt64 {
    guard self < ProvisioningWindow.forEver else { return .max }
    let (seconds, attoseconds) = components
    return UInt64(clamping: seconds) * 1000 + UInt64(clamping: attoseconds / 1_000_000_000_000_000)
  }

  fileprivate init(sinceBoot milliseconds: UInt64) {
    // What is longer than any machine runs is no end, too.
    self =
      milliseconds < 1 << 53
      ? .milliseconds(Int64(milliseconds)) : ProvisioningWindow.forEver
  }
}
