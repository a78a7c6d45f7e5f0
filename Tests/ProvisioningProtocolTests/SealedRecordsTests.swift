import ProvisioningProtocol
import Secrets
import Testing

struct SealedRecordsTests {
  private let key = SecretBytes((0..<32).map { UInt8($0) })

  private func side(_ side: SealedRecords.Side) throws -> SealedRecords {
    try SealedRecords(sharedKey: key, side: side)
  }

  /// The bodies of the provisioner's first messages.
  private func records(_ contents: [[UInt8]]) throws -> [[UInt8]] {
    var provisioner = try side(.provisioner)
    return try contents.map { content in
      guard case .sealed(let body) = try provisioner.seal(SecretBytes(content)) else { return [] }
      return body
    }
  }

  /// What opening `record` as the device's next one comes to; nil for success.
  private func failure(
    _ record: [UInt8], _ device: inout SealedRecords
  ) -> SealedRecords.RecordError? {
    do throws(SealedRecords.RecordError) {
      _ = try device.open(record)
      return nil
    } catch {
      return error
    }
  }

  @Test func openInOrder() throws {
    let records = try records([[1], [1], [2, 3]])
    #expect(records[0] != records[1], "the same content is not sealed to the same bytes")
    var device = try side(.device)
    for record in records {
      let failure = failure(record, &device)
      #expect(failure == nil)
    }
  }

  @Test func endWithTheFirstFailure() throws {
    let records = try records([[1], [2], [3]])
    // Repeated; left out; one of the own direction.
    var device = try side(.device)
    var own = try side(.device)
    guard case .sealed(let reflected) = try own.seal(SecretBytes([1])) else { return }
    for (before, wrong) in [(1, records[0]), (1, records[2]), (0, records[1]), (0, reflected)] {
      device = try side(.device)
      for record in records[..<before] {
        let failure = failure(record, &device)
        #expect(failure == nil)
      }
      let first = failure(wrong, &device)
      #expect(first == .notAuthentic)
      let second = failure(records[before], &device)
      #expect(second == .ended, "the right record comes too late")
      let ended = device.hasEnded
      #expect(ended)
      do throws(SealedRecords.RecordError) {
        _ = try device.seal(SecretBytes([1]))
        Issue.record("sealed after the end")
      } catch {
        #expect(error == .ended)
      }
    }
  }

  @Test func noticeEachChangedByteAndEachTruncation() throws {
    let record = try records([Array("secret".utf8)])[0]
    for index in record.indices {
      var changed = record
      changed[index] ^= 0x01
      var device = try side(.device)
      let failure = failure(changed, &device)
      #expect(failure == .notAuthentic, "byte \(index)")
    }
    for count in record.indices {
      var device = try side(.device)
      let failure = failure(Array(record.prefix(count)), &device)
      #expect(failure == .notAuthentic, "\(count) bytes")
    }
  }

  @Test func areOfOneSession() throws {
    let record = try records([[1]])[0]
    var device = try SealedRecords(
      sharedKey: SecretBytes([UInt8](repeating: 9, count: 32)), side: .device)
    let failure = failure(record, &device)
    #expect(failure == .notAuthentic)
  }

  @Test func fitAMessage() throws {
    var provisioner = try side(.provisioner)
    let limit = SealedRecords.contentLimit
    let longest = try provisioner.seal(SecretBytes([UInt8](repeating: 1, count: limit)))
    #expect(longest.encoded.count == 16_384)
    for count in [0, limit + 1] {
      do throws(SealedRecords.RecordError) {
        _ = try provisioner.seal(SecretBytes([UInt8](repeating: 1, count: count)))
        Issue.record("sealed \(count) bytes")
      } catch {
        #expect(error == .contentLength(count))
      }
    }
    let ended = provisioner.hasEnded
    #expect(!ended, "nothing was sealed, so nothing is lost")
  }
}
