"""Measures the daemon beside its floors: a bare peer, a bare central, NetworkManager by itself."""

import asyncio
import contextlib
import os
import re
import shutil
import statistics

import central
import failures
from room import CONFIGURATION, DAEMON, PROVISION, STATE, Room
from scenarios import HOME
from service import LOGS, Service, run, uptime
from stack import ADAPTER, BLUEZ, DEVICE, NM_DEVICE

RUNS = 5
IDLE_SECONDS = 60
PEER = ("/usr/bin/python3", "/host/harness/bare_peer.py")
PREPARE, ACTIVATED = 40, 100


def cpu_seconds(process):
    """The CPU time of all threads so far, in nanosecond steps."""
    total = 0
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def cpu_ticks(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def context_switches(process):
    total = 0
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/status") as file:
            total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    return total


def memory(process):
    """(RSS, PSS) in KiB."""
    with open(f"/proc/{process}/smaps_rollup") as file:
        text = file.read()
    return tuple(int(re.search(rf"^{name}: +(\d+)", text, re.M)[1]) for name in ("Rss", "Pss"))


class Figures:
    """Collects the runs of each figure."""

    def __init__(self):
        self._runs = {}

    def add(self, **figures):
        for name, value in figures.items():
            self._runs.setdefault(name, []).append(value)

    def medians(self):
        return {name: statistics.median(runs) for name, runs in self._runs.items()}

    def counts(self):
        return {name: len(runs) for name, runs in self._runs.items()}


async def measure(stack, part="all"):
    """The figures, or only those of failures, as a flat map of names to numbers."""
    room = Room("bench", stack)
    await room.configure()
    told = await failures.measure(room)
    result = told if part == "failures" else told | await _measure_jobs(room)
    return {name: round(value, 4) for name, value in result.items()}


async def _measure_jobs(room):
    stack = room.stack
    figures = Figures()
    figures.add(daemon_stripped_bytes=os.stat(DAEMON).st_size,
                provision_stripped_bytes=os.stat(PROVISION).st_size)
    daemon = (DAEMON, "run", "--config", CONFIGURATION)

    # Once unmeasured, so that the programs are in the page cache.
    for round_number in range(RUNS + 1):
        for name, command in (("daemon", daemon), ("bare", PEER)):
            seconds, cpu, rss, pss = await _until_advertised(stack, name, command)
            if round_number:
                figures.add(**{f"{name}_exec_to_advertised_s": seconds,
                               f"{name}_exec_to_advertised_cpu_s": cpu,
                               f"{name}_idle_rss_kib": rss, f"{name}_idle_pss_kib": pss})
    print("Advertised.")

    for name, make in (("daemon", _daemon_on), ("bare", _peer_on)):
        for ticks, switches in await _idle(stack, name, make):
            figures.add(**{f"{name}_idle_ticks_{IDLE_SECONDS}s": ticks,
                           f"{name}_idle_context_switches_{IDLE_SECONDS}s": switches})
    print("Idle.")

    await stack.air.show([HOME])
    for _ in range(RUNS):
        figures.add(floor_connect_s=await _repeated(_bare_connect, stack),
                    floor_activation_s=await _bare_activation(stack))
        await stack.forget_networks()
        await room.start_daemon()
        figures.add(**await _provision_secure(room))
        await asyncio.sleep(1)
        rss, pss = memory(room.daemon.process.pid)
        figures.add(provisioned_rss_kib=rss, provisioned_pss_kib=pss)
        await room.daemon.stop()
        await stack.forget_devices()
        await stack.forget_networks()

    await room.configure("open")
    for _ in range(RUNS):
        await room.start_daemon()
        figures.add(**await _repeated(_provision, stack))
        await room.daemon.stop()
        await stack.forget_devices()
        await stack.forget_networks()
    await room.configure()
    print("Provisioned.")

    for _ in range(RUNS):
        figures.add(scan_shows_device_s=await _scan(room))

    result = figures.medians()
    floor = result["floor_connect_s"] + result["floor_activation_s"]
    result |= {
        "connect_to_connected_ratio": result["connect_to_connected_s"] / floor,
        "secure_connect_to_connected_ratio": result["secure_connect_to_connected_s"] / floor,
        "exec_to_advertised_ratio": (result["daemon_exec_to_advertised_s"]
                                     / result["bare_exec_to_advertised_s"]),
        "exec_to_advertised_cpu_ratio": (result["daemon_exec_to_advertised_cpu_s"]
                                         / result["bare_exec_to_advertised_cpu_s"]),
        "idle_rss_kib": result.pop("daemon_idle_rss_kib"),
        "idle_pss_kib": result.pop("daemon_idle_pss_kib"),
        "idle_ticks_60s": result.pop("daemon_idle_ticks_60s"),
        "idle_context_switches_60s": result.pop("daemon_idle_context_switches_60s"),
    }
    return result


async def _until_advertised(stack, name, command):
    """Starts the command while hci1 scans; gives the time and the CPU time until hci1 sees its
    advertisement, and then its memory."""
    await stack.forget_devices()
    seen = asyncio.get_running_loop().create_future()

    def heard(message):
        if message.member == "InterfacesAdded":
            path, interfaces = message.body
            data = interfaces.get(DEVICE, {})
        elif message.member == "PropertiesChanged" and message.body[0] == DEVICE:
            path, data = message.path, message.body[1]
        else:
            return
        if path.startswith("/org/bluez/hci1/") and "ServiceData" in data and not seen.done():
            seen.set_result(uptime())

    adapter = (BLUEZ, "/org/bluez/hci1", ADAPTER)
    forget = stack.bus.listen(heard)
    await stack.bus.call(*adapter, "StartDiscovery")
    service = Service(f"bench.{name}", *command)
    try:
        start = uptime()
        await service.start()
        async with asyncio.timeout(60):
            end = await seen
        cpu = cpu_seconds(service.process.pid)
        await stack.bus.call(*adapter, "StopDiscovery")
        await asyncio.sleep(1)
        rss, pss = memory(service.process.pid)
        shutil.copy(f"/proc/{service.process.pid}/smaps", f"{LOGS}/bench.{name}.smaps")
    finally:
        forget()
        await service.stop()
    return end - start, cpu, rss, pss


def _daemon_on(adapter):
    configuration = f"/run/wifi-provisiond-{adapter}.conf"
    with open(configuration, "w") as file:
        file.write(f"[provisioning]\nmode = always\nstate-folder = {STATE}-{adapter}\n"
                   f"[bluetooth]\nadapter = {adapter}\n")
    return DAEMON, "run", "--config", configuration


def _peer_on(adapter):
    return *PEER, adapter


async def _idle(stack, name, make):
    """CPU ticks and context switches of instances that advertise for a minute, one on each of
    several adapters at the same time."""
    adapters = [f"hci{number}" for number in range(RUNS)]
    services = [Service(f"bench.idle-{name}-{adapter}", *make(adapter)) for adapter in adapters]
    for service in services:
        await service.start()
    for adapter in adapters:
        await stack.advertised(adapter)
    # What starting has left to do is no part of being idle.
    await asyncio.sleep(5)
    pids = [service.process.pid for service in services]
    before = [(cpu_ticks(pid), context_switches(pid)) for pid in pids]
    await asyncio.sleep(IDLE_SECONDS)
    after = [(cpu_ticks(pid), context_switches(pid)) for pid in pids]
    for service in services:
        await service.stop()
    return [(ticks - ticks_before, switches - switches_before) for
            (ticks, switches), (ticks_before, switches_before) in zip(after, before)]


async def _repeated(measure, stack):
    """A measurement that counts; bluetoothd 5.66 does not always tell bleak that a link came up or
    went, which then waits in vain."""
    for _ in range(3):
        try:
            return await measure(stack)
        except TimeoutError:
            print(f"{measure.__name__} is repeated: bleak waited in vain.")
            await stack.forget_devices()
            await stack.forget_networks()
    return await measure(stack)


async def _bare_connect(stack):
    """What bleak needs to connect to the bare peer and to discover its services."""
    await stack.forget_devices()
    peer = Service("bench.bare", *PEER)
    await peer.start()
    try:
        await stack.advertised()
        device = await central.find("hci1")
        start = uptime()
        async with central.connected("hci1", device):
            return uptime() - start
    finally:
        await peer.stop()
        await stack.forget_devices()


@contextlib.contextmanager
def _states(stack, station):
    """Notes when the station comes into each of NetworkManager's states for the first time."""
    times = {}

    def heard(message):
        if (message.member == "StateChanged" and message.interface == NM_DEVICE
                and message.path == station):
            times.setdefault(message.body[0], uptime())

    forget = stack.bus.listen(heard)
    try:
        yield times
    finally:
        forget()


async def _bare_activation(stack):
    """NetworkManager's time from state 40 to state 100, for the same network, started by nmcli."""
    await stack.air.forget_leases()
    await stack.scanned()
    with _states(stack, await stack.station()) as times:
        await run("nmcli", "device", "wifi", "connect", HOME.ssid.decode(), "password",
                  HOME.password)
    return times[ACTIVATED] - times[PREPARE]


async def _provision(stack):
    """The time from the central's call to connect to the notification that says connected, and the
    parts that it consists of."""
    await stack.air.forget_leases()
    await stack.scanned()
    device = await central.find("hci1")
    with _states(stack, await stack.station()) as times:
        start = uptime()
        async with central.connected("hci1", device) as client:
            connected = uptime()
            await client.follow()
            await client.send(HOME.ssid, HOME.password.encode())
            written = uptime()
            outcome = await client.outcome()
            end = uptime()
    if outcome.state != "connected":
        raise RuntimeError(f"the board was not connected, but {outcome}")
    return {
        "connect_to_connected_s": end - start,
        "part_1_connect_s": connected - start,
        "part_2_write_s": written - connected,
        "part_3_until_prepare_s": times[PREPARE] - written,
        "part_4_activation_s": times[ACTIVATED] - times[PREPARE],
        "part_5_until_told_s": end - times[ACTIVATED],
    }


async def _provision_secure(room):
    """The same over the secure profile, from the command line's call to connect to the state that
    says connected: it stretches the setup code and opens the session meanwhile."""
    stack = room.stack
    await stack.air.forget_leases()
    await stack.scanned()
    with _states(stack, await stack.station()) as times:
        command = await room.begin(
            "connect", "{device}", "--code", "{code}", "--ssid", HOME.ssid.decode(),
            "--password-stdin", stdin=HOME.password)
        await command.shows("connecting")
        start = uptime()
        await command.shows("connected-to-device")
        connected = uptime()
        await command.shows("secured")
        secured = uptime()
        await command.reaches("connected")
        end = uptime()
        await command.finish()
    if command.exit != 0:
        raise RuntimeError(f"the board was not connected: {command.told}")
    return {
        "secure_connect_to_connected_s": end - start,
        "secure_part_1_connect_s": connected - start,
        "secure_part_2_handshake_s": secured - connected,
        "secure_part_3_until_prepare_s": times[PREPARE] - secured,
        "secure_part_4_activation_s": times[ACTIVATED] - times[PREPARE],
        "secure_part_5_until_told_s": end - times[ACTIVATED],
    }


async def _scan(room):
    """The time from BlueZ's first word of the device until `wifi-provision scan` shows it."""
    await room.stack.forget_devices()
    known = asyncio.get_running_loop().create_future()

    def heard(message):
        if (message.member == "InterfacesAdded" and message.body[0].startswith("/org/bluez/hci1/")
                and not known.done()):
            known.set_result(uptime())

    await room.start_daemon()
    forget = room.stack.bus.listen(heard)
    try:
        command = await room.begin("scan", "--timeout", "5")
        await command.shows("device")
        shown = uptime()
        await command.finish()
        return max(0, shown - known.result())
    finally:
        forget()
        await room.daemon.stop()
