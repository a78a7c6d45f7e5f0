import Diagnostics
import Foundation
import ProvisioningAgent
import Testing

/// What `journalctl --catalog` explains.
@Suite struct CatalogTests {
  private static let catalog = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../packaging/wifi-provisiond.catalog").standardized

  @Test func everyKindOfEntryIsExplainedOnce() throws {
    let text = try String(contentsOf: Self.catalog, encoding: .utf8)
    let ids = text.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { $0.dropFirst(3) }
    #expect(ids.map(String.init) == MessageID.agents.map(\.text))
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(id.count == 32 && id.allSatisfy { "0123456789abcdef".contains($0) }) }
  }
}
