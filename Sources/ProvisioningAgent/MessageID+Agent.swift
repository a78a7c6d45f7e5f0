package import Diagnostics

/// The kinds of lines that an agent writes; packaging/wifi-provisiond.catalog explains each.
extension MessageID {
  package static let started = MessageID("6c05e38eea1e44238c36834e394d3162")
  package static let opened = MessageID("3ea1769c3ba94f5aa141d59d573f7134")
  package static let closed = MessageID("e1e2021c78e74aecbb3d678d582d1f68")
  package static let advertising = MessageID("251d56871d98475d952fa77c0f9f5a6d")
  package static let bluetoothUnavailable = MessageID("b10f5f1e3d6444ab91daccae3adbf138")
  package static let wifiAvailable = MessageID("99662cd996744b1398137f1be8cf61f0")
  package static let wifiUnavailable = MessageID("26b7078f943f4b9a9e2aca632bae040e")
  package static let sessionBegan = MessageID("f60df6fcbf924f8f96e3b5dfdcba0971", isLimited: true)
  package static let sessionEnded = MessageID("0b73ef701c5a41969b32b43a1331a538", isLimited: true)
  package static let sessionBroken = MessageID("a98f4428dfa148c0b3f2d738b0cd4e27", isLimited: true)
  package static let codeKnown = MessageID("6bb867e63d0549cd9437c3b264fba757")
  package static let wrongCode = MessageID("081169a9f7a04b3a974475e53558ba02", isLimited: true)
  package static let lockedOut = MessageID("83deb861fb1046ad9f5b91053e5ec1ad", isLimited: true)
  package static let refused = MessageID("0c82d45bfd93493cbb1d2a060f23bab7", isLimited: true)
  package static let joining = MessageID("4bb339d8a2dc41d0a9a497b5838f0713", isLimited: true)
  package static let progress = MessageID("e8319a4c24c34a6ba8081e5b1196d4cd", isLimited: true)
  package static let evidence = MessageID("ec36f9998cc94a4e9ed77f6c4cee2caf", isLimited: true)
  package static let connected = MessageID("25698b9215b047df8b5871cfe096e130")
  package static let failed = MessageID("39ce1f6f74d24c23818047bc53e242ad", isLimited: true)
  package static let forgetting = MessageID("027c409906d24a73b2ca207220999a1e", isLimited: true)
  package static let guessesForgiven = MessageID("2f4aa64e8fbd4eb48a7968659efeb5cf")
  package static let identifying = MessageID("0b411d0e8db7431f8354cf05030efb4e", isLimited: true)
  package static let notStored = MessageID("dce8a89668d94404a83769667c71721f", isLimited: true)

  /// All of them.
  package static let agents: [MessageID] = [
    .started, .opened, .closed, .advertising, .bluetoothUnavailable, .wifiAvailable,
    .wifiUnavailable, .sessionBegan, .sessionEnded, .sessionBroken, .codeKnown, .wrongCode,
    .lockedOut, .refused, .joining, .progress, .evidence, .connected, .failed, .forgetting,
    .guessesForgiven, .identifying, .notStored,
  ]
}
