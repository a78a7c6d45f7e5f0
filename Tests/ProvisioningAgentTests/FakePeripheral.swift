import ProvisioningAgent
import ProvisioningProtocol
import Synchronization

/// Bluetooth as a list of what was asked of it, in its order.
final class FakePeripheral: PeripheralPort {
  enum Call: Equatable {
    case start(ProvisioningAdvertisement?)
    case advertise(ProvisioningAdvertisement?)
    case notify(ProvisioningStatus)
    case send(segment: [UInt8])
    case stop
  }
  private struct State {
    var calls: [Call] = []
    var server: (any AttributeServer)?
  }
  private let state = Mutex(State())

  var calls: [Call] { state.withLock { $0.calls } }
  var server: (any AttributeServer)? { state.withLock { $0.server } }

  /// What the centrals were notified of.
  var notified: [ProvisioningStatus] {
    calls.compactMap { if case .notify(let status) = $0 { status } else { nil } }
  }

  /// What everybody in reach sees.
  var advertised: ProvisioningAdvertisement? {
    for call in calls.reversed() {
      switch call {
      case .start(let advertisement), .advertise(let advertisement): return advertisement
      case .notify, .send: continue
      case .stop: return nil
      }
    }
    return nil
  }

  func start(advertising advertisement: ProvisioningAdvertisement?, server: any AttributeServer) {
    state.withLock {
      $0.calls.append(.start(advertisement))
      $0.server = server
    }
  }

  func advertise(_ advertisement: ProvisioningAdvertisement?) {
    state.withLock { $0.calls.append(.advertise(advertisement)) }
  }

  func notify(_ value: [UInt8], of characteristic: ProvisioningCharacteristic) {
    guard characteristic == .status else {
      return state.withLock { $0.calls.append(.send(segment: value)) }
    }
    guard let status = try? ProvisioningStatus(decoding: value) else { return }
    state.withLock { $0.calls.append(.notify(status)) }
  }

  let notificationLength = 20

  func stop() async {
    state.withLock {
      $0.calls.append(.stop)
      $0.server = nil
    }
  }
}
