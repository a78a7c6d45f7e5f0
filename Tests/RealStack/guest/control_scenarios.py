"""What somebody at the board asks the daemon for, and programs on the board."""

import asyncio
import glob
import json

from room import CONFIGURATION, DAEMON, Failure, expect
from scenarios import HOME
from service import run

ALL = {}


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


async def _status(room):
    return json.loads(await room.at_board("status", "--json"))


@scenario
async def control_at_the_board(room):
    await room.start(HOME)
    status = await _status(room)
    expect((status["open"], status["bluetooth"], status["state"]), (True, "advertising", "idle"),
           "a board that waits")
    await room.connect(HOME, password="not the password")
    status = await _status(room)
    expect((status["reason"], status["tried"]), ("wrong-password", "Home"), "after a failure")
    await room.connects(HOME)
    status = await _status(room)
    expect((status["state"], status["ssid"]), ("connected", "Home"), "after success")
    room.told.append((await room.at_board("status")).splitlines()[-1])
    # It forgets for the person at the board as for a provisioner.
    expect("is forgotten" in await room.at_board("forget", "Home"), True, "forget")
    expect(len(await room.stack.wifi_profiles()), 0, "NetworkManager's profiles")
    await room.at_board("close")
    await room.stack.not_advertised(seconds=20)
    await room.at_board("open", "--for", "600")
    await room.stack.advertised(seconds=20)
    # Whoever has an account on the board may look, and no more.
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", DAEMON, "--config",
              CONFIGURATION]
    expect("Board (0123456789ab)" in await run(*nobody, "status"), True, "what nobody may read")
    try:
        await run(*nobody, "close")
    except RuntimeError as error:
        room.told.append("refused")
        expect("polkit does not allow" in str(error), True, f"what nobody is told: {error}")
    else:
        raise Failure("nobody closed the board")
    # It reads like documentation.
    introspection = await run("gdbus", "introspect", "--system", "--dest",
                              "org.wifiprovisioning.Daemon1", "--object-path",
                              "/org/wifiprovisioning/Daemon1")
    for line in ("Opens the device to provisioners", "Open(in  x seconds);",
                 "readonly s Why = 'open, for somebody at the device opened it';",
                 "Failed(ay ssid,"):
        expect(line in introspection, True, f"whether introspection has {line!r}")
    table = (await run("busctl", "introspect", "org.wifiprovisioning.Daemon1",
                       "/org/wifiprovisioning/Daemon1")).splitlines()
    for words in ([".Open", "method", "x"], [".Why", "property", "s"], [".Failed", "signal"]):
        expect(any(line.split()[:len(words)] == words for line in table), True,
               f"whether busctl shows {words}")


async def _doctor(room):
    """What the doctor says, by what it looked at, and whether it ended well."""
    process = await asyncio.create_subprocess_exec(
        DAEMON, "--config", CONFIGURATION, "doctor", "--json", stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    findings = [json.loads(line) for line in output.decode().splitlines()]
    return {finding["check"]: finding for finding in findings}, process.returncode


@scenario
async def the_doctor_looks_at_the_board(room):
    await room.start(HOME)
    findings, status = await _doctor(room)
    errors = [finding["text"] for finding in findings.values() if finding["level"] == "error"]
    expect((errors, status), ([], 0), "a board that is well")
    for check in ("setup-code", "daemon", "bluetooth-version", "adapter", "advertising",
                  "network-manager", "permissions", "wifi-device"):
        expect(findings.get(check, {}).get("level"), "ok", f"{check}: {findings.get(check)}")
    # What a person at the board does wrong, or somebody before.
    (switch,) = glob.glob(f"/sys/class/ieee80211/{room.stack.air.station.phy}/rfkill*")
    number = switch.rpartition("rfkill")[2]
    await run("rfkill", "block", number)
    try:
        findings, status = await _doctor(room)
        expect((findings["radio-switch"]["level"], status), ("error", 1), "a blocked radio")
        room.told.append(findings["radio-switch"]["text"])
    finally:
        await run("rfkill", "unblock", number)
    await run("nmcli", "device", "set", room.interface, "managed", "no")
    try:
        findings, status = await _doctor(room)
        expect((findings["wifi-device"]["level"], status), ("error", 1), "a device left alone")
        room.told.append(findings["wifi-device"]["text"])
    finally:
        await run("nmcli", "device", "set", room.interface, "managed", "yes")
    # The daemon that runs is told apart from other programs that advertise.
    await room.daemon.stop()
    findings, status = await _doctor(room)
    expect((findings["daemon"]["level"], status), ("warning", 0), "without the daemon")
