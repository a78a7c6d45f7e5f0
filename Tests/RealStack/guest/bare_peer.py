#!/usr/bin/python3
"""The least that puts the daemon's GATT table and advertisement on the air: the bench's yardstick.

It shares nothing with the daemon, and provisions nothing: reads give a constant, writes are taken.
"""

import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

BLUEZ = "org.bluez"
ROOT = "/peer"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
DESCRIPTOR = "org.bluez.GattDescriptor1"
ADVERTISEMENT = "org.bluez.LEAdvertisement1"
STATUS = bytes([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
TABLE = [
    ("ff00", [("ff01", "SSID", ["write"]), ("ff02", "Password", ["write"]),
              ("ff03", "Control", ["write"]), ("ff04", "Status", ["read", "notify"])]),
    ("ff10", [("ff11", "Device information", ["read"]),
              ("ff12", "Session", ["write", "notify"])]),
]


def uuid(short):
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


class Attribute(dbus.service.Object):
    def __init__(self, bus, path, interface, properties, value=b""):
        super().__init__(bus, path)
        self.path = path
        self.value = value
        self.properties = {interface: properties}

    @dbus.service.method(CHARACTERISTIC, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options):
        return dbus.ByteArray(self.value[options.get("offset", 0):])

    @dbus.service.method(CHARACTERISTIC, in_signature="aya{sv}")
    def WriteValue(self, value, options):
        pass

    @dbus.service.method(CHARACTERISTIC)
    def StartNotify(self):
        pass

    @dbus.service.method(CHARACTERISTIC)
    def StopNotify(self):
        pass


class Description(dbus.service.Object):
    def __init__(self, bus, path, characteristic, text):
        super().__init__(bus, path)
        self.path = path
        self.text = text.encode()
        self.properties = {DESCRIPTOR: {
            "UUID": uuid("2901"), "Characteristic": dbus.ObjectPath(characteristic),
            "Flags": dbus.Array(["read"], "s")}}

    @dbus.service.method(DESCRIPTOR, in_signature="a{sv}", out_signature="ay")
    def ReadValue(self, options):
        return dbus.ByteArray(self.text[options.get("offset", 0):])


class Application(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, ROOT)
        self.attributes = []
        for service, characteristics in TABLE:
            path = f"{ROOT}/{service}"
            self.attributes.append(Attribute(
                bus, path, SERVICE, {"UUID": uuid(service), "Primary": True}))
            for characteristic, text, flags in characteristics:
                inner = f"{path}/{characteristic}"
                self.attributes.append(Attribute(
                    bus, inner, CHARACTERISTIC,
                    {"UUID": uuid(characteristic), "Service": dbus.ObjectPath(path),
                     "Flags": dbus.Array(flags, "s")}, STATUS))
                self.attributes.append(Description(bus, f"{inner}/text", inner, text))

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return {dbus.ObjectPath(item.path): item.properties for item in self.attributes}


class Advertisement(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(bus, ROOT + "/advertisement")

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s",
                         out_signature="a{sv}")
    def GetAll(self, interface):
        data = b"WP\x01\x10" + bytes.fromhex("0123456789ab")
        return {
            "Type": "peripheral", "Discoverable": True, "LocalName": "Bare peer",
            "ServiceUUIDs": dbus.Array([uuid("ff00"), uuid("ff10")], "s"),
            "ServiceData": dbus.Dictionary({uuid("ff00"): dbus.ByteArray(data)}, "sv"),
        }

    @dbus.service.method(ADVERTISEMENT)
    def Release(self):
        pass


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    loop = GLib.MainLoop()
    application, advertisement = Application(bus), Advertisement(bus)
    name = sys.argv[1] if len(sys.argv) > 1 else "hci0"
    adapter = bus.get_object(BLUEZ, f"/org/bluez/{name}", introspect=False)

    def failed(error):
        print(error, file=sys.stderr)
        sys.exit(1)

    def registered():
        adapter.RegisterAdvertisement(
            advertisement, {}, dbus_interface="org.bluez.LEAdvertisingManager1",
            signature="oa{sv}", reply_handler=lambda: None, error_handler=failed)

    adapter.RegisterApplication(
        application, {}, dbus_interface="org.bluez.GattManager1", signature="oa{sv}",
        reply_handler=registered, error_handler=failed)
    loop.run()


main()
