import Diagnostics
import Synchronization
import Testing

@Suite struct LogTests {
  private final class Lines: Sendable {
    let written = Mutex<[String]>([])
    func log(_ format: Log.Format, threshold: Log.Level = .info) -> Log {
      Log(threshold: threshold, format: format) { line in
        self.written.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    var all: [String] { written.withLock { $0 } }
  }

  @Test func theJournalReadsTheLevelFromTheLine() {
    let lines = Lines()
    let log = lines.log(.journal)
    log.error("a")
    log.warning("b")
    log.notice("c")
    log.info("d")
    #expect(lines.all == ["<3>a\n", "<4>b\n", "<5>c\n", "<6>d\n"])
  }

  @Test func aPersonReadsWords() {
    let lines = Lines()
    let log = lines.log(.plain)
    log.error("a")
    log.warning("b")
    log.info("c")
    #expect(lines.all == ["error: a\n", "warning: b\n", "c\n"])
  }

  @Test func whatMattersLessIsNeitherWrittenNorEvenBuilt() {
    let lines = Lines()
    let log = lines.log(.plain, threshold: .notice)
    func text() -> String {
      Issue.record("built")
      return ""
    }
    log.debug(text())
    log.info(text())
    #expect(lines.all.isEmpty)
  }

  @Test func aNameFromTheAirCannotForgeALine() {
    let lines = Lines()
    lines.log(.journal).info("device ‘x\n<3>y\u{1b}[2J\u{9b}ü’")
    #expect(lines.all == ["<6>device ‘x\\u{a}<3>y\\u{1b}[2J\\u{9b}ü’\n"])
  }
}
