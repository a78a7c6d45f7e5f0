"""What crosses the air: the packets of all controllers, as btmon records them."""

import asyncio
import contextlib
import socket
import struct
import time

from controllers import hci_channel

HCI_CHANNEL_MONITOR = 2
# Of the monitor's packets: what a controller was given to send, and what it received.
DATA = (4, 5)
CONTINUED = 1
# Many packets may come at once, and none may be missed.
SO_RCVBUFFORCE = 33
BUFFER = 1 << 22
# The file's microseconds count from the year 0.
BTSNOOP = b"btsnoop\0" + struct.pack(">II", 1, 2001)
EPOCH = 0x00DCDDB30F2F8000


class Capture:
    """All packets of all controllers."""

    def __init__(self):
        self._packets = []

    def __contains__(self, needle):
        """Whether these bytes are in a packet, or in a message of several packets."""
        return (any(needle in packet for *_, packet in self._packets)
                or any(needle in message for message in self._messages()))

    def _messages(self):
        """The L2CAP messages, which may have crossed the air in several packets."""
        begun = {}
        for _, opcode, index, packet in self._packets:
            if opcode not in DATA:
                continue
            (handle,) = struct.unpack_from("<H", packet)
            link = (opcode, index, handle & 0x0FFF)
            if handle >> 12 & 3 == CONTINUED:
                begun[link] = begun.get(link, b"") + packet[4:]
            else:
                begun[link] = packet[4:]
            (length,) = struct.unpack_from("<H", begun[link])
            if len(begun[link]) >= 4 + length:
                yield begun.pop(link)

    def save(self, path):
        """Writes what was captured, for `btmon --read`."""
        with open(path, "wb") as file:
            file.write(BTSNOOP)
            for seen, opcode, index, packet in self._packets:
                file.write(struct.pack(">IIIIQ", len(packet), len(packet), index << 16 | opcode, 0,
                                       EPOCH + seen) + packet)

    async def read(self, channel):
        loop = asyncio.get_running_loop()
        while packet := await loop.sock_recv(channel, 4096):
            opcode, index, length = struct.unpack_from("<HHH", packet)
            seen = time.time_ns() // 1000
            self._packets.append((seen, opcode, index, packet[6:6 + length]))


@contextlib.asynccontextmanager
async def captured(path):
    """A capture of what happens meanwhile, which is also left in a file."""
    capture = Capture()
    with contextlib.closing(hci_channel(HCI_CHANNEL_MONITOR)) as channel:
        channel.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
        reader = asyncio.create_task(capture.read(channel))
        try:
            yield capture
        finally:
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader
            capture.save(path)
