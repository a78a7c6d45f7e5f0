"""When the board can be seen and used, and when not."""

import asyncio
import contextlib

from room import Failure, expect
from scenarios import HOME
from service import uptime

ALL = {}

# How long the board stays open once it was provisioned and nobody uses it.
GRACE = 30
OFFLINE_AFTER = 15


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


async def _begin(room, mode, *keys):
    """Starts a board of the mode, without waiting for its advertisement."""
    await room.stack.air.show([HOME])
    await room.configure("code", mode, *keys)
    await room.daemon.start()


async def _seen(room):
    """Whether a scan from the laptop shows the board."""
    # What is remembered of an earlier advertisement is none.
    await room.stack.forget_devices()
    scan = await room.provision("scan", "--timeout", "4")
    return any(event["event"] == "device" for event in scan.events)


async def _opens(room, seconds=20):
    await room.stack.advertised(seconds=seconds)
    room.told.append("open")


async def _closes(room, seconds):
    """Waits for the end of the advertisement; returns when that was."""
    await room.stack.not_advertised(seconds=seconds)
    room.told.append("closed")
    return uptime()


@scenario
async def open_while_offline(room):
    await _begin(room, "offline", f"offline-after = {OFFLINE_AFTER}")
    # Nothing is saved: its owner need not wait.
    await _opens(room, 10)
    await room.connects(HOME)
    end = uptime()
    took = await _closes(room, GRACE + 10) - end
    expect(GRACE - 5 < took < GRACE + 10, True, f"the {took:.0f} s from success to closing")
    expect(await _seen(room), False, "whether a board that is online is seen")
    # At the next start it is joined by itself, and the board stays closed.
    await room.daemon.stop()
    await room.daemon.start()
    expect(await _seen(room), False, "whether it is seen after a start")
    # The network is lost for good.
    await room.stack.air.hide(HOME)
    start = uptime()
    await _opens(room, 60)
    expect(uptime() - start > OFFLINE_AFTER, True, "the time before it opens")
    expect(await _seen(room), True, "whether a board that is offline is seen")


@scenario
async def open_while_unprovisioned(room):
    await _begin(room, "unprovisioned")
    await _opens(room, 10)
    await room.connects(HOME)
    await _closes(room, GRACE + 10)
    # Offline alone does not open it.
    await room.stack.air.hide(HOME)
    await asyncio.sleep(5)
    expect(await _seen(room), False, "whether a board with a saved network is seen")
    await room.stack.forget_networks()
    await _opens(room, 10)


@scenario
async def open_by_hand(room):
    await _begin(room, "manual")
    with contextlib.suppress(TimeoutError):
        await room.stack.advertised(seconds=4)
        raise Failure("a board that nobody opened is advertised")
    await room.at_board("open")
    await _opens(room, 5)
    await room.connects(HOME)
    await _closes(room, GRACE + 10)


@scenario
async def a_window_survives_restarts(room):
    await _begin(room, "offline", "window = 40")
    await _opens(room, 10)
    start = uptime()
    await room.stack.stop_bluetoothd()
    await room.stack.start_bluetoothd()
    await _opens(room, 20)
    await room.daemon.stop()
    await room.daemon.start()
    await _opens(room, 10)
    took = await _closes(room, 60) - start
    expect(35 < took < 50, True, f"the {took:.0f} s of the window")
    # Over is over for the daemon after this one, too.
    await room.daemon.stop()
    await room.daemon.start()
    await asyncio.sleep(3)
    expect(await _seen(room), False, "whether it is seen after its window")
    await room.at_board("open")
    await _opens(room, 5)
