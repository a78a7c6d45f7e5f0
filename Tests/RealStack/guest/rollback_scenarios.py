"""A board that was in a network already: it is there again after every failure."""

import os
import shutil
import signal

from air import AccessPoint
from network_scenarios import OFFICE, SPEECHLESS, login
from provisioner import PASSWORD, SSID, network, provisioner
from room import expect
from scenarios import HOME
from service import run
from stack import STATION, SUPPLICANT

ALL = {}

OTHER = AccessPoint(b"Other", "wpa2", "another password")


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


@scenario
async def back_after_a_failure(room):
    await room.start(HOME, OTHER, SPEECHLESS)
    async with provisioner(room) as some:
        await some.succeeds(network(HOME), "the network before")
        await some.fails(network(OTHER, "wrong password"), "wrong-password", "wrong password",
                         returns=True)
        await some.fails(network(HOME, "wrong password"), "wrong-password",
                         "wrong password for the same network", returns=True)
        await some.fails(network(SPEECHLESS), "no-address", "no DHCP", returns=True)
        await some.fails({SSID: b"Nowhere", PASSWORD: b"a password"}, "network-not-found", "absent",
                         returns=True)
        await some.succeeds(network(OTHER), "right password")


@scenario
async def back_after_cancelling(room):
    await room.start(HOME, SPEECHLESS)
    async with provisioner(room) as some:
        await some.succeeds(network(HOME), "the network before")
        before = await room.profiles()
        await some.begin(network(SPEECHLESS))
        await some.reaches("obtaining-address")
        await some.session.ask("cancel")
        await some.failed(await some.told("cancelled"), before, "cancelled", "cancelled",
                          returns=True)


@scenario
async def back_after_a_refused_login(room):
    await room.start(HOME, OFFICE)
    async with provisioner(room) as some:
        await some.succeeds(network(HOME), "the network before")
        await some.fails({SSID: OFFICE.ssid, 4: login("peap-mschapv2", "wrong password")},
                         "enterprise-refused", "wrong password", returns=True)


@scenario
async def new_password_of_the_same_network(room):
    changed = AccessPoint(HOME.ssid, "wpa2", "the new password")
    await room.start(HOME)
    async with provisioner(room) as some:
        await some.succeeds(network(HOME), "the old password")
        await room.stack.air.show([changed])
        old = (await room.profiles()).of(HOME.ssid)
        await some.succeeds(network(changed), "the new password", superseded=old)


@scenario
async def back_after_the_daemon_was_killed(room):
    await _killed(room, restarted=False)


@scenario
async def back_after_the_daemon_was_killed_and_restarted(room):
    await _killed(room, restarted=True)


async def _killed(room, restarted):
    await room.start(HOME, SPEECHLESS)
    async with provisioner(room) as some:
        await some.succeeds(network(HOME), "the network before")
        before = await room.profiles()
        await some.begin(network(SPEECHLESS))
        await some.reaches("obtaining-address")
        await room.daemon.stop(signal.SIGKILL)
    if restarted:
        await room.start_daemon()
    await room.stack.station_joined(HOME.ssid, seconds=150)
    await room.profiles_stay(before)


@scenario
async def back_after_a_loss_of_power(room):
    stack = room.stack
    await room.start(HOME, SPEECHLESS)
    async with provisioner(room) as some:
        await some.succeeds(network(HOME), "the network before")
        before = await room.profiles()
        await some.begin(network(SPEECHLESS))
        await some.reaches("obtaining-address")
        await room.daemon.stop(signal.SIGKILL)
    await stack.network_manager.stop(signal.SIGKILL)
    await stack.wpa_supplicant.stop(signal.SIGKILL)
    shutil.rmtree("/run/NetworkManager")
    await run("ip", "address", "flush", "dev", STATION)
    await run("ip", "link", "set", STATION, "down")

    async def gone():
        return not await stack.bus.owned(SUPPLICANT)
    await stack.bus.until(gone, 10, "the end of wpa_supplicant")
    await stack.wpa_supplicant.start()
    await stack.start_network_manager(idle=False)
    await room.start_daemon()
    await stack.station_joined(HOME.ssid)
    await room.profiles_stay(before)
