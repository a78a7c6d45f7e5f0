"""A central that nobody here wrote: the bleak client, speaking the plain profile as documented."""

import asyncio
import contextlib

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError

STATES = ["idle", "credentials-received", "preparing", "associating", "authenticating",
          "obtaining-address", "checking-connectivity", "connected", "failed", "rolled-back"]
REASONS = {
    0x00: "none", 0x01: "ssid-length", 0x02: "password-format", 0x03: "setup-code-required",
    0x04: "locked-out", 0x05: "cancelled", 0x06: "busy", 0x07: "malformed-message",
    0x10: "network-not-found", 0x11: "wrong-password", 0x12: "out-of-range",
    0x13: "access-point-refused", 0x14: "hidden-network-silent", 0x15: "superseded",
    0x16: "rejected", 0x17: "no-address", 0x18: "address-conflict", 0x19: "timed-out",
    0x1A: "security-not-supported", 0x1B: "enterprise-refused", 0x20: "radio-blocked",
    0x21: "no-wifi-device", 0x22: "wifi-device-not-managed", 0x23: "no-country",
    0x24: "network-manager-not-running", 0x25: "permission-denied", 0x26: "not-saved",
    0x30: "internal-error",
}
CONNECTIVITY = ["unknown", "none", "portal", "limited", "full"]
FINAL = ("connected", "failed", "rolled-back")
MAGIC = b"WP"


def uuid(short):
    return f"0000{short}-0000-1000-8000-00805f9b34fb"


SSID, PASSWORD, CONTROL, STATUS, INFORMATION = map(uuid, ("ff01", "ff02", "ff03", "ff04", "ff11"))


class Status:
    """The value of FF04."""

    def __init__(self, value):
        self.bytes = bytes(value)
        self.details = {}
        self.state = STATES[value[1]]
        self.reason = REASONS[value[2]]
        self.connectivity = CONNECTIVITY[value[3]]
        self.attempt = value[4]
        self.address = ".".join(str(byte) for byte in value[5:9])
        # The device goes back to the network before, and another status follows.
        self.returning = len(value) > 10 and bool(value[10] & 1)

    @property
    def final(self):
        return self.state in FINAL and not self.returning

    def __str__(self):
        return self.state if self.reason == "none" else f"{self.state} {self.reason}"


async def find(adapter, seconds=30):
    """The first device in reach of the adapter that offers provisioning, while still scanning."""
    def ours(device, advertisement):
        return advertisement.service_data.get(uuid("ff00"), b"").startswith(MAGIC)
    device = await BleakScanner.find_device_by_filter(ours, timeout=seconds,
                                                      bluez={"adapter": adapter})
    if device is None:
        raise TimeoutError(f"{adapter}: no device that offers provisioning within {seconds} s")
    return device


class Central:
    """A connected bleak client, and the statuses that it was notified of."""

    def __init__(self, client):
        self.client = client
        self.told = []
        self._arrived = asyncio.Condition()

    async def follow(self):
        await self.client.start_notify(STATUS, self._notified)

    async def _notified(self, _, value):
        async with self._arrived:
            self.told.append(Status(value))
            self._arrived.notify_all()

    async def status(self):
        return Status(await self.client.read_gatt_char(STATUS))

    async def write(self, characteristic, value):
        """Writes with a response; raises BleakError with the ATT error of a refusal."""
        await self.client.write_gatt_char(characteristic, value, response=True)

    async def provision(self, ssid, password, seconds=90):
        """The whole job on one connection; returns the final status."""
        await self.follow()
        return await self.attempt(ssid, password, seconds)

    async def attempt(self, ssid, password, seconds=90):
        start = len(self.told)
        await self.send(ssid, password)
        return await self.outcome(start, seconds)

    async def send(self, ssid, password):
        await self.write(SSID, ssid)
        await self.write(PASSWORD, password)
        await self.write(CONTROL, b"\x01")

    async def outcome(self, start=0, seconds=90):
        """The first final status notified after the first `start` ones."""
        def final():
            return next((status for status in self.told[start:] if status.state in FINAL), None)
        try:
            async with asyncio.timeout(seconds), self._arrived:
                await self._arrived.wait_for(final)
        except TimeoutError:
            told = ", ".join(map(str, self.told[start:])) or "nothing"
            raise TimeoutError(f"no final status within {seconds} s, but: {told}") from None
        return final()


@contextlib.asynccontextmanager
async def connected(adapter, device=None):
    """Finds the device, unless it was given, and connects to it; disconnects at the end."""
    for attempts_left in (2, 1, 0):
        client = BleakClient(device or await find(adapter), bluez={"adapter": adapter})
        try:
            await client.connect()
            break
        except BleakError:
            # BlueZ 5.66 sometimes connects without the signal that says so, which bleak takes for a
            # lost link.
            if not attempts_left:
                raise
    try:
        yield Central(client)
    finally:
        await client.disconnect()


@contextlib.asynccontextmanager
async def several(stack, count):
    """Makes `count` centrals, hci1 and up, able to be connected to hci0 at the same time, as long as
    they connect in this order, and leave in the opposite one.

    btvirt gives a link the lowest free number, from 42, at each of its ends, but tells the
    peripheral the number at the central. So the second central's lowest free one must be 43, the
    third's 44. Spare links among the controllers take the numbers below.
    """
    pairs = {1: [], 2: [(2, 3)], 3: [(2, 3), (4, 5), (3, 4)]}[count]
    async with contextlib.AsyncExitStack() as links:
        for central, peripheral in pairs:
            async with stack.advertising(f"hci{peripheral}"):
                device = await BleakScanner.find_device_by_address(
                    f"00:AA:01:{peripheral:02X}:00:{peripheral:02X}", timeout=20,
                    bluez={"adapter": f"hci{central}"})
                await links.enter_async_context(connected(f"hci{central}", device))
        yield
