internal import BluetoothLE
internal import Glibc
internal import Secrets

/// Asks the person at the terminal for the passkey that a device shows.
enum PasskeyQuestion {
  /// Waits for six digits, on a thread of its own, for the loop goes on meanwhile.
  ///
  /// - Returns: nil where there is no terminal, or the person does not answer with a passkey.
  static func ask() async -> Passkey? {
    await withCheckedContinuation { continuation in
      let question = Unmanaged.passRetained(Question { continuation.resume(returning: read()) })
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { question in
          question.map { Unmanaged<Question>.fromOpaque($0).takeRetainedValue().answer() }
          return nil
        }, question.toOpaque())
      if status == 0 {
        // Where the pairing ends first, the program does, and the thread with it.
        pthread_detach(thread)
      } else {
        question.release()
        continuation.resume(returning: nil)
      }
    }
  }

  private final class Question: Sendable {
    let answer: @Sendable () -> Void
    init(_ answer: @escaping @Sendable () -> Void) { self.answer = answer }
  }

  private static func read() -> Passkey? {
    // Standard input may have held the Wi-Fi password.
    guard let terminal = Terminal() else { return nil }
    do throws(SecretError) {
      let digits = try terminal.ask(for: .passkey) { descriptor throws(SecretError) in
        try SecretSource.read(.passkey, from: descriptor, until: .lineEnd, named: "the terminal")
      }
      return digits.withUnsafeBytes { Passkey(String(decoding: $0, as: UTF8.self)) }
    } catch {
      // The terminal's handler had it, and the loop is to have it.
      if case .interrupted(let signal) = error.problem { kill(getpid(), signal) }
      return nil
    }
  }
}
