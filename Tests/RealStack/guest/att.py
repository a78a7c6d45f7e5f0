"""A central that leaves the MTU at 23: the Attribute Protocol by hand, on a socket of its own.

bluetoothd cannot play this one: it asks for more, and refuses to be configured below 48.
"""

import asyncio
import ctypes
import errno
import os
import socket
import struct

MTU = 23
FIXED_CHANNEL = 4
LE_PUBLIC = 1
BTPROTO_L2CAP = 0

ERROR, EXCHANGE_MTU, MTU_RESPONSE = 0x01, 0x02, 0x03
FIND_INFORMATION = 0x04
READ_BY_TYPE, READ_BY_TYPE_RESPONSE, READ = 0x08, 0x09, 0x0A
READ_RESPONSE, READ_BLOB, READ_BLOB_RESPONSE = 0x0B, 0x0C, 0x0D
WRITE, WRITE_RESPONSE = 0x12, 0x13
PREPARE_WRITE, PREPARE_WRITE_RESPONSE, EXECUTE_WRITE, EXECUTE_WRITE_RESPONSE = range(0x16, 0x1A)
NOTIFICATION = 0x1B
CHARACTERISTIC = 0x2803
NOT_SUPPORTED = 0x06
COMMAND = 0x40


class ATTError(Exception):
    def __init__(self, code):
        self.code = code
        super().__init__(f"ATT error 0x{code:02x}")


class SmallCentral:
    """A link from one virtual controller to another, with requests of at most 23 bytes."""

    def __init__(self, central, peripheral):
        self._socket = socket.socket(socket.AF_BLUETOOTH,
                                     socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK, BTPROTO_L2CAP)
        self._central, self._peripheral = central, peripheral
        self._replies = asyncio.Queue()
        self._reader = None
        self._notifications = asyncio.Queue()
        self.handles = {}

    async def __aenter__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        for call, index in ((libc.bind, self._central), (libc.connect, self._peripheral)):
            address = _address(index)
            if call(self._socket.fileno(), address, len(address)) != 0:
                number = ctypes.get_errno()
                if number != errno.EINPROGRESS:
                    raise OSError(number, os.strerror(number))
        loop = asyncio.get_running_loop()
        connected = loop.create_future()
        loop.add_writer(self._socket, connected.set_result, None)
        try:
            async with asyncio.timeout(30):
                await connected
        finally:
            loop.remove_writer(self._socket)
        if number := self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(number, os.strerror(number))
        self._reader = asyncio.create_task(self._read())
        await self._discover()
        return self

    async def __aexit__(self, *_):
        if self._reader:
            self._reader.cancel()
        self._socket.close()

    def limit(self, short):
        """How many bytes fit into one write or one notification."""
        return MTU - 3

    async def read(self, short):
        """The value of the characteristic, read in as many parts as it takes."""
        handle = self.handles[short]
        value = await self._request(struct.pack("<BH", READ, handle), READ_RESPONSE)
        part = value
        while len(part) == MTU - 1:
            part = await self._request(struct.pack("<BHH", READ_BLOB, handle, len(value)),
                                       READ_BLOB_RESPONSE)
            value += part
        return value

    async def write(self, short, value):
        """Writes the value, as a long write where it does not fit into one request."""
        handle = self.handles[short]
        if len(value) <= MTU - 3:
            await self._request(struct.pack("<BH", WRITE, handle) + value, WRITE_RESPONSE)
            return
        for offset in range(0, len(value), MTU - 5):
            await self._request(
                struct.pack("<BHH", PREPARE_WRITE, handle, offset)
                + value[offset:offset + MTU - 5], PREPARE_WRITE_RESPONSE)
        await self._request(bytes([EXECUTE_WRITE, 1]), EXECUTE_WRITE_RESPONSE)

    async def subscribe(self, short):
        """Has the peripheral notify; BlueZ puts the descriptor for that right after the value."""
        await self._request(struct.pack("<BHH", WRITE, self.handles[short] + 1, 1),
                            WRITE_RESPONSE)

    async def notification(self, seconds=90):
        """The next value that was notified."""
        async with asyncio.timeout(seconds):
            return await self._notifications.get()

    async def _discover(self):
        start = 1
        while True:
            request = struct.pack("<BHHH", READ_BY_TYPE, start, 0xFFFF, CHARACTERISTIC)
            try:
                response = await self._request(request, READ_BY_TYPE_RESPONSE)
            except ATTError:
                return
            size = response[0]
            for position in range(1, len(response), size):
                declaration, _, value = struct.unpack_from("<HBH", response, position)
                if size == 7:
                    (uuid,) = struct.unpack_from("<H", response, position + 5)
                    self.handles[f"{uuid:04x}"] = value
                start = declaration + 1

    async def _request(self, request, expected):
        self._socket.send(request)
        async with asyncio.timeout(30):
            response = await self._replies.get()
        if response[0] == ERROR:
            raise ATTError(response[4])
        if response[0] != expected:
            raise RuntimeError(f"ATT response 0x{response[0]:02x} to request 0x{request[0]:02x}")
        return response[1:]

    async def _read(self):
        while packet := await asyncio.get_running_loop().sock_recv(self._socket, 1024):
            code = packet[0]
            if code == EXCHANGE_MTU:
                self._socket.send(struct.pack("<BH", MTU_RESPONSE, MTU))
            elif code == NOTIFICATION:
                self._notifications.put_nowait(packet[3:])
            elif code & COMMAND or code in (READ_BLOB_RESPONSE, READ_RESPONSE, WRITE_RESPONSE,
                                            ERROR, READ_BY_TYPE_RESPONSE, PREPARE_WRITE_RESPONSE,
                                            EXECUTE_WRITE_RESPONSE):
                self._replies.put_nowait(packet)
            else:
                # The peripheral's own requests: there is nothing here to be found.
                self._socket.send(struct.pack("<BBHB", ERROR, code, 0, NOT_SUPPORTED))


def _address(index):
    """The kernel's sockaddr_l2 of the virtual controller."""
    bluetooth_address = bytes([index, 0, index, 1, 0xAA, 0])
    return struct.pack("<HH6sHBx", socket.AF_BLUETOOTH, 0, bluetooth_address, FIXED_CHANNEL,
                       LE_PUBLIC)
