"""The scenarios that a key file can describe; the simulator plays the same ones."""

import configparser
import glob
import os
import shlex

from air import AccessPoint
from room import Failure, expect

FOLDER = "/host/scenarios"
# What can be played here, by the kind of the group.
KNOWN = {
    "scenario": {"name", "summary"},
    "adapter": {"mtu"},
    "board": {"security"},
    "access-point": {"ssid", "ssid-hex", "security", "password", "hidden", "dhcp"},
    "step": {"run", "stdin", "exit", "state", "reason"},
}


def load():
    """Name to coroutine function, in the order of the files' names."""
    return {os.path.basename(path).removesuffix(".scenario"): _Scenario(path).run
            for path in sorted(glob.glob(f"{FOLDER}/*.scenario"))}


class _Scenario:
    def __init__(self, path):
        self._file = configparser.ConfigParser(
            delimiters=("=",), comment_prefixes=("#",), interpolation=None)
        self._file.read(path, encoding="utf-8")

    def _groups(self, kind):
        return [self._file[name] for name in self._file.sections() if name.split()[0] == kind]

    async def run(self, room):
        for name in self._file.sections():
            kind = name.split()[0]
            if kind not in KNOWN or (unknown := set(self._file[name]) - KNOWN[kind]):
                keys = "" if kind not in KNOWN else f" {', '.join(sorted(unknown))}"
                raise Failure(f"this cannot be played here: [{name}]{keys}")
        for adapter in self._groups("adapter"):
            if mtu := adapter.getint("mtu"):
                # bluetoothd 5.66 refuses every adapter when its MTU is too small for BR/EDR.
                await room.stack.configure_bluetoothd(f"[GATT]\nExchangeMTU = {max(mtu, 48)}\n")
                break
        for board in self._groups("board"):
            await room.configure(board.get("security", "code"))
        await room.start(*map(_access_point, self._groups("access-point")))
        for step in self._groups("step"):
            await _step(room, step)


def _access_point(group):
    ssid = group.get("ssid")
    return AccessPoint(
        ssid=bytes.fromhex(group["ssid-hex"]) if ssid is None else ssid.encode(),
        security=group.get("security", "open"), password=group.get("password"),
        hidden=group.getboolean("hidden", False), dhcp=group.getboolean("dhcp", True))


async def _step(room, step):
    before = await room.profiles()
    command = await room.provision(*shlex.split(step["run"]), stdin=step.get("stdin"))
    what = f"'{step['run']}'"
    state, reason = command.last
    if "exit" in step:
        expect(command.exit, step.getint("exit"), f"{what}: exit status")
    if "state" in step:
        expect(state, step["state"], f"{what}: state")
    if "reason" in step:
        expect(reason, step["reason"], f"{what}: reason")
    if step.get("state") == "connected" and step["run"].startswith("connect "):
        expect(await room.stack.station_state(), 100, "the station's state")
        words = shlex.split(step["run"])
        ssid = (words[words.index("--ssid") + 1].encode() if "--ssid" in words
                else bytes.fromhex(words[words.index("--ssid-hex") + 1]))
        await room.profile_comes(before, ssid, superseded=before.of(ssid))
    if step.get("state") in ("failed", "rolled-back"):
        await room.profiles_stay(before)
