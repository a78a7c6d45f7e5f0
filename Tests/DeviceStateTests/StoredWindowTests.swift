import DeviceState
import Foundation
import Testing

@Suite struct StoredWindowTests {
  @Test func theWindowIsKept() throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      #expect(try folder.window() == nil)
      for window in [
        StoredWindow(
          openedByHandUntil: .max, openedUntil: 12_345, isOver: false, isClosedByHand: true),
        StoredWindow(
          openedByHandUntil: nil, openedUntil: nil, isOver: true, isClosedByHand: false),
      ] {
        try folder.save(window)
        #expect(try folder.window() == window)
      }
      try Data([0xA0]).write(to: URL(filePath: path + "/window"))
      let error = #expect(throws: StateError.self) { try folder.window() }
      #expect(error?.problem == .corrupt)
    }
  }
}
