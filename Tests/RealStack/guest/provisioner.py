"""A provisioner whose every attempt is checked whole: what is told, and what is left on the board."""

import contextlib

from room import expect
from service import uptime

# Keys of a network description.
SSID, SECURITY, PASSWORD, HIDDEN, ENTERPRISE, IPV4, IPV6, PRIORITY = range(8)
# Of a status in a secure session.
EVIDENCE, LINK, TRIED, RISKS = 2, 3, 4, 5


def network(access_point, password=None, **further):
    """The description of the access point's network, with its own password or another one."""
    description = {SSID: access_point.ssid}
    password = access_point.password if password is None else password
    if password:
        description[PASSWORD] = password.encode()
    if access_point.hidden:
        description[HIDDEN] = True
    return description | {{"security": SECURITY, "ipv4": IPV4, "ipv6": IPV6,
                           "hidden": HIDDEN, "enterprise": ENTERPRISE}[name]: value
                          for name, value in further.items()}


@contextlib.asynccontextmanager
async def provisioner(room, adapter="hci1"):
    """A secure session with the room's board, for attempts."""
    async with room.session(adapter) as session:
        yield Provisioner(room, session)


class Provisioner:
    def __init__(self, room, session):
        self.room = room
        self.session = session
        self.attempt = None
        self._start = None
        self.risks = []

    async def begin(self, description):
        """Sends the network, and does not wait for what becomes of it."""
        self._start = uptime()
        self.attempt, self.risks = await self.session.begin_attempt(description)

    async def reaches(self, *states):
        """Waits until the attempt is told to be in one of the states."""
        return await self.session.next_status(self.attempt, lambda status: status.state in states)

    async def told(self, attempt, seconds=None):
        """The first status with an outcome, noted for the report; the limit is in seconds."""
        return self._noted(await self.reaches("connected", "failed", "rolled-back"), attempt,
                           seconds)

    def _noted(self, status, attempt, seconds):
        took = uptime() - self._start
        self.room.record(attempt, str(status), took)
        if seconds is not None and took > seconds:
            raise AssertionError(f"{attempt}: told after {took:.1f} s, more than {seconds} s")
        return status

    async def ended(self):
        """The attempt's last status, which is another one if the board goes back."""
        return await self.session.next_status(self.attempt, lambda status: status.final)

    async def _outcome(self, description, reason, attempt, seconds):
        """Sends the network, and returns the first status with an outcome."""
        for repetitions_left in (3, 2, 1, 0):
            await self.begin(description)
            status = await self.reaches("connected", "failed", "rolled-back")
            # hostapd has 30 ms to answer when it is asked by name, which it misses on a slow machine.
            if status.reason == "hidden-network-silent" != reason and repetitions_left:
                print(f"  {attempt}: the hidden network was not heard, and is asked again.")
                await self.ended()
                continue
            return self._noted(status, attempt, seconds)

    async def fails(self, description, reason, attempt, seconds=None, returns=False):
        """Expects a failure for the reason, which leaves the board's profiles as they were, and the
        board in the network in which it was before."""
        before = await self.room.profiles()
        status = await self._outcome(description, reason, attempt, seconds)
        await self.failed(status, before, reason, attempt, returns)
        return status

    async def fails_at_once(self, description, reason, attempt):
        """Expects a failure for the reason, where there is nothing that could have changed."""
        await self.begin(description)
        expect(str(await self.told(attempt, 5)), f"failed {reason}", f"{attempt}: the outcome")

    async def failed(self, status, before, reason, attempt, returns=False):
        """Expects that end of an attempt that was begun before."""
        expect(status.reason, reason, f"{attempt}: the reason")
        # Cancelling is told before it is known where that leads.
        last = await (self.reaches("rolled-back") if returns else self.ended())
        expect(str(last), f"{'rolled-back' if returns else 'failed'} {reason}",
               f"{attempt}: the last status")
        if returns:
            if last is not status:
                self.room.record(f"{attempt}: back", str(last), uptime() - self._start)
            expect(await self.room.stack.station_state(), 100, "the station's state afterwards")
            expect(last.address.startswith("10.7"), True, f"the address {last.address}")
        await self.room.profiles_stay(before)

    async def succeeds(self, description, attempt, reason="none", superseded=frozenset(),
                       saved=True, seconds=None):
        """Expects success, which leaves exactly one profile more, and none less but those that are
        superseded: UUIDs."""
        before = await self.room.profiles()
        status = await self._outcome(description, reason, attempt, seconds)
        wanted = "connected" if reason == "none" else f"connected {reason}"
        expect(str(status), wanted, f"{attempt}: the outcome")
        expect(await self.room.stack.station_state(self.room.interface), 100,
                         "the station's state")
        await self.room.profile_comes(before, description[SSID], superseded, saved)
        return status
