internal import Glibc
internal import ProvisioningAgent

/// A light of the board, which the kernel blinks.
///
/// It is the board's, and shows something else outside ``begin()``: a card's accesses, say.
struct LED: IndicatorPort {
  /// Where the kernel has its LEDs.
  static let folder = "/sys/class/leds"

  /// Why a LED cannot be used, in words.
  struct Failure: Error, Equatable {
    let message: String
  }

  private let file: LEDFiles

  /// Takes a LED of the board; nothing is written before ``begin()``.
  ///
  /// - Parameters:
  ///   - name: the name of a folder in `folder`.
  ///   - folder: where the LEDs are.
  /// - Throws: when it is not there, cannot be written, or the kernel cannot blink it.
  init(_ name: String, in folder: String = Self.folder) throws(Failure) {
    file = LEDFiles(path: "\(folder)/\(name)")
    let triggers: String
    do throws(LEDFiles.Failure) {
      triggers = try file.read(.trigger)
    } catch {
      let names = LEDFiles.names(in: folder)
      throw Failure(
        message: "LED ‘\(name)’: \(error.reason); "
          + (names.isEmpty ? "there are no LEDs" : "there are \(names.joined(separator: ", "))"))
    }
    guard triggers.triggerNames.contains(Self.timer) else {
      throw Failure(
        message: "LED ‘\(name)’: the kernel has no trigger ‘timer’; ledtrig-timer is its module")
    }
    if let reason = file.objectionToWriting {
      throw Failure(
        message: "LED ‘\(name)’: \(reason); where the service manager protects /sys, "
          + "ReadWritePaths=\(file.realPath) in the unit lets it be written")
    }
  }

  /// Blinks quickly.
  func begin() throws -> @Sendable () throws -> Void {
    let old = try Old(file)
    try file.write(Self.timer, to: .trigger)
    // Half a second each without these, like many a board's heartbeat.
    for delay in [LEDFiles.Name.delayOn, .delayOff] { try? file.write("100", to: delay) }
    return { [file] in try old.restore(file) }
  }

  private static let timer = "timer"
  private static let none = "none"

  /// What the LED did before.
  private struct Old {
    let trigger: String
    let brightness: String
    /// Of the trigger `timer`.
    let delays: [(LEDFiles.Name, String)]

    init(_ file: LEDFiles) throws(LEDFiles.Failure) {
      guard let active = try file.read(.trigger).activeTrigger else {
        throw LEDFiles.Failure(reason: "no trigger is the active one")
      }
      trigger = active
      brightness = try file.read(.brightness)
      delays =
        active != LED.timer
        ? []
        : [LEDFiles.Name.delayOn, .delayOff].compactMap { name in
          (try? file.read(name)).map { (name, $0) }
        }
    }

    func restore(_ file: LEDFiles) throws(LEDFiles.Failure) {
      try file.write(trigger, to: .trigger)
      for (name, delay) in delays { try file.write(delay, to: name) }
      // Only where nothing but the brightness says what to show: a trigger sets it by itself, and
      // the kernel takes a 0 for the wish to have no trigger.
      if trigger == LED.none { try file.write(brightness, to: .brightness) }
    }
  }
}

extension String {
  /// The triggers of the kernel's list, which has the active one in brackets.
  fileprivate var triggerNames: [String] {
    split(separator: " ").map { word in
      String(word.isInBrackets ? word.dropFirst().dropLast() : word)
    }
  }

  fileprivate var activeTrigger: String? {
    split(separator: " ").first(where: \.isInBrackets).map { String($0.dropFirst().dropLast()) }
  }
}

extension Substring {
  fileprivate var isInBrackets: Bool { first == "[" && last == "]" && count > 2 }
}
