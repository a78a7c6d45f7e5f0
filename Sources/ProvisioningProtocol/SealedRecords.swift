internal import Cryptography
package import Secrets

/// One side's end of the sealed conversation that follows a handshake.
///
/// It cannot be copied, for a copy would use a nonce a second time with the same key. After an
/// error it neither seals nor opens any more: the session is over.
package struct SealedRecords: ~Copyable, Sendable {
  /// How many bytes of content fit a record, so that its message is not too long.
  package static let contentLimit =
    SegmentWriter.messageLength.upperBound - 1 - ChaCha20Poly1305.tagCount

  /// A side of the conversation.
  package enum Side: Sendable {
    case provisioner
    case device
  }

  /// Why there is no record, or no content of one.
  package enum RecordError: Error, Hashable, Sendable {
    /// No content, or more than fits.
    case contentLength(Int)
    /// Changed, repeated, left out, out of order, or not from the other side of this session.
    case notAuthentic
    /// An error came before.
    case ended
    /// The cryptography library failed.
    case failed
  }

  /// A key, and the number of the next record under it.
  private struct Direction {
    let key: SecretBytes
    var counter: UInt64 = 0

    init(from sharedKey: SecretBytes, purpose: String) throws(CryptographyError) {
      key = try HKDFSHA256.derive(
        from: sharedKey, info: Array(purpose.utf8), count: ChaCha20Poly1305.keyCount)
    }

    /// Four zero bytes, and the counter, little-endian.
    var nonce: [UInt8] {
      [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
    }
  }

  private static let associatedData = [SessionMessage.Kind.sealed.rawValue]

  private var outgoing: Direction?
  private var incoming: Direction?

  /// Begins with the key that both sides have after the handshake.
  package init(sharedKey: SecretBytes, side: Side) throws(RecordError) {
    do throws(CryptographyError) {
      let toDevice = try Direction(
        from: sharedKey, purpose: "wifi-provisioning 1 provisioner to device")
      let toProvisioner = try Direction(
        from: sharedKey, purpose: "wifi-provisioning 1 device to provisioner")
      switch side {
      case .provisioner: (outgoing, incoming) = (toDevice, toProvisioner)
      case .device: (outgoing, incoming) = (toProvisioner, toDevice)
      }
    } catch {
      throw .failed
    }
  }

  /// Whether an error has ended the conversation.
  package var hasEnded: Bool { incoming == nil }

  /// Seals the next message to the other side.
  package mutating func seal(_ content: SecretBytes) throws(RecordError) -> SessionMessage {
    guard (1...Self.contentLimit).contains(content.count) else {
      throw .contentLength(content.count)
    }
    guard let direction = outgoing else { throw .ended }
    do throws(CryptographyError) {
      let record = try ChaCha20Poly1305.seal(
        content, key: direction.key, nonce: direction.nonce, associatedData: Self.associatedData)
      outgoing = Self.next(direction)
      return .sealed(record)
    } catch {
      end()
      throw .failed
    }
  }

  /// Opens the next record from the other side, the body of a `sealed` message.
  package mutating func open(_ record: [UInt8]) throws(RecordError) -> SecretBytes {
    guard let direction = incoming else { throw .ended }
    do throws(CryptographyError) {
      let content = try ChaCha20Poly1305.open(
        record, key: direction.key, nonce: direction.nonce, associatedData: Self.associatedData)
      incoming = Self.next(direction)
      return content
    } catch {
      end()
      switch error {
      case .notAuthentic, .invalidLength: throw .notAuthentic
      case .invalidPoint, .invalidScalar, .library: throw .failed
      }
    }
  }

  /// Nil after the last number, so that none comes twice.
  private static func next(_ direction: Direction) -> Direction? {
    guard direction.counter < .max else { return nil }
    var direction = direction
    direction.counter += 1
    return direction
  }

  private mutating func end() {
    outgoing = nil
    incoming = nil
  }
}
