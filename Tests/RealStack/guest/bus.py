"""The guest's system bus: calls, and waiting for a condition instead of sleeping."""

import asyncio

from dbus_fast import BusType, Message, MessageFlag, MessageType, Variant
from dbus_fast.aio import MessageBus

PROPERTIES = "org.freedesktop.DBus.Properties"
DBUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


class CallError(Exception):
    """An error reply: its D-Bus name and text."""

    def __init__(self, reply):
        self.name = reply.error_name
        super().__init__(f"{reply.error_name}: {reply.body[0] if reply.body else ''}")


def plain(value):
    """The value without its D-Bus variants."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


class Bus:
    """A connection to the system bus that hears every signal of the services under test."""

    def __init__(self, connection):
        self._connection = connection
        self._waiting = set()
        self._listeners = set()
        connection.add_message_handler(self._heard)

    @classmethod
    async def open(cls):
        bus = cls(await MessageBus(bus_type=BusType.SYSTEM).connect())
        for sender in ("org.freedesktop.DBus", "org.bluez", "org.freedesktop.NetworkManager"):
            await bus.call(*DBUS, "AddMatch", "s", f"type='signal',sender='{sender}'")
        return bus

    async def call(self, destination, path, interface, member, signature="", *body):
        """The plain values of the reply; raises CallError for an error reply."""
        reply = await self._connection.call(
            Message(destination=destination, path=path, interface=interface, member=member,
                    signature=signature, body=list(body), flags=MessageFlag.NO_AUTOSTART))
        if reply.message_type is MessageType.ERROR:
            raise CallError(reply)
        return plain(reply.body)

    async def get(self, destination, path, interface, name):
        return (await self.call(destination, path, PROPERTIES, "Get", "ss", interface, name))[0]

    async def set(self, destination, path, interface, name, signature, value):
        await self.call(destination, path, PROPERTIES, "Set", "ssv", interface, name,
                        Variant(signature, value))

    async def owned(self, name):
        return (await self.call(*DBUS, "NameHasOwner", "s", name))[0]

    async def objects(self, destination, path="/"):
        """The tree of an object manager; empty when the service is not there."""
        try:
            return (await self.call(destination, path, "org.freedesktop.DBus.ObjectManager",
                                    "GetManagedObjects"))[0]
        except CallError:
            return {}

    def export(self, path, interface):
        self._connection.export(path, interface)

    def unexport(self, path):
        self._connection.unexport(path)

    async def until(self, condition, seconds, what):
        """Asks the coroutine function `condition` again after each signal until its result is true,
        and returns that; raises TimeoutError naming `what` after `seconds`."""
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            async with asyncio.timeout(seconds):
                while True:
                    changed.clear()
                    try:
                        if result := await condition():
                            return result
                    except CallError:
                        pass
                    await changed.wait()
        except TimeoutError:
            raise TimeoutError(f"{what}: not within {seconds} s") from None
        finally:
            self._waiting.discard(changed)

    def listen(self, listener):
        """Calls `listener(message)` for every signal until the returned function is called."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def _heard(self, message):
        if message.message_type is MessageType.SIGNAL:
            for listener in list(self._listeners):
                listener(message)
            for changed in self._waiting:
                changed.set()
