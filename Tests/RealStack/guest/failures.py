"""Measures how soon failures are told, and the network before is back, beside nmcli."""

import statistics

from air import USER, AccessPoint
from network_scenarios import login
from provisioner import PASSWORD, SSID, network, provisioner
from service import run, uptime
from stack import STATION

RUNS = 5
PASSPHRASE = "right password"
WPA2 = AccessPoint(b"Bench WPA2", "wpa2", PASSPHRASE)
WPA3 = AccessPoint(b"Bench WPA3", "wpa3", PASSPHRASE)
ENTERPRISE = AccessPoint(b"Bench enterprise", "wpa2-enterprise", PASSPHRASE)
WRONG = "wrong password"
AUTHORITY = "/run/authority.pem"
# A wrong enterprise password is told by nmcli after more than a minute, or never: it is not waited
# for that long, which is in nmcli's favour.
PATIENCE = 30

# How nmcli is asked: a connection of a profile that is there, or of a network in the list.
NMCLI = {
    "wrong_wpa2_password": ("device", "wifi", "connect", WPA2.ssid.decode(), "password", WRONG),
    "wrong_wpa3_password": ("device", "wifi", "connect", WPA3.ssid.decode(), "password", WRONG),
    "wrong_enterprise_password": ("--wait", str(PATIENCE), "connection", "up", "enterprise"),
    "absent_network": ("connection", "up", "absent"),
}
PROFILES = {
    "enterprise": ("ssid", ENTERPRISE.ssid.decode(), "wifi-sec.key-mgmt", "wpa-eap",
                   "802-1x.eap", "peap", "802-1x.phase2-auth", "mschapv2", "802-1x.identity", USER,
                   "802-1x.password", WRONG, "802-1x.ca-cert", AUTHORITY),
    "absent": ("ssid", "Nowhere", "wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", WRONG),
}
DESCRIPTIONS = {
    "wrong_wpa2_password": network(WPA2, WRONG),
    "wrong_wpa3_password": network(WPA3, WRONG),
    "wrong_enterprise_password": {SSID: ENTERPRISE.ssid, 4: login("peap-mschapv2", WRONG)},
    "absent_network": {SSID: b"Nowhere", PASSWORD: WRONG.encode()},
}


async def measure(room):
    """The medians in seconds, and their ratios."""
    stack = room.stack
    await stack.air.show([WPA2, WPA3, ENTERPRISE])
    runs = {f"{who}_{what}_s": [] for who in ("nmcli", "daemon")
            for what in (*NMCLI, "way_back")}
    # A word after each step: who says nothing for minutes is taken for dead.
    for _ in range(RUNS):
        await _ask_nmcli(stack, runs)
        print("nmcli was asked.")
    await room.start_daemon()
    async with provisioner(room) as some:
        for _ in range(RUNS):
            for what, description in DESCRIPTIONS.items():
                await stack.scanned()
                runs[f"daemon_{what}_s"].append(await _until_failed(some, description))
            print("The daemon was asked.")
        await some.begin(network(WPA2))
        await some.reaches("connected")
        for _ in range(RUNS):
            await _until_failed(some, network(WPA3, WRONG))
            start = uptime()
            status = await some.ended()
            if status.state != "rolled-back":
                raise RuntimeError(f"the board did not go back: {status}")
            runs["daemon_way_back_s"].append(uptime() - start)
        print("The daemon went back.")
    await room.daemon.stop()
    await stack.forget_networks()

    figures = {name: statistics.median(values) for name, values in runs.items()}
    return figures | {f"{what}_ratio": figures[f"daemon_{what}_s"] / figures[f"nmcli_{what}_s"]
                      for what in (*NMCLI, "way_back")}


async def _ask_nmcli(stack, runs):
    with open(AUTHORITY, "wb") as file:
        file.write(login("peap-mschapv2")[5])
    for name, settings in PROFILES.items():
        await run("nmcli", "connection", "add", "type", "wifi", "con-name", name, "ifname", STATION,
                  "autoconnect", "no", *settings)
    for what, arguments in NMCLI.items():
        await stack.scanned()
        start = uptime()
        await run("nmcli", *arguments, check=False)
        runs[f"nmcli_{what}_s"].append(uptime() - start)
        await run("nmcli", "device", "disconnect", STATION, check=False)
        await stack.station_idle()
    await run("nmcli", "device", "wifi", "connect", WPA2.ssid.decode(), "password", PASSPHRASE)
    await run("nmcli", "device", "disconnect", STATION)
    await stack.station_idle()
    await stack.scanned()
    start = uptime()
    await run("nmcli", "connection", "up", WPA2.ssid.decode())
    runs["nmcli_way_back_s"].append(uptime() - start)
    await stack.forget_networks()


async def _until_failed(some, description):
    start = uptime()
    await some.begin(description)
    await some.reaches("failed")
    return uptime() - start
