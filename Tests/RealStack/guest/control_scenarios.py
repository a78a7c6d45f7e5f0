"""What somebody at the board asks the daemon for, and programs on the board."""

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
