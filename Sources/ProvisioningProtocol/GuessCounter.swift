/// How often a setup code has been guessed wrong, and for how long the device is locked for that.
///
/// A provisioner can tell from the device's proof whether its guess was right, and go away without
/// a word. So a guess counts as wrong from the moment that the proof is handed out until the
/// provisioner's own has come.
///
/// Times are durations since any fixed start. Store `wrongGuesses` whenever it has changed, and
/// *before* the proof goes out: a device that loses its power then still knows of the guess. The
/// lock itself needs no storing, nor a clock that keeps its time: it begins anew with the device.
package struct GuessCounter: Equatable, Sendable {
  /// How many wrong guesses in a row are free.
  package static let limit: UInt32 = 5
  /// The first lock; each further wrong guess doubles it.
  package static let firstLock = Duration.seconds(30)
  /// The longest lock.
  package static let longestLock = Duration.seconds(3600)

  /// The device is locked for so many seconds more.
  package struct LockedOut: Error, Hashable, Sendable {
    package var seconds: UInt16

    package init(seconds: UInt16) { self.seconds = seconds }
  }

  /// The wrong guesses since the last right one.
  package private(set) var wrongGuesses: UInt32
  private var lockedUntil: Duration?

  /// Begins with what was stored, or with none.
  package init(wrongGuesses: UInt32 = 0, at now: Duration) {
    self.wrongGuesses = wrongGuesses
    lockedUntil = lock.map { now + $0 }
  }

  /// How many wrong guesses are left before the device locks.
  package var guessesLeft: UInt8 { UInt8(clamping: Self.limit - min(wrongGuesses, Self.limit)) }

  /// Throws while the device is locked: no handshake may begin.
  package func check(at now: Duration) throws(LockedOut) {
    guard let lockedUntil, now < lockedUntil else { return }
    let (seconds, fraction) = (lockedUntil - now).components
    throw LockedOut(seconds: UInt16(clamping: fraction > 0 ? seconds + 1 : seconds))
  }

  /// Counts a guess, right before the proof goes out.
  package mutating func count(at now: Duration) throws(LockedOut) {
    try check(at: now)
    if wrongGuesses < .max { wrongGuesses += 1 }
    lockedUntil = lock.map { now + $0 }
  }

  /// Forgets the wrong guesses: the last one was right, or the person at the device says so.
  package mutating func reset() {
    wrongGuesses = 0
    lockedUntil = nil
  }

  /// How long the device is locked after the last wrong guess; nil for not at all.
  private var lock: Duration? {
    guard wrongGuesses >= Self.limit else { return nil }
    // Seven doublings are beyond the longest.
    return min(Self.firstLock * (1 << min(wrongGuesses - Self.limit, 7)), Self.longestLock)
  }
}
