"""What the person who looks after a board reads in its journal, and what programs find there."""

import asyncio
import json
import os

from room import expect
from scenarios import HOME
from service import Service, run

ALL = {}

SOCKET = "/run/systemd/journal/socket"
# As in packaging/wifi-provisiond.catalog.
CONNECTED = "25698b9215b047df8b5871cfe096e130"
FAILED = "39ce1f6f74d24c23818047bc53e242ad"


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


async def _journal(*arguments):
    return await run("journalctl", "--directory=/run/log/journal", "--quiet", *arguments)


async def _entry(id, seconds=20):
    """The first entry of this kind."""
    async with asyncio.timeout(seconds):
        while True:
            lines = (await _journal("--output=json", f"MESSAGE_ID={id}")).splitlines()
            if lines:
                return json.loads(lines[0])
            await asyncio.sleep(0.1)


@scenario
async def the_journal_has_fields(room):
    # systemd-journald does not start without control groups.
    if not os.path.ismount("/sys/fs/cgroup"):
        await run("mount", "-t", "cgroup2", "none", "/sys/fs/cgroup")
    journald = Service(f"{room.name}.journald", "/lib/systemd/systemd-journald")
    await journald.start()
    try:
        async with asyncio.timeout(20):
            while not os.path.exists(SOCKET):
                await asyncio.sleep(0.1)
        # With what systemd sets for a service (systemd.exec(5)).
        room.daemon = Service(
            room.daemon.name, "systemd-cat", "sh", "-c",
            'export JOURNAL_STREAM="$(stat -Lc %d:%i /proc/self/fd/2)"; exec "$@"', "sh",
            *room.daemon.command)
        await room.start(HOME)
        await room.connect(HOME, password="not the password")
        await room.connects(HOME)
        failed = await _entry(FAILED)
        expect({name: failed.get(name) for name in (
            "PRIORITY", "SYSLOG_IDENTIFIER", "PROVISIONING_REASON", "PROVISIONING_ATTEMPT")},
            {"PRIORITY": "5", "SYSLOG_IDENTIFIER": "wifi-provisiond",
             "PROVISIONING_REASON": "wrong-password", "PROVISIONING_ATTEMPT": "1"}, "the failure")
        connected = await _entry(CONNECTED)
        expect(connected["PROVISIONING_ADDRESS"].startswith("10.77."), True, "the address's field")
        room.told.append(failed["MESSAGE"])
        # A person has it explained.
        await run("journalctl", "--update-catalog")
        text = await _journal("--catalog", f"MESSAGE_ID={FAILED}")
        expect("Subject: Attempt 1 has failed: wrong-password" in text, True, f"explained: {text}")
        expect(await room.daemon.stop(), 0, "the daemon's exit status after SIGTERM")
    finally:
        await journald.stop()
        os.remove(SOCKET)
