"""The programs that the owner of a board wants run when something happens."""

import asyncio
import os
import shutil

from room import expect
from scenarios import HOME

ALL = {}

FOLDER = "/etc/wifi-provisiond.hooks.d"
OUTPUT = "/run/hooks-output"


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


def _add(name, script):
    os.makedirs(FOLDER, mode=0o755, exist_ok=True)
    path = f"{FOLDER}/{name}"
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n{script}\n")
    os.chmod(path, 0o755)


async def _written(last, seconds=20):
    """The lines that the hooks wrote, once one begins with this."""
    async with asyncio.timeout(seconds):
        while True:
            lines = []
            if os.path.exists(OUTPUT):
                with open(OUTPUT) as file:
                    lines = file.read().splitlines()
            if any(line.startswith(last) for line in lines):
                return lines
            await asyncio.sleep(0.1)


@scenario
async def hooks_are_told_what_happens(room):
    shutil.rmtree(FOLDER, ignore_errors=True)
    if os.path.exists(OUTPUT):
        os.remove(OUTPUT)
    try:
        # One that hangs does not hold up the provisioner.
        _add("10-session", "sleep 600")
        _add("50-all", 'echo "$PROVISIONING_EVENT $PROVISIONING_SSID $PROVISIONING_REASON'
             f' $PROVISIONING_ADDRESS" >>{OUTPUT}; env >>{OUTPUT}.env')
        _add("identify", "true")
        await room.start(HOME)
        # Without a LED, the hook of that name is what makes the board noticed.
        command = await room.provision("identify", "{device}", "--code", "{code}")
        expect(command.exit, 0, "identify")
        await _written("identify ")
        await room.connect(HOME, password="not the password")
        await room.connects(HOME)
        await room.daemon.said("hook .*10-session, session: signal 15", 60)
        lines = await _written("connected ", 60)
        names = [line.split(" ")[0] for line in lines]
        expect([name for name in names if name in ("opened", "failed", "connected")],
               ["opened", "failed", "connected"], "the events")
        expect(next(line for line in lines if line.startswith("failed")).split()[1:],
               ["Home", "wrong-password"], "what is told of a failure")
        expect(next(line for line in lines if line.startswith("connected")).split()[1],
               "Home", "what is told of success")
        with open(f"{OUTPUT}.env") as file:
            expect(HOME.password in file.read(), False, "whether the hooks see the password")
        room.told += names
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
