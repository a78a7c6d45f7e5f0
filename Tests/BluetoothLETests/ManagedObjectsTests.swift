import DBus
import Testing

@testable import BluetoothLE

private let device = ObjectPath(literal: "/org/bluez/hci0/dev_AA")

private func device(_ name: String, rssi: Int16? = nil) -> [String: ManagedObjects.Properties] {
  var properties: ManagedObjects.Properties = ["Name": .string(name)]
  properties["RSSI"] = rssi.map { .int16($0) }
  return ["Device1": properties]
}

@Suite struct ManagedObjectsTests {
  @Test func changesAreFollowed() {
    var objects = ManagedObjects()
    objects.apply(.added(device, device("a", rssi: -40)))
    objects.apply(
      .changed(device, interface: "Device1", ["Name": .string("b")], invalidated: ["RSSI"]))
    #expect(objects.properties("Device1", at: device) == ["Name": .string("b")])
    objects.apply(.added(device, ["Battery1": [:]]))
    objects.apply(.removed(device, ["Device1"]))
    #expect(objects.objects == [device: ["Battery1": [:]]])
    objects.apply(.removed(device, ["Battery1"]))
    #expect(objects.objects.isEmpty)
  }

  @Test func changesOfUnknownObjectsAreDropped() {
    var objects = ManagedObjects()
    objects.apply(.changed(device, interface: "Device1", ["RSSI": .int16(1)], invalidated: []))
    objects.apply(.removed(device, ["Device1"]))
    #expect(objects.objects.isEmpty)
  }

  /// A reply's continuation runs after the signals that came right behind the reply.
  @Test func whatCameBehindTheSnapshotIsNotOverwrittenByIt() {
    var objects = ManagedObjects()
    objects.awaitSnapshot()
    objects.apply(.changed(device, interface: "Device1", ["Name": .string("c")], invalidated: []))
    objects.apply(.added(ObjectPath(literal: "/new"), device("new")))
    objects.apply(.removed(ObjectPath(literal: "/old"), ["Device1"]))
    objects.install([device: device("b"), ObjectPath(literal: "/old"): device("old")])
    #expect(
      objects.objects == [device: device("c"), ObjectPath(literal: "/new"): device("new")])
  }

  @Test func snapshotsMayOverlap() {
    var objects = ManagedObjects()
    objects.awaitSnapshot()
    objects.awaitSnapshot()
    objects.install([device: device("a")])
    objects.apply(.changed(device, interface: "Device1", ["Name": .string("b")], invalidated: []))
    objects.install([device: device("a")])
    #expect(objects.objects == [device: device("b")])
  }

  @Test func aSnapshotReplacesWhatIsGone() {
    var objects = ManagedObjects()
    objects.apply(.added(device, device("a")))
    objects.awaitSnapshot()
    objects.install([:])
    #expect(objects.objects.isEmpty)
  }

  @Test func repliesOfAnotherShapeAreRefused() {
    #expect(ManagedObjects.snapshot([]) == nil)
    #expect(ManagedObjects.snapshot([.string("x")]) == nil)
    #expect(ManagedObjects.snapshot([.properties(["x": .string("y")])]) == nil)
  }

  @Test func adaptersAreInTheOrderOfTheirNumbers() {
    var objects = ManagedObjects()
    for name in ["hci10", "hci2", "hci1"] {
      if let path = ObjectPath("/org/bluez/" + name) {
        objects.apply(.added(path, ["Adapter1": [:]]))
      }
    }
    #expect(
      objects.all("Adapter1").map { String($0.path.lastElement) } == ["hci1", "hci2", "hci10"])
  }
}
