import Foundation
import Synchronization

/// Collects the lines of a pipe on a thread of its own.
final class LineReader: Sendable {
  private struct State {
    var lines: [String] = []
    var isComplete = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      var rest = Data()
      while true {
        // What is there already; read(upToCount:) would wait for all of it.
        let chunk = handle.availableData
        if chunk.isEmpty { break }
        rest += chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest = Data(rest[rest.index(after: end)...])
          change { $0.lines.append(line) }
        }
      }
      change { $0.isComplete = true }
    }
  }

  /// The lines so far.
  var lines: [String] { state.withLock { $0.lines } }

  /// Waits for a line, an earlier one too; nil when the pipe ends without it.
  func first(where matches: (String) -> Bool) async -> String? {
    while true {
      let (found, count, isComplete) = state.withLock {
        ($0.lines.first(where: matches), $0.lines.count, $0.isComplete)
      }
      if found != nil || isComplete { return found }
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          if state.lines.count != count || state.isComplete { return true }
          state.waiting.append(continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
    }
  }

  private func change(_ edit: (inout State) -> Void) {
    let waiting = state.withLock { state in
      edit(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
