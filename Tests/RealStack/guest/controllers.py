"""The guest's virtual Bluetooth controllers."""

import asyncio
import contextlib
import ctypes
import os
import socket
import struct

from service import Service

# The command LE Set Scan Enable, with the parameters "enable" and "filter duplicates".
SCAN = bytes([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
END_SCAN = bytes([0x01, 0x0C, 0x20, 0x02, 0x00, 0x00])
COMMAND_DISALLOWED = 0x0C
# Of the events, the completions of that command.
SOL_HCI = 0
HCI_FILTER = 2
COMPLETED_SCAN_COMMANDS = struct.pack("<IIIHxx", 1 << 0x04, 1 << 0x0E, 0, 0x200C)

# The kernel's management channel: what bluetoothd speaks to it, too.
BTPROTO_HCI = 1
HCI_CHANNEL_CONTROL = 3
NO_INDEX = 0xFFFF
READ_INDEX_LIST = 0x0003
COMMAND_COMPLETE = 0x0001
INDEX_ADDED = 0x0004
INDEX_REMOVED = 0x0005
DISCOVERING = 0x0013


class Controllers:
    """`count` Low Energy controllers of one btvirt, in reach of each other."""

    def __init__(self, count):
        self.count = count
        self._btvirt = Service("btvirt", "btvirt", "-L", f"-l{count}")
        self._repeating = None

    @property
    def running(self):
        return self._btvirt.running

    async def start(self):
        if self._repeating is None:
            self._repeating = asyncio.create_task(self._repeat_advertisements())
        # The kernel gives a new controller two seconds to answer its first command, which a busy
        # machine may miss; the controller then stays out of use.
        for _ in range(3):
            with contextlib.closing(_management_channel()) as channel:
                try:
                    await self._btvirt.start()
                    async with asyncio.timeout(12):
                        await self._set_up(channel)
                    return
                except TimeoutError:
                    await self.stop()
        raise RuntimeError("the virtual Bluetooth controllers do not start")

    async def stop(self):
        await self._btvirt.stop()

    async def _repeat_advertisements(self):
        """Has every controller that scans hear each advertisement again, and again.

        A radio does that by itself, but btvirt reports an advertisement only in the moment in which
        a scan or the advertising begins, and what the kernel drops then is never heard again.
        """
        scans = {}
        with contextlib.closing(_management_channel()) as channel:
            while True:
                event = await asyncio.get_running_loop().sock_recv(channel, 1024)
                code, index, _ = struct.unpack_from("<HHH", event)
                # The kernel's own word: bluetoothd calls it discovering while the scan pauses, too.
                if code in (DISCOVERING, INDEX_REMOVED) and index in scans:
                    scans.pop(index).cancel()
                if code == DISCOVERING and event[7]:
                    scans[index] = asyncio.create_task(_scan_again(index))

    async def _set_up(self, channel):
        """Waits until the kernel has set up every controller."""
        loop = asyncio.get_running_loop()
        found = set()
        channel.send(struct.pack("<HHH", READ_INDEX_LIST, NO_INDEX, 0))
        while len(found) < self.count:
            event = await loop.sock_recv(channel, 1024)
            code, index, length = struct.unpack_from("<HHH", event)
            if code == INDEX_ADDED:
                found.add(index)
            elif code == COMMAND_COMPLETE and length >= 5:
                (known,) = struct.unpack_from("<H", event, 9)
                found.update(struct.unpack_from(f"<{known}H", event, 11))


def _management_channel():
    return hci_channel(HCI_CHANNEL_CONTROL)


def hci_channel(number):
    """A socket on one of the kernel's channels for all controllers."""
    # Python's own bind cannot name the channel of an HCI socket.
    channel = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_NONBLOCK,
                            BTPROTO_HCI)
    libc = ctypes.CDLL(None, use_errno=True)
    address = struct.pack("<HHH", socket.AF_BLUETOOTH, NO_INDEX, number)
    if libc.bind(channel.fileno(), address, len(address)) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return channel


async def _scan_again(index):
    """Asks the controller for the scan that it already runs, which makes btvirt report again."""
    loop = asyncio.get_running_loop()
    with contextlib.closing(socket.socket(
            socket.AF_BLUETOOTH, socket.SOCK_RAW | socket.SOCK_NONBLOCK, BTPROTO_HCI)) as raw:
        raw.setsockopt(SOL_HCI, HCI_FILTER, COMPLETED_SCAN_COMMANDS)
        raw.bind((index,))
        # The first report is the one that gets lost, if any does. Later ones are kept rare, for the
        # kernel may be about to end the scan.
        for pause in (0.15, 0.3, 0.5, *[1] * 60):
            await asyncio.sleep(pause)
            with contextlib.suppress(BlockingIOError):
                while raw.recv(64):
                    pass
            raw.send(SCAN)
            if (await loop.sock_recv(raw, 64))[-1] != COMMAND_DISALLOWED:
                # It had ended.
                raw.send(END_SCAN)
                return
