import Diagnostics
import Foundation
import MainLoop
import ProvisioningAgent
import ProvisioningProtocol
import Synchronization
import TestSupport
import Testing

@testable import wifi_provisiond

/// Programs in a folder, which write what they are told into a file.
@Suite struct HookTests {
  private final class Board: Sendable {
    let loop: MainLoop
    let folder: String
    let warnings = Mutex<[String]>([])

    init(_ loop: MainLoop) throws {
      self.loop = loop
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Where the programs write; its name is no program's.
    var output: String { folder + "/.output" }

    func add(_ name: String, _ script: String, mode: UInt32 = 0o755) throws {
      try writeProgram(script, at: "\(folder)/\(name)", mode: mode)
    }

    func hooks(_ limits: Hooks.Limits = Hooks.Limits()) -> Hooks {
      Hooks(
        HookFolder(folder), environment: ["PROVISIONING_DEVICE=0123456789ab"], limits: limits,
        loop: loop,
        log: Log(threshold: .warning, format: .plain) { line in
          self.warnings.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        })
    }

    /// The file's lines once this one is the last.
    func lines(until last: String) async throws -> [String] {
      let limit = ContinuousClock.now + .seconds(20)
      while ContinuousClock.now < limit {
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").map(String.init)
        if lines.last == last { return lines }
        try await loop.sleep(for: .milliseconds(10))
      }
      Issue.record("‘\(last)’ was not written; \(warnings.withLock(\.self))")
      return []
    }
  }

  private func withBoard(
    _ body: @escaping @Sendable (Board) async throws -> Void
  ) async throws {
    try await onLoop { loop in try await body(try Board(loop)) }
  }

  @Test func runInTheOrderOfTheirNamesAndForTheirEvents() async throws {
    try await withBoard { board in
      for name in ["20-second", "10-first", "failed", "30-closed", "not.one", "left~"] {
        try board.add(name, "echo \(name) $PROVISIONING_EVENT >>\(board.output)")
      }
      try board.add("99-last", "echo >>\(board.output) end $PROVISIONING_EVENT")
      let hooks = board.hooks()
      hooks.agentDid(.opened(.open(.always)))
      hooks.agentDid(.closed(.closed(.byHand)))
      let lines = try await board.lines(until: "end closed")
      #expect(
        lines == [
          "10-first opened", "20-second opened", "end opened", "10-first closed",
          "20-second closed", "30-closed closed", "end closed",
        ])
      #expect(board.warnings.withLock(\.self).isEmpty)
    }
  }

  @Test func areToldWhatHappenedAndNothingElse() async throws {
    try await withBoard { board in
      try board.add(
        "connected",
        "env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= | LC_ALL=C sort >\(board.output)\n"
          + "cat >>\(board.output); echo end >>\(board.output)")
      let ssid = try SSID([0x43, 0x1b, 0x66, 0xff])
      board.hooks().agentDid(
        .connected(
          DeviceStatus(
            ProvisioningStatus(
              state: .connected, reason: .notSaved, ipv4: IPv4Address(bytes: [192, 0, 2, 7])),
            triedSSID: ssid)))
      let lines = try await board.lines(until: "end")
      #expect(
        lines == [
          "LANG=C.UTF-8", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "PROVISIONING_ADDRESS=192.0.2.7",
          "PROVISIONING_DEVICE=0123456789ab", "PROVISIONING_EVENT=connected",
          "PROVISIONING_REASON=not-saved", #"PROVISIONING_SSID=C\x1bf\xff"#,
          "PROVISIONING_SSID_HEX=431b66ff", "end",
        ])
    }
  }

  @Test func whatOthersMayWriteIsNotRun() async throws {
    try await withBoard { board in
      try board.add("10-everybody", "echo everybody >>\(board.output)", mode: 0o757)
      try board.add("20-group", "echo group >>\(board.output)", mode: 0o775)
      try board.add("30-plain", "echo plain >>\(board.output)", mode: 0o644)
      try board.add("40-good", "echo end $PROVISIONING_EVENT >>\(board.output)")
      let hooks = board.hooks()
      hooks.agentDid(.sessionBegan(CentralID(rawValue: "a")))
      hooks.agentDid(.sessionEnded(CentralID(rawValue: "a")))
      #expect(try await board.lines(until: "end session-ended").count == 2)
      // Said once, not with each event.
      let warnings = board.warnings.withLock { $0.sorted() }
      #expect(warnings.count == 3)
      for (warning, text) in zip(
        warnings,
        ["10-everybody: others may write to it", "20-group: others", "30-plain: Permission denied"])
      {
        #expect(warning.contains(text))
      }
    }
  }

  @Test func aFolderThatOthersMayWriteHasNoHooks() async throws {
    try await withBoard { board in
      try board.add("identify", "true")
      #expect(board.hooks().canIdentify)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: board.folder)
      #expect(!board.hooks().canIdentify)
    }
  }

  @Test func oneThatTakesTooLongIsEndedWithWhatItStarted() async throws {
    try await withBoard { board in
      // Deaf to the signal that asks, and so is its child.
      try board.add("10-deaf", "trap '' TERM; sleep 600 & echo $! >\(board.folder)/.child; wait")
      try board.add("20-next", "echo end >>\(board.output)")
      board.hooks(Hooks.Limits(run: .milliseconds(300), end: .milliseconds(100)))
        .agentDid(.opened(.open(.always)))
      _ = try await board.lines(until: "end")
      let child = try String(contentsOfFile: board.folder + "/.child", encoding: .utf8)
        .trimmingCharacters(in: .newlines)
      // Gone, or not yet waited for by whoever does that.
      let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      #expect(state == nil || state?.contains(") Z ") == true)
      let warnings = board.warnings.withLock(\.self)
      #expect(warnings.contains { $0.contains("10-deaf, opened: signal 9") })
    }
  }

  @Test func eventsThatPileUpAreDroppedAndSaid() async throws {
    try await withBoard { board in
      try board.add("all", "echo $PROVISIONING_EVENT >>\(board.output)")
      let hooks = board.hooks()
      // All before the first hook can have ended.
      for _ in 0..<Hooks.queueLimit + 3 { hooks.agentDid(.opened(.open(.always))) }
      await hooks.stop()
      #expect(board.warnings.withLock(\.count) == 3)
    }
  }

  @Test func identifyIsAHooksWork() async throws {
    try await withBoard { board in
      #expect(HookedIndicator(nil, board.hooks()) == nil)
      try board.add("10-identify", "echo on >>\(board.output)")
      try board.add("identify-ended", "echo off >>\(board.output)")
      let indicator = try #require(HookedIndicator(nil, board.hooks()))
      let restore = try indicator.begin()
      _ = try await board.lines(until: "on")
      try restore()
      #expect(try await board.lines(until: "off") == ["on", "off"])
    }
  }
}
