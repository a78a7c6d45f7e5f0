import Diagnostics
import Synchronization
import Testing

@Suite struct LogTests {
  private final class Lines: Sendable {
    let written = Mutex<[String]>([])
    func log(
      _ format: Log.Format, threshold: Log.Level = .info,
      now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) -> Log {
      Log(threshold: threshold, format: format, now: now) { line in
        self.written.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    var all: [String] { written.withLock { $0 } }
  }

  @Test func theJournalReadsTheLevelFromTheLine() {
    let lines = Lines()
    let log = lines.log(.prefixed)
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
    lines.log(.prefixed).info("device ‘x\n<3>y\u{1b}[2J\u{9b}ü’")
    #expect(lines.all == ["<6>device ‘x\\u{a}<3>y\\u{1b}[2J\\u{9b}ü’\n"])
  }

  @Test func theJournalGetsFields() {
    let lines = Lines()
    let id = MessageID("6c05e38eea1e44238c36834e394d3162")
    lines.log(.entry(program: "board"))
      .notice("joining ‘x\nPRIORITY=0’", id, [LogField("PROVISIONING_SSID", "x\nPRIORITY=0")])
    #expect(
      lines.all == [
        """
        MESSAGE=joining ‘x\\u{a}PRIORITY=0’
        PRIORITY=5
        SYSLOG_IDENTIFIER=board
        MESSAGE_ID=6c05e38eea1e44238c36834e394d3162
        PROVISIONING_SSID=x\\u{a}PRIORITY=0

        """
      ])
  }

  @Test func whatStrangersCauseIsLimited() {
    let lines = Lines()
    let time = Mutex(ContinuousClock.now)
    let log = lines.log(.plain) { time.withLock { $0 } }
    let knocks = MessageID(String(repeating: "1", count: 32), isLimited: true)
    let others = MessageID(String(repeating: "2", count: 32))
    for _ in 0..<100 {
      log.info("knock", knocks)
      log.info("other", others)
    }
    #expect(lines.all.count { $0 == "other\n" } == 100)
    let written = lines.all.filter { $0.hasPrefix("knock") }
    #expect(written.count == 20)
    #expect(written.last == "knock (more such lines are left out for up to a minute)\n")
    time.withLock { $0 += .seconds(61) }
    log.info("knock", knocks)
    log.info("knock", knocks)
    #expect(
      lines.all.suffix(2) == ["knock (80 such lines before it were left out)\n", "knock\n"])
  }
}
