"""A man in the middle: plays the board on one controller, and a central of it on another."""

import contextlib

import central
from advertisement import Advertisement
from bleak.exc import BleakGATTProtocolError
from dbus_fast import DBusError, PropertyAccess, Variant
from dbus_fast.service import ServiceInterface, dbus_property, method
from secure import Joiner
from stack import BLUEZ, DEVICE

ROOT = "/relay"
SERVICE = f"{ROOT}/ff10"
MANAGER = "org.bluez.GattManager1"
SESSION = central.uuid("ff12")


class Relay:
    """What crossed the relay, and how to reach it."""

    def __init__(self, adapter, information):
        number = int(adapter.removeprefix("hci"))
        self.address = f"00:AA:01:{number:02X}:00:{number:02X}"
        # What is read here; the board's own, unless it is replaced.
        self.information = information
        # The segments that were written and notified, in their order.
        self.written = []
        self.notified = []

    @property
    def kinds(self):
        """The types of the messages that were written."""
        joiner = Joiner()
        messages = map(joiner.add, self.written)
        return [message[0] for message in messages if message is not None]

    def __contains__(self, needle):
        """Whether these bytes crossed the relay."""
        return needle in b"".join(self.written) or needle in b"".join(self.notified)


class _BoardAdvertisement(Advertisement):
    PATH = f"{ROOT}_advertisement"

    def __init__(self, data):
        super().__init__()
        self._data = data

    @dbus_property(access=PropertyAccess.READ)
    def ServiceUUIDs(self) -> "as":  # noqa: F722
        return list(self._data)

    @dbus_property(access=PropertyAccess.READ)
    def ServiceData(self) -> "a{sv}":  # noqa: F722
        return {uuid: Variant("ay", value) for uuid, value in self._data.items()}


class _Service(ServiceInterface):
    def __init__(self):
        super().__init__("org.bluez.GattService1")

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":  # noqa: F821
        return central.uuid("ff10")

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> "b":  # noqa: F821
        return True


class _Characteristic(ServiceInterface):
    def __init__(self, uuid, flags, relay, board):
        super().__init__("org.bluez.GattCharacteristic1")
        self._uuid, self._flags = uuid, flags
        self._relay, self._board = relay, board
        self._value = b""

    def notified(self, value):
        """Passes a notification of the board on."""
        self._relay.notified.append(bytes(value))
        self._value = bytes(value)
        self.emit_properties_changed({"Value": self._value})

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":  # noqa: F821
        return self._uuid

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> "o":  # noqa: F821
        return SERVICE

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> "as":  # noqa: F722
        return self._flags

    @dbus_property(access=PropertyAccess.READ)
    def Value(self) -> "ay":  # noqa: F821
        return self._value

    @method()
    def ReadValue(self, options: "a{sv}") -> "ay":  # noqa: F722,F821
        offset = options["offset"].value if "offset" in options else 0
        return self._relay.information[offset:]

    @method()
    async def WriteValue(self, value: "ay", options: "a{sv}"):  # noqa: F722,F821
        self._relay.written.append(bytes(value))
        try:
            await self._board.write(self._uuid, bytes(value))
        except BleakGATTProtocolError as refusal:
            raise DBusError("org.bluez.Error.Failed", f"0x{refusal.code:02x}") from None

    @method()
    def StartNotify(self):
        pass

    @method()
    def StopNotify(self):
        pass


@contextlib.asynccontextmanager
async def relayed(stack, adapter="hci2", inner="hci3"):
    """A relay on `adapter`, which reaches the board from the controller `inner`."""
    heard = await central.find(inner)
    service_data = await stack.bus.get(BLUEZ, heard.details["path"], DEVICE, "ServiceData")
    async with central.connected(inner, heard) as board:
        relay = Relay(adapter, bytes(await board.client.read_gatt_char(central.INFORMATION)))
        session = _Characteristic(SESSION, ["write", "notify"], relay, board)
        advertisement = _BoardAdvertisement(service_data)
        exports = {
            SERVICE: _Service(),
            f"{SERVICE}/ff11": _Characteristic(central.INFORMATION, ["read"], relay, board),
            f"{SERVICE}/ff12": session,
            advertisement.PATH: advertisement,
        }
        for path, interface in exports.items():
            stack.bus.export(path, interface)
        manager = (BLUEZ, f"/org/bluez/{adapter}", MANAGER)
        try:
            await board.client.start_notify(SESSION, lambda _, value: session.notified(value))
            await stack.bus.call(*manager, "RegisterApplication", "oa{sv}", ROOT, {})
            try:
                async with stack.advertising(adapter, advertisement.PATH):
                    yield relay
            finally:
                await stack.bus.call(*manager, "UnregisterApplication", "o", ROOT)
        finally:
            for path in exports:
                stack.bus.unexport(path)
