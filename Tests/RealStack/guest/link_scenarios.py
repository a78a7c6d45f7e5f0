"""The scenarios of plain writes over a paired link.

The capture in them is of what the host and its controllers say to each other, where nothing is
encrypted yet; what it shows is that the link was encrypted before the first write.
"""

import asyncio
import contextlib
import os
import pty

from att import ATTError, SmallCentral
from room import CONFIGURATION, DEVICE, PROVISION, Failure, expect
from scenarios import HOME
from service import LOGS, Service
from stack import ADAPTER, BLUEZ, DEVICE as DEVICE_INTERFACE

ALL = {}

BOARD_AT_LAPTOP = "/org/bluez/hci1/dev_00_AA_01_00_00_00"
LAPTOP_AT_BOARD = "/org/bluez/hci0/dev_00_AA_01_01_00_01"


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


async def _start(room, pairing):
    with open(CONFIGURATION, "w") as file:
        file.write(f"[provisioning]\nmode = always\nsecurity = link\npairing = {pairing}\n"
                   f"[device]\nid = {DEVICE}\nname = Board\n[bluetooth]\nadapter = hci0\n")
    await room.stack.air.show([HOME])
    await room.start_daemon()


async def _connect(room):
    """The command line without a terminal."""
    return await room.provision("connect", "{device}", "--ssid", HOME.ssid.decode(), "--insecure",
                                "--password-stdin", stdin=HOME.password)


async def _connects(room):
    command = await _connect(room)
    expect((command.exit, command.last), (0, ("connected", "none")), "connect")
    await room.joined(HOME.ssid)


async def _fails(room, *reasons):
    reason = (await _connect(room)).events[-1]["reason"]
    expect(reason in reasons, True, f"the reason {reason} among {reasons}")


async def _refused(code):
    """A central that does not pair is refused for that, and may read."""
    async with SmallCentral(1, 0) as stranger:
        for characteristic in ("ff01", "ff02", "ff03"):
            try:
                await stranger.write(characteristic, b"\x01")
                raise Failure(f"an unpaired write to {characteristic} was taken")
            except ATTError as error:
                expect(error.code, code, f"the error of an unpaired write to {characteristic}")
        expect((await stranger.read("ff04"))[0], 1, "the status, read without pairing")
        expect(b"plain-link" in await stranger.read("ff11"), True, "plain-link in FF11")


async def _paired(room):
    """Whether the board and the laptop have a bond: both ends."""
    found = []
    for path in (LAPTOP_AT_BOARD, BOARD_AT_LAPTOP):
        found.append(await room.stack.bus.get(BLUEZ, path, DEVICE_INTERFACE, "Paired"))
    return found


async def _forget(room, adapter, path):
    await room.stack.bus.call(BLUEZ, f"/org/bluez/{adapter}", ADAPTER, "RemoveDevice", "o", path)
    await room.stack.disconnected("hci0")


@contextlib.asynccontextmanager
async def _capture(room):
    """The lines of a capture, once it is over."""
    name = f"{room.name}.btmon-{len(room.told)}"
    # Otherwise it keeps its lines back until they fill a buffer.
    monitor = Service(name, "stdbuf", "--output=L", "btmon")
    await monitor.start()
    await monitor.said("Bluetooth monitor", 10)
    lines = []
    try:
        yield lines
    finally:
        await monitor.stop()
        with open(f"{LOGS}/{name}.log", errors="replace") as log:
            lines += log.read().splitlines()


def _first(lines, text):
    found = next((number for number, line in enumerate(lines) if text in line), None)
    if found is None:
        raise Failure(f"‘{text}’ is not in the capture")
    return found


@scenario
async def link_just_works(room):
    await _start(room, "just-works")
    await _refused(0x0F)
    async with _capture(room) as lines:
        await _connects(room)
    pairing = _first(lines, "SMP: Pairing Public Key")
    encrypted = _first(lines, "Encryption Change")
    # The first bytes of each, as the capture shows values: in hexadecimal.
    writes = [_first(lines, f"Data: {value.hex()}") for value in (HOME.ssid,
                                                                  HOME.password.encode())]
    expect(pairing < encrypted < min(writes), True,
           f"the order of pairing, encryption and writes: {pairing}, {encrypted}, {writes}")
    expect(await _paired(room), [True, True], "the bond at both ends")
    # The bond serves another time, also after bluetoothd's restart.
    await room.stack.stop_bluetoothd()
    await room.stack.start_bluetoothd()
    await room.stack.advertised()
    async with _capture(room) as lines:
        await _connects(room)
    expect([line for line in lines if "SMP: Pairing Request" in line], [], "a second pairing")


@scenario
async def link_with_a_forgotten_bond(room):
    await _start(room, "just-works")
    await _connects(room)
    # bluetoothd at the board asks for encryption as soon as the link is there, and refuses to pair
    # again: the link may be gone before the command begins to pair.
    await _forget(room, "hci1", BOARD_AT_LAPTOP)
    await _fails(room, "connection-failed", "pairing-failed")
    await _forget(room, "hci0", LAPTOP_AT_BOARD)
    await _connects(room)
    # Where the administrator lets it, a lost bond is replaced.
    await room.stack.configure_bluetoothd("[General]\nJustWorksRepairing = confirm\n")
    await room.stack.advertised()
    expect(await _paired(room), [True, True], "the bond at both ends after a restart")
    await _forget(room, "hci1", BOARD_AT_LAPTOP)
    await _connects(room)


async def _types(room, change):
    """Runs the command on a terminal, and types the board's passkey after `change`; returns the
    exit status and what the terminal showed."""
    person, terminal = pty.openpty()
    shown = bytearray()
    arrived = asyncio.Event()

    def read():
        with contextlib.suppress(OSError):
            shown.extend(os.read(person, 4096))
        arrived.set()

    asyncio.get_running_loop().add_reader(person, read)
    try:
        with open(f"/run/{room.name}.password", "w") as file:
            file.write(HOME.password)
        process = await asyncio.create_subprocess_exec(
            "setsid", "--ctty", "--wait", PROVISION, "connect", DEVICE, "--ssid",
            HOME.ssid.decode(), "--insecure", "--password-file", file.name, "--adapter", "hci1",
            stdin=terminal, stdout=terminal, stderr=terminal)
        async with asyncio.timeout(120):
            while b"Passkey" not in shown:
                arrived.clear()
                await arrived.wait()
            passkey = int((await room.daemon.said(r"wants to pair: type (\d{6}) there", 20))[1])
            os.write(person, f"{change(passkey):06}\n".encode())
            status = await process.wait()
        room.told.append(f"exit {status}")
        return status, shown.decode(errors="replace")
    finally:
        asyncio.get_running_loop().remove_reader(person)
        os.close(person)
        os.close(terminal)


@scenario
async def link_with_a_passkey(room):
    await _start(room, "passkey")
    await _refused(0x05)
    await _fails(room, "passkey-required")
    await room.daemon.stop()
    await room.start_daemon()
    status, shown = await _types(room, lambda passkey: (passkey + 1) % 1_000_000)
    expect(status, 6, f"the exit status after a wrong passkey, where the terminal shows {shown}")
    await room.daemon.stop()
    await room.start_daemon()
    status, shown = await _types(room, lambda passkey: passkey)
    expect(status, 0, f"the exit status after the right passkey, where the terminal shows {shown}")
    await room.joined(HOME.ssid)
    # Nobody has to type it a second time.
    await _connects(room)
