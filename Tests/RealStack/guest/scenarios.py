"""The scenarios that a key file cannot describe: services that come and go, and foreign centrals."""

import asyncio
import contextlib
import glob
import os
import re

import central
from air import AccessPoint
from att import SmallCentral
from bleak.exc import BleakError
from room import CODE, CONFIGURATION, Failure, expect
from service import Service, run

ALL = {}

CODE_FILE = "/run/setup-code"
HOME = AccessPoint(b"Home", "wpa2", "correct horse battery")


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


@scenario
async def discovery_and_information(room):
    await room.start()
    scan = await room.provision("scan", "--timeout", "5")
    expect(scan.exit, 0, "scan: exit status")
    found = [event for event in scan.events if event["event"] == "device"]
    expect([(device["id"], device["name"], device["state"], device["plain"],
             device["code_required"]) for device in found],
           [("0123456789ab", "Board", "not-provisioned", False, True)], "the devices found")
    information = await room.provision("info", "{device}")
    expect(information.exit, 0, "info: exit status")
    (event,) = [event for event in information.events if event["event"] == "information"]
    expect("Virtual" in str(event), True, f"the model in {event}")
    room.told = [f"device {found[0]['id']} {found[0]['name']}", "information"]


@scenario
async def foreign_central(room):
    await room.start(HOME, security="open")
    async with room.central() as foreign:
        expect(str(await foreign.status()), "idle", "the status before")
        information = await foreign.client.read_gatt_char(central.INFORMATION)
        # A CBOR map of fewer than 24 pairs.
        expect(information[0] >> 5, 5, "the CBOR type of the device information")
        outcome = await foreign.provision(HOME.ssid, b"wrong password")
        expect(str(outcome), "failed wrong-password", "the outcome with a wrong password")
        outcome = await foreign.attempt(HOME.ssid, HOME.password.encode())
        expect(str(outcome), "connected", "the outcome with the right password")
        expect(outcome.address.startswith("10.77."), True, f"the address {outcome.address}")
        states = [status.state for status in foreign.told]
        for state in ("credentials-received", "associating", "obtaining-address"):
            expect(state in states, True, f"{state} among {states}")
    await room.joined(HOME.ssid)


@scenario
async def refused_writes(room):
    await room.start(HOME, security="open")
    async with room.central() as foreign:
        await foreign.follow()
        for characteristic, value, error, reason in (
            (central.SSID, b"", 0x81, "ssid-length"),
            (central.SSID, bytes(33), 0x81, "ssid-length"),
            (central.PASSWORD, b"before the SSID", 0x85, None),
            (central.CONTROL, b"\x01", 0x85, None),
            (central.CONTROL, b"", 0x86, None),
            (central.CONTROL, b"\x7f", 0x86, None),
            (central.CONTROL, b"\x01\x01", 0x86, None),
            (central.SSID, HOME.ssid, None, None),
            (central.PASSWORD, bytes(129), 0x82, "password-format"),
        ):
            await _write(foreign, characteristic, value, error)
            if reason:
                expect((await foreign.status()).reason, reason, f"after {value!r}: the reason")
        for password in (b"7 bytes", b"g" * 64, b""):
            outcome = await foreign.attempt(HOME.ssid, password)
            expect(str(outcome), "failed password-format", f"with the password {password!r}")
        outcome = await foreign.attempt(HOME.ssid, HOME.password.encode())
        expect(str(outcome), "connected", "the outcome after all that")


async def _write(foreign, characteristic, value, error):
    try:
        await foreign.write(characteristic, value)
    except BleakError as refusal:
        found = str(refusal)
        if error is None or f"0x{error:02x}" not in found.lower():
            wanted = "success" if error is None else f"ATT error 0x{error:02x}"
            raise Failure(f"write of {value!r}: expected {wanted}, found {found}") from None
    else:
        if error is not None:
            raise Failure(f"write of {value!r}: expected ATT error 0x{error:02x}, found success")


@scenario
async def writes_at_mtu_23(room):
    network = AccessPoint(b"A name of exactly 32 bytes here.", "wpa2",
                          "a password of 63 bytes, which is as long as a WPA2 one can get.")
    await room.start(network, security="open")
    async with SmallCentral(1, 0) as small:
        await small.subscribe("ff04")
        information = await small.read("ff11")
        expect(b"Virtual" in information, True, f"the model in {information}")
        await small.write("ff01", network.ssid)
        await small.write("ff02", network.password.encode())
        await small.write("ff03", b"\x01")
        while (status := central.Status(await small.notification())).state not in central.FINAL:
            room.told.append(str(status))
        room.told.append(str(status))
        expect(str(status), "connected", "the outcome")
    await room.joined(network.ssid)


@scenario
async def second_central_while_busy(room):
    async with central.several(room.stack, 2):
        await room.start(HOME, security="open")
        async with room.central("hci1") as first:
            await first.follow()
            await first.write(central.SSID, HOME.ssid)
            second = await room.connect(HOME, "hci2")
            expect(second.exit, 6, "the second central's exit status")
            await first.write(central.PASSWORD, HOME.password.encode())
            await first.write(central.CONTROL, b"\x01")
            expect(str(await first.outcome()), "connected", "the first central's outcome")
    status = await room.provision("status", "{device}", adapter="hci2")
    expect((status.exit, status.last), (0, ("connected", "none")), "the second one's status")


@scenario
async def three_centrals_read_the_status(room):
    async with central.several(room.stack, 3), contextlib.AsyncExitStack() as links:
        await room.start()
        clients = [await links.enter_async_context(room.central(f"hci{number}"))
                   for number in (1, 2, 3)]
        statuses = await asyncio.gather(*(client.status() for client in clients))
        room.told = list(map(str, statuses))
        expect(room.told, ["idle"] * 3, "the statuses")


@scenario
async def central_vanishes_and_comes_back(room):
    await room.start(HOME, security="open")
    async with room.central() as vanishing:
        await vanishing.follow()
        await vanishing.write(central.SSID, HOME.ssid)
        await room.stack.power("hci1", False)
        await room.stack.disconnected("hci0")
    await room.stack.power("hci1", True)
    await room.connects(HOME)


@scenario
async def bluetoothd_restarts_while_advertising(room):
    await room.start(HOME)
    await room.stack.stop_bluetoothd()
    await room.stack.start_bluetoothd()
    await room.stack.advertised()
    await room.connects(HOME)


@scenario
async def bluetoothd_restarts_while_connected(room):
    await room.start(HOME)
    command = await room.begin("connect", "{device}", "--code", "{code}", "--ssid", "Home",
                               "--password-stdin", stdin=HOME.password)
    await command.reaches("associating", "authenticating", "obtaining-address")
    await room.stack.stop_bluetoothd()
    await room.stack.start_bluetoothd()
    await room.stack.advertised()
    await command.finish(60)
    room.told += command.told
    # The one bluetoothd is the laptop's, too: whether the board is found again in the ten seconds
    # that the command gives it, depends on the machine's load.
    if command.exit == 0:
        expect(command.last, ("connected", "none"), "what was told over a new link")
    else:
        expect(command.exit, 5, "the exit status of the central whose link was lost")
    # The board goes on with what it was told.
    await room.stack.station_joined()
    await room.connects(HOME)


@scenario
async def network_manager_restarts(room):
    await room.start(HOME)
    await room.connects(HOME)
    await room.stack.stop_network_manager()
    await room.stack.start_network_manager(idle=False)
    await room.connects(HOME)


@scenario
async def network_manager_is_absent(room):
    await room.stack.stop_network_manager()
    await room.start(HOME)
    command = await room.connect(HOME)
    expect((command.exit, command.last), (20, ("failed", "network-manager-not-running")),
           "without NetworkManager")
    await room.stack.start_network_manager()
    await room.connects(HOME)


@scenario
async def wifi_device_is_absent(room):
    await room.stack.take_station()
    await room.start(HOME)
    command = await room.connect(HOME)
    expect((command.exit, command.last), (20, ("failed", "no-wifi-device")),
           "without a Wi-Fi device")
    await room.stack.return_station()
    await room.connects(HOME)


@scenario
async def adapter_is_powered_off_and_on(room):
    await room.start(HOME)
    await room.stack.power("hci0", False)
    await room.daemon.said("(?i)adapter|bluetooth", 10)
    await room.stack.power("hci0", True)
    await room.stack.advertised()
    await room.connects(HOME)


@scenario
async def led_blinks_and_goes_back(room):
    await room.configure("open")
    await run("modprobe", "input_leds")
    led = Led(glob.glob("/sys/class/leds/*::capslock")[0])
    with open(CONFIGURATION, "a") as file:
        file.write(f"[device]\nled = {led.name}\n")
    await room.daemon.start()
    await room.daemon.said("ledtrig-timer", 10)
    await room.daemon.stop()

    # /sys as the service's unit has it, but for the places that it excepts.
    await run("modprobe", "ledtrig_timer")
    protected = "mount -o remount,bind,ro /sys && exec " + " ".join(room.daemon.command)
    room.daemon = Service(f"{room.name}.read-only", "unshare", "-m", "sh", "-c", protected)
    await room.start_daemon()
    await room.daemon.said(f"Read-only file system.*ReadWritePaths={led.path} in the unit", 10)
    async with room.central() as foreign:
        await _write(foreign, central.CONTROL, b"\x03", 0x86)
    await room.daemon.stop()
    # With this daemon's table in BlueZ's memory, bleak is not always shown the next one's.
    await room.stack.forget_devices()

    # And with the line that was named.
    excepted = f"mount --bind {led.path} {led.path} && {protected}"
    room.daemon = Service(f"{room.name}.writable", "unshare", "-m", "sh", "-c", excepted)
    await room.start_daemon()
    async with room.central() as foreign:
        expect(led.trigger, "kbd-capslock", "the trigger before")
        await _write(foreign, central.CONTROL, b"\x03", None)
        expect(led.trigger, "timer", "the trigger meanwhile")
        async with asyncio.timeout(20):
            while led.trigger == "timer":
                await asyncio.sleep(0.5)
        expect(led.trigger, "kbd-capslock", "the trigger afterwards")

        led.write("trigger", "none")
        led.write("brightness", "1")
        await _write(foreign, central.CONTROL, b"\x03", None)
        expect(led.trigger, "timer", "the trigger of a LED that had none")
        expect(await room.daemon.stop(), 0, "the daemon's exit status")
    expect((led.trigger, led.read("brightness")), ("none", "1"), "the LED after the daemon's end")
    led.write("trigger", "kbd-capslock")
    room.told = ["blinked"]


class Led:
    """A LED of the guest, without the symbolic links in its path."""

    def __init__(self, path):
        self.name = os.path.basename(path)
        self.path = os.path.realpath(path)

    @property
    def trigger(self):
        return re.search(r"\[(.*)\]", self.read("trigger"))[1]

    def read(self, name):
        with open(f"{self.path}/{name}") as file:
            return file.read().strip()

    def write(self, name, text):
        with open(f"{self.path}/{name}", "w") as file:
            file.write(text)


@scenario
async def networks_are_listed_and_forgotten(room):
    other = AccessPoint(HOME.ssid + b"!", "wpa2", HOME.password)
    await room.start(HOME)
    # A cable's profile and an access point's are none of a provisioner's business.
    for profile in (("type", "ethernet", "con-name", "cable"),
                    ("type", "wifi", "mode", "ap", "con-name", "own", "autoconnect", "no", "ssid",
                     "Home"),
                    ("type", "wifi", "con-name", "kept", "autoconnect", "no", "ssid",
                     other.ssid.decode(), "wifi-sec.key-mgmt", "sae", "wifi-sec.psk", "password")):
        await run("nmcli", "connection", "add", "ifname", "*", *profile)
    with open(CODE_FILE, "w") as file:
        file.write(CODE)
    joined = await room.connect(HOME)
    expect(joined.exit, 0, "connect")

    async def kept():
        listed = await room.provision("list", "{device}", "--code-file", CODE_FILE)
        expect(listed.exit, 0, "list")
        return [(event["ssid"], event["security"], event["in_use"], event["automatic"])
                for event in listed.events if event["event"] == "saved-network"]

    expect(await kept(), [("Home", "wpa-psk", True, True), ("Home!", "sae", False, False)],
           "the networks that are kept")
    forgotten = await room.provision("forget", "{device}", "--ssid", "Home", "--code", "{code}")
    expect(forgotten.exit, 0, "forget")
    await room.stack.station_idle()
    expect(await kept(), [("Home!", "sae", False, False)], "the networks that are still kept")
    left = await run("nmcli", "-t", "-f", "NAME", "connection", "show")
    expect(set(left.split()) & {"Home", "kept", "cable", "own"}, {"kept", "cable", "own"},
           "NetworkManager's profiles")
    await run("nmcli", "connection", "delete", "cable")


@scenario
async def bluez_is_absent(room):
    await room.stack.stop_bluetoothd()
    await room.daemon.start()
    await room.daemon.said("(?i)bluez|bluetoothd", 10)
    room.told.append(room.daemon.last_words(1))
    await room.stack.start_bluetoothd()
    await room.stack.advertised()
    await room.provision("status", "{device}")


@scenario
async def adapter_is_absent(room):
    await room.stack.take_controllers()
    await room.daemon.start()
    await room.daemon.said("(?i)no .*adapter", 10)
    room.told.append(room.daemon.last_words(1))
    scan = await room.provision("scan", "--timeout", "2")
    expect(scan.exit, 3, "the exit status of a scan without an adapter")
    await room.stack.return_controllers()
    await room.stack.advertised()
    status = await room.provision("status", "{device}")
    expect(status.exit, 0, "status: exit status")


@scenario
async def this_machines_network(room):
    await room.start(HOME)
    await room.connects(HOME)
    # The laptop is in it, too, for the two share a NetworkManager here.
    given = await room.provision("connect", "{device}", "--code", "{code}",
                                 "--use-current-network")
    expect((given.exit, given.last), (0, ("connected", "none")), "connect")
    expect([event["ssid"] for event in given.events if event["event"] == "current-network"],
           ["Home"], "the network that is named before it is sent")
    await room.joined(HOME.ssid)
