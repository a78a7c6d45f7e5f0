"""What a scenario works with: the board with its daemon, and the laptop's command line."""

import contextlib
import json
import os
import shutil
import signal

import central
from profiles import ProfileTable
from service import Service, run
from session import BleakLink, Session
from stack import STATION

DEVICE = "0123456789ab"
CODE = "314-159-266"
DAEMON = "/usr/sbin/wifi-provisiond"
PROVISION = "/usr/bin/wifi-provision"
CONFIGURATION = "/run/wifi-provisiond.conf"
STATE = "/run/wifi-provisiond-state"
RUNTIME = "/run/wifi-provisiond"
FACTORY_STATE = STATE + ".new"


class Failure(Exception):
    """A scenario came to something else than it should."""


def expect(found, wanted, what):
    if found != wanted:
        raise Failure(f"{what}: expected {wanted}, found {found}")


def _word(state):
    """A state event in short."""
    return state["state"] if state["reason"] == "none" else f"{state['state']} {state['reason']}"


class Command:
    """One run of `wifi-provision --json`."""

    def __init__(self, service):
        self._service = service
        self.exit = None

    @property
    def events(self):
        return [json.loads(line) for line in self._service.lines if line.startswith("{")]

    @property
    def outcome(self):
        """What was told first of the end of the attempt, and how many seconds after the board could
        be sent the network; None if nothing was."""
        timed = [(time, json.loads(line)) for time, line in self._service.timed_lines
                 if line.startswith("{")]
        start = max((time for time, event in timed
                     if event["event"] in ("connected-to-device", "secured")), default=None)
        ends = [(time, event) for time, event in timed
                if event["event"] == "state" and event["attempt"] == self.states[-1]["attempt"]
                and event["state"] in central.FINAL]
        if start is None or not ends:
            return None
        return _word(ends[0][1]), ends[0][0] - start

    @property
    def states(self):
        return [event for event in self.events if event["event"] == "state"]

    @property
    def message(self):
        """What the result says, for a person."""
        return self.events[-1]["message"]

    @property
    def last(self):
        """The last state event, as (state, reason)."""
        states = self.states
        return (states[-1]["state"], states[-1]["reason"]) if states else (None, None)

    @property
    def told(self):
        """What the provisioner was told: each state, with its reason where there is one."""
        words = []
        for event in self.states:
            word = _word(event)
            if word not in words[-1:]:
                words.append(word)
        return words + [f"exit {self.exit}"]

    async def reaches(self, *states, seconds=60):
        """Waits until one of the states is reported."""
        await self._service.said(r'"state" ?: ?"(' + "|".join(states) + ')"', seconds)

    async def shows(self, event, seconds=30):
        """Waits until an event of this kind is shown."""
        await self._service.said(rf'"event" ?: ?"{event}"', seconds)

    async def finish(self, seconds=150):
        self.exit = await self._service.ended(seconds)
        return self


class Room:
    """A board on hci0 with a Wi-Fi station, and centrals on hci1 and up."""

    def __init__(self, name, stack):
        self.name = name
        self.stack = stack
        self.told = []
        # What a provisioner was told at the end of each attempt, and after how many seconds.
        self.outcomes = []
        self.daemon = Service(f"{name}.daemon", DAEMON, "run", "--config", CONFIGURATION)
        # The board's Wi-Fi device.
        self.interface = STATION
        self._commands = 0
        self._security = None

    async def configure(self, security="code", mode="always", *keys):
        """Makes the board one that was never used, with its setup code on the label; with more
        keys of the configuration, if need be."""
        self._security = security
        with open(CONFIGURATION, "w") as file:
            file.write(f"[provisioning]\nmode = {mode}\nsecurity = {security}\n"
                       f"state-folder = {STATE}\n" + "".join(f"{key}\n" for key in keys) +
                       f"[device]\nid = {DEVICE}\nname = Board\nmodel = Virtual\n"
                       "[bluetooth]\nadapter = hci0\n")
        shutil.rmtree(STATE, ignore_errors=True)
        shutil.rmtree(RUNTIME, ignore_errors=True)
        # The same label for every board: stretching its code takes a while here.
        if not os.path.exists(FACTORY_STATE):
            await self.at_board("set-code", "--stdin", stdin=CODE)
            shutil.copytree(STATE, FACTORY_STATE)
        else:
            shutil.copytree(FACTORY_STATE, STATE)

    async def at_board(self, *arguments, stdin=None):
        """Runs one of the commands for the person at the board."""
        return await run(DAEMON, "--config", CONFIGURATION, *arguments, stdin=stdin)

    async def start_daemon(self):
        await self.daemon.start()
        await self.stack.advertised()

    async def kill_daemon(self):
        """Ends the daemon as a loss of power does, and starts it again."""
        await self.daemon.stop(signal.SIGKILL)
        await self.start_daemon()

    async def start(self, *access_points, security=None):
        """Puts the access points on the air, and starts the daemon, as it is configured or as it
        is to be."""
        await self.stack.air.show(access_points)
        if security:
            await self.configure(security)
        await self.start_daemon()

    # The command line

    async def begin(self, *arguments, stdin=None, adapter="hci1"):
        """Starts `wifi-provision` with the arguments; `{device}` and `{code}` stand for what is on
        the board's label."""
        self._commands += 1
        words = [word.replace("{device}", DEVICE).replace("{code}", CODE) for word in arguments]
        service = Service(f"{self.name}.command-{self._commands}", PROVISION, *words, "--json",
                          "--adapter", adapter)
        await service.start(stdin=stdin)
        return Command(service)

    async def provision(self, *arguments, stdin=None, adapter="hci1", seconds=150):
        """Runs `wifi-provision` to its end."""
        command = await self.begin(*arguments, stdin=stdin, adapter=adapter)
        await command.finish(seconds)
        self.told += command.told
        if arguments[0] == "connect" and command.outcome:
            self.record("connect", *command.outcome)
        return command

    async def connect(self, access_point, adapter="hci1", password=None, device="{device}"):
        """Has the command line bring the board into the network of the access point."""
        password = access_point.password if password is None else password
        arguments = ["connect", device, "--ssid", access_point.ssid.decode()]
        arguments += ["--code", "{code}"] if self._security == "code" else ["--insecure"]
        if password:
            arguments.append("--password-stdin")
        return await self.provision(*arguments, stdin=password or None, adapter=adapter)

    async def connects(self, access_point, adapter="hci1"):
        """As `connect`, and expects success in all that can be seen of it."""
        command = await self.connect(access_point, adapter)
        expect((command.exit, command.last), (0, ("connected", "none")), "connect")
        await self.joined(access_point.ssid)

    # The foreign central

    @contextlib.asynccontextmanager
    async def central(self, adapter="hci1"):
        """A connected bleak client, whose statuses go into the report."""
        async with central.connected(adapter) as client:
            try:
                yield client
            finally:
                self.told += [str(status) for status in client.told]

    @contextlib.asynccontextmanager
    async def session(self, adapter="hci1", code=CODE):
        """A secure session of a bleak client, opened unless `code` is None, whose statuses go into
        the report."""
        async with central.connected(adapter) as client:
            session = Session(BleakLink(client))
            try:
                if code is not None:
                    await session.open(code)
                yield session
            finally:
                self.told += [str(status) for status in session.told]

    def record(self, attempt, told, seconds):
        """Notes for the report what a provisioner was told of an attempt."""
        self.outcomes.append({"attempt": attempt, "told": told, "seconds": round(seconds, 1)})

    # What is true of the board

    async def joined(self, ssid):
        """Expects the board to be in the network, with one saved profile of it and no other."""
        expect(await self.stack.station_state(), 100, "the station's state")
        profiles = list((await self.stack.wifi_profiles()).values())
        expect([bytes(profile["802-11-wireless"]["ssid"]) for profile in profiles], [ssid],
               "NetworkManager's profiles")
        expect(profiles[0]["connection"].get("autoconnect", True), True, "autoconnect")

    async def left_alone(self):
        """Expects no trace of a failed attempt."""
        expect(await self.stack.wifi_profiles(), {}, "NetworkManager's profiles")

    async def profiles(self):
        return await ProfileTable.read(self.stack.bus)

    async def profiles_become(self, what, wanted, seconds=10):
        """Waits until `wanted(table)` is None; fails with its words for what is wrong."""
        complaint = None

        async def right():
            nonlocal complaint
            complaint = wanted(await self.profiles())
            return complaint is None
        try:
            await self.stack.bus.until(right, seconds, what)
        except TimeoutError:
            raise Failure(f"{what}: {complaint}") from None

    async def profiles_stay(self, before):
        """Expects each profile and each file to be as it was."""
        await self.profiles_become(
            "the profiles after a failure",
            lambda now: None if now == before else before.differences(now))

    async def profile_comes(self, before, ssid, superseded=frozenset(), saved=True):
        """Expects exactly one new profile, of the SSID, and no loss but of those superseded."""
        def complaint(now):
            new, gone = now.profiles.keys() - before.profiles.keys(), (
                before.profiles.keys() - now.profiles.keys())
            new_files = {path for path in now.files.keys() - before.files.keys()
                         if path.startswith("/etc/")}
            kept = before.profiles.keys() & now.profiles.keys()
            changed = {uuid for uuid in kept if before.profiles[uuid] != now.profiles[uuid]}
            if len(new) != 1 or new != new & now.of(ssid) or gone != superseded or changed:
                return before.differences(now)
            if len(new_files) != saved:
                return f"new files: {new_files}"
            if any(now.files[path][0] != "0o100600" for path in new_files):
                return f"others can read {new_files}"
            settings = now.profiles[new.pop()]
            if saved and not settings["connection"].get("autoconnect", True):
                return "the new profile is not joined by itself"
            return None
        await self.profiles_become("the profiles after a success", complaint)

    async def close(self):
        """Brings everything back to where it was before the scenario."""
        running = self.daemon.running
        status = await self.daemon.stop()
        await self.stack.restore()
        if running:
            expect(status, 0, "the daemon's exit status after SIGTERM")
