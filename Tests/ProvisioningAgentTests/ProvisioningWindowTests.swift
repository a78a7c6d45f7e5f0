import ProvisioningAgent
import ProvisioningProtocol
import Testing

@Suite struct ProvisioningWindowTests {
  private typealias Connections = ProvisioningWindow.Connections

  private let fresh = Connections(isOnline: false, hasSavedNetwork: false)
  private let offline = Connections(isOnline: false, hasSavedNetwork: true)
  private let online = Connections(isOnline: true, hasSavedNetwork: true)
  private let unknown = Connections(isOnline: false, hasSavedNetwork: nil)

  private func window(
    _ mode: OpeningPolicy.Mode = .offline, window: Int? = nil,
    memory: ProvisioningWindow.Memory = .init(), at now: Int = 0
  ) -> ProvisioningWindow {
    ProvisioningWindow(
      OpeningPolicy(
        mode: mode, offlineAfter: .seconds(60), window: window.map { .seconds($0) }),
      memory: memory, at: .seconds(now))
  }

  @Test func alwaysIsOpenFromTheStart() {
    var window = window(.always)
    #expect(window.state == .open(.always))
    window.connectionsChanged(to: online, at: .seconds(1))
    #expect(window.state == .open(.always))
    #expect(window.deadline == nil)
  }

  @Test func whatWasJustFlashedDoesNotLetItsOwnerWait() {
    var window = window()
    #expect(window.state == .closed(.starting))
    window.connectionsChanged(to: fresh, at: .seconds(1))
    #expect(window.state == .open(.nothingSaved))
    #expect(window.deadline == nil)
  }

  @Test func aSavedNetworkHasItsTimeAtBoot() {
    var window = window()
    window.connectionsChanged(to: offline, at: .seconds(2))
    #expect(window.state == .closed(.waiting(.seconds(60))))
    #expect(window.deadline == .seconds(60))
    window.advance(to: .seconds(60))
    #expect(window.state == .open(.offline(.seconds(60))))
    window.connectionsChanged(to: online, at: .seconds(70))
    #expect(window.state == .closed(.online(nil, opensAfter: .seconds(60))))
    #expect(window.deadline == nil)
  }

  @Test func aLossOpensItOnceItHasLasted() {
    var window = window()
    window.connectionsChanged(to: online, at: .seconds(5))
    window.connectionsChanged(to: offline, at: .seconds(1000))
    #expect(window.deadline == .seconds(1060))
    window.connectionsChanged(to: online, at: .seconds(1030))
    #expect(window.deadline == nil)
    window.connectionsChanged(to: offline, at: .seconds(2000))
    window.advance(to: .seconds(2060))
    #expect(window.state.isOpen)
  }

  @Test func withoutNetworkManagerTheDeviceIsOffline() {
    var window = window()
    window.connectionsChanged(to: unknown, at: .seconds(1))
    #expect(!window.state.isOpen)
    window.advance(to: .seconds(60))
    #expect(window.state.isOpen)
    var other = self.window(.unprovisioned)
    other.connectionsChanged(to: unknown, at: .seconds(1))
    #expect(other.state == .closed(.starting))
  }

  @Test func unprovisionedIsWhileNothingIsSaved() {
    var window = window(.unprovisioned)
    window.connectionsChanged(to: fresh, at: .seconds(1))
    #expect(window.state == .open(.nothingSaved))
    window.connectionsChanged(to: offline, at: .seconds(2))
    #expect(window.state == .closed(.provisioned))
    #expect(window.deadline == nil)
    window.connectionsChanged(to: fresh, at: .seconds(3))
    #expect(window.state.isOpen)
  }

  @Test func manualIsByHandAlone() {
    var window = window(.manual)
    window.connectionsChanged(to: fresh, at: .seconds(1))
    #expect(window.state == .closed(.manual))
    window.open(for: nil, at: .seconds(10))
    #expect(window.state == .open(.byHand))
    #expect(window.end == .seconds(910))
    window.advance(to: .seconds(910))
    #expect(window.state == .closed(.manual))
    window.open(for: .seconds(5), at: .seconds(1000))
    #expect(window.deadline == .seconds(1005))
    window.open(for: .zero, at: .seconds(1001))
    #expect(window.deadline == nil)
    window.close(at: .seconds(1002))
    #expect(window.state == .closed(.byHand))
  }

  /// Nobody is sent away in the middle, nor before there was a chance to try again.
  @Test func useHoldsItOpen() {
    var window = window(window: 100)
    window.connectionsChanged(to: fresh, at: .zero)
    #expect(window.end == .seconds(100))
    window.useChanged(to: true, at: .seconds(99))
    #expect(window.deadline == nil)
    window.advance(to: .seconds(500))
    #expect(window.state.isOpen)
    window.useChanged(to: false, at: .seconds(500))
    #expect(window.deadline == .seconds(620))
    window.advance(to: .seconds(620))
    #expect(window.state == .closed(.windowOver))
    // Until a connection has come and gone.
    window.connectionsChanged(to: online, at: .seconds(700))
    window.connectionsChanged(to: offline, at: .seconds(800))
    window.advance(to: .seconds(860))
    #expect(window.state.isOpen)
  }

  @Test func successClosesItWhenTheResultHasBeenRead() {
    for mode in [OpeningPolicy.Mode.offline, .unprovisioned, .manual] {
      var window = window(mode)
      window.connectionsChanged(to: fresh, at: .zero)
      if mode == .manual { window.open(for: .zero, at: .zero) }
      window.useChanged(to: true, at: .seconds(10))
      window.succeeded(at: .seconds(20))
      window.connectionsChanged(to: online, at: .seconds(20))
      window.advance(to: .seconds(100))
      #expect(window.state.isOpen)
      window.useChanged(to: false, at: .seconds(100))
      #expect(window.deadline == .seconds(130))
      // A provisioner that comes back for it is not sent away either.
      window.useChanged(to: true, at: .seconds(120))
      window.useChanged(to: false, at: .seconds(125))
      window.advance(to: .seconds(130))
      #expect(window.state.isOpen)
      window.advance(to: .seconds(155))
      #expect(!window.state.isOpen, "\(mode)")
      #expect(window.deadline == nil)
    }
  }

  @Test func whoClosedItByHandHasItClosedUntilItWasOnline() {
    var window = window()
    window.connectionsChanged(to: fresh, at: .zero)
    window.useChanged(to: true, at: .seconds(1))
    window.close(at: .seconds(2))
    #expect(window.state == .closed(.byHand))
    window.useChanged(to: false, at: .seconds(2))
    window.connectionsChanged(to: offline, at: .seconds(3))
    window.advance(to: .seconds(500))
    #expect(window.state == .closed(.byHand))
    window.connectionsChanged(to: online, at: .seconds(600))
    window.connectionsChanged(to: offline, at: .seconds(700))
    window.advance(to: .seconds(760))
    #expect(window.state.isOpen)
  }

  @Test func aRestartForgetsNothing() {
    var before = window(window: 600)
    before.connectionsChanged(to: fresh, at: .zero)
    var after = window(window: 600, memory: before.memory, at: 500)
    after.connectionsChanged(to: fresh, at: .seconds(501))
    #expect(after.end == .seconds(600))
    after.advance(to: .seconds(600))
    #expect(after.state == .closed(.windowOver))
    var over = window(window: 600, memory: after.memory, at: 700)
    over.connectionsChanged(to: fresh, at: .seconds(701))
    #expect(over.state == .closed(.windowOver))

    var opened = window(.manual)
    opened.open(for: .seconds(300), at: .seconds(10))
    var restarted = window(.manual, memory: opened.memory, at: 20)
    #expect(restarted.state == .open(.byHand))
    restarted.advance(to: .seconds(310))
    #expect(!restarted.state.isOpen)
    var closed = window(.always)
    closed.close(at: .zero)
    var still = window(.always, memory: closed.memory, at: 20)
    still.connectionsChanged(to: online, at: .seconds(21))
    #expect(still.state == .closed(.byHand))
  }
}
