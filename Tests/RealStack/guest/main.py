"""The guest's side of a run: starts the stack, plays the scenarios, reports each on its own line."""

import asyncio
import json
import sys
import traceback

import bench
import control_scenarios
import hook_scenarios
import journal_scenarios
import link_scenarios
import network_scenarios
import policy_scenarios
import rollback_scenarios
import scenario_files
import scenarios
import secure_scenarios
from room import Room
from service import LOGS, run, uptime
from stack import Stack

OUTPUT = "/host/output"
# No scenario takes longer, unless something hangs.
LIMIT = 240


async def play(name, function, stack):
    """Runs one scenario in a room of its own, and returns its report."""
    start = uptime()
    stack.mark(f"=== {name}")
    room = Room(name, stack)
    detail = None
    try:
        async with asyncio.timeout(LIMIT):
            await room.configure()
            await function(room)
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"
        with open(f"{LOGS}/{name}.trace", "w") as file:
            traceback.print_exc(file=file)
    try:
        async with asyncio.timeout(LIMIT):
            await room.close()
    except Exception as error:
        detail = detail or f"afterwards: {type(error).__name__}: {error}"
    report = {"name": name, "passed": detail is None, "seconds": round(uptime() - start, 1),
              "told": room.told, "outcomes": room.outcomes}
    return report if detail is None else report | {"detail": detail}


async def play_all(names, part, parts, stack):
    known = (scenario_files.load() | scenarios.ALL | link_scenarios.ALL
             | secure_scenarios.ALL | network_scenarios.ALL | rollback_scenarios.ALL
             | policy_scenarios.ALL | hook_scenarios.ALL | control_scenarios.ALL
             | journal_scenarios.ALL)
    if unknown := set(names) - set(known):
        sys.exit(f"no such scenario: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    # Neighbours stay together: what one leaves on the air suits the next.
    size = -(-len(known) // parts)
    for name in names or list(known)[part * size:(part + 1) * size]:
        report = await play(name, known[name], stack)
        with open(f"{OUTPUT}/reports", "a") as file:
            file.write(json.dumps(report) + "\n")
        print(f"{report['name']}: {'ok' if report['passed'] else 'FAILED'}, {report['seconds']} s: "
              f"{', '.join(report['told'])}")
        if "detail" in report:
            print(f"  {report['detail']}")


async def main():
    with open(f"{OUTPUT}/request.json") as file:
        request = json.load(file)
    await run("cp", "-a", "/host/root/.", "/")
    stack = Stack()
    await stack.start()
    print(f"The stack is up after {uptime():.0f} s.")
    if request["bench"]:
        figures = await bench.measure(stack, request["bench"])
        with open(f"{OUTPUT}/bench.json", "w") as file:
            json.dump(figures, file, indent=2)
    else:
        await play_all(request["scenarios"], request["part"], request["parts"], stack)


asyncio.run(main())
