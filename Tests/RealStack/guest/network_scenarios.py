"""Every kind of network, joined and not joined, for every reason: what a provisioner is told, and
what is left on the board."""

import contextlib
import glob
import os
import shutil

import certificates
from air import CHECKED_HOST, USER, AccessPoint
from provisioner import LINK, RISKS, network, provisioner
from room import CONFIGURATION, STATE, expect
from scenarios import HOME
from service import Service, run
from stack import NETWORK_MANAGER_SETTINGS, STATION

ALL = {}

OPEN = AccessPoint(b"Corner cafe")
OWE = AccessPoint(b"Library", "owe")
TRANSITION = AccessPoint(b"Airport", "owe-transition")
OFFICE = AccessPoint(b"Office", "wpa2-enterprise", "right password")
# Lets stations in, and gives them no address.
SPEECHLESS = AccessPoint(b"Speechless", "wpa2", "right password", dhcp=False)


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


@scenario
async def open_and_owe(room):
    await room.start(OPEN, OWE, TRANSITION)
    async with provisioner(room) as some:
        for access_point in (OPEN, OWE, TRANSITION):
            await some.fails(network(access_point, "a password"), "password-format",
                             f"{access_point.security}, with a password", returns=access_point
                             is not OPEN)
            status = await some.succeeds(network(access_point), access_point.security)
            # Of the two networks of the transition the protected one is to be used.
            subnet = "10.78." if access_point is TRANSITION else "10.77."
            expect(status.address.startswith(subnet), True, f"the address {status.address}")


# 802.1X

def login(method, password=None, authority=None, client=None, **further):
    """The enterprise part of a description."""
    if method == "tls":
        client = client or certificates.client()
        login = {0: "tls", 1: "board", 4: b"passphrase", 6: client.certificate,
                 7: client.key_protected_by("passphrase")}
    else:
        method, _, phase2 = method.partition("-")
        login = {0: method, 1: USER, 3: phase2, 4: (password or OFFICE.password).encode()}
    if authority is None:
        authority = certificates.authority()
    return login | {5: authority.certificate} | further


@scenario
async def enterprise_peap(room):
    await _wrong_then_right(room, "peap-mschapv2")


@scenario
async def enterprise_ttls_pap(room):
    await _wrong_then_right(room, "ttls-pap")


@scenario
async def enterprise_ttls_mschapv2(room):
    await _wrong_then_right(room, "ttls-mschapv2")


async def _wrong_then_right(room, method):
    await room.start(OFFICE)
    async with provisioner(room) as some:
        await some.fails({0: OFFICE.ssid, 4: login(method, "wrong password")},
                         "enterprise-refused", "wrong password", seconds=15)
        await some.succeeds({0: OFFICE.ssid, 4: login(method)}, "right password")


@scenario
async def enterprise_tls(room):
    await room.start(OFFICE)
    async with provisioner(room) as some:
        await some.fails({0: OFFICE.ssid, 4: login("tls", client=certificates.foreign_client())},
                         "enterprise-refused", "wrong client certificate", seconds=15)
        await some.succeeds({0: OFFICE.ssid, 4: login("tls")}, "right client certificate")


@scenario
async def enterprise_server(room):
    await room.start(OFFICE)
    async with provisioner(room) as some:
        wrong = login("peap-mschapv2", authority=certificates.foreign_authority())
        await some.fails({0: OFFICE.ssid, 4: wrong}, "enterprise-refused",
                         "another certificate authority", seconds=15)
        wrong = login("peap-mschapv2") | {8: "example.com"}
        await some.fails({0: OFFICE.ssid, 4: wrong}, "enterprise-refused",
                         "another server name", seconds=15)
        careless = login("peap-mschapv2")
        del careless[5]
        status = await some.succeeds({0: OFFICE.ssid, 4: careless | {10: True}}, "not validated")
        expect(some.risks, ["server-not-validated"], "the risks that are told at once")
        expect(status.details.get(RISKS), ["server-not-validated"], "the risks in the status")


@scenario
async def enterprise_from_the_command_line(room):
    await room.start(OFFICE)
    for name, content in (("ca", certificates.authority().certificate),
                          ("client", certificates.client().certificate),
                          ("key", certificates.client().key_protected_by("passphrase"))):
        with open(f"/run/{name}.pem", "wb") as file:
            file.write(content)
    common = ("connect", "{device}", "--code", "{code}", "--ssid", "Office", "--ca-cert",
              "/run/ca.pem", "--password-stdin")
    before = await room.profiles()
    command = await room.provision(*common, "--eap", "peap", "--identity", USER,
                                   stdin="wrong password")
    expect((command.exit, command.last), (13, ("failed", "enterprise-refused")), "peap")
    await room.profiles_stay(before)
    command = await room.provision(
        *common, "--eap", "tls", "--identity", "board", "--client-cert", "/run/client.pem",
        "--key", "/run/key.pem", stdin="passphrase")
    expect((command.exit, command.last), (0, ("connected", "none")), "tls")
    await room.profile_comes(before, OFFICE.ssid)


# Hidden networks

@scenario
async def hidden(room):
    secret = AccessPoint(b"Secret", "wpa2", "right password", hidden=True)
    modern = AccessPoint(b"Secret and modern", "wpa3", "right password", hidden=True)
    plain = AccessPoint(b"Secret and plain", hidden=True)
    await room.start(secret, modern, plain)
    await room.stack.scanned()
    async with provisioner(room) as some:
        await some.fails(network(AccessPoint(b"Nowhere", "wpa2", "a password", hidden=True)),
                         "hidden-network-silent", "absent")
        await some.fails(network(secret, "wrong password"), "wrong-password", "wrong password")
        for access_point in (secret, modern, plain):
            await some.succeeds(network(access_point), access_point.security)


@scenario
async def hidden_enterprise(room):
    office = AccessPoint(b"Secret office", "wpa2-enterprise", OFFICE.password, hidden=True)
    await room.start(office)
    await room.stack.scanned()
    async with provisioner(room) as some:
        await some.fails({0: office.ssid, 3: True, 4: login("peap-mschapv2", "wrong password")},
                         "enterprise-refused", "wrong password")
        await some.succeeds({0: office.ssid, 3: True, 4: login("peap-mschapv2")},
                            "right password")


# What access points do

@scenario
async def access_point_refuses(room):
    choosy = AccessPoint(b"Choosy", "wpa2", "right password", refuses="filter")
    full = AccessPoint(b"Full house", "wpa2", "right password", refuses="full")
    await room.start(choosy, full)
    async with provisioner(room) as some:
        await some.fails(network(choosy), "access-point-refused", "filters addresses")
        await some.fails(network(full), "access-point-refused", "is full")


@scenario
async def access_point_vanishes(room):
    fleeting = AccessPoint(b"Fleeting", "wpa2", "right password", dhcp=False)
    await room.start(fleeting)
    before = await room.profiles()
    async with provisioner(room) as some:
        await some.begin(network(fleeting))
        await some.reaches("obtaining-address")
        await room.stack.air.hide(fleeting)
        attempt = "while an address is awaited"
        await some.failed(await some.told(attempt), before, "out-of-range", attempt)


@scenario
async def wep(room):
    await room.start(AccessPoint(b"Antique", "wep", "abcde"))
    async with provisioner(room) as some:
        await some.fails(network(AccessPoint(b"Antique", "wep", "abcdefgh")),
                         "security-not-supported", "WEP", seconds=15)


# Addresses

@scenario
async def no_dhcp_or_by_hand(room):
    await room.start(SPEECHLESS)
    subnet = [10, 77, room.stack.air.radio(SPEECHLESS).number]
    async with provisioner(room) as some:
        await some.fails(network(SPEECHLESS), "no-address", "no DHCP")
        by_hand = {0: bytes([*subnet, 77]), 1: 24, 2: bytes([*subnet, 1]), 3: [bytes([*subnet, 1])]}
        v6 = {0: bytes.fromhex("fd77" + "00" * 13 + "02"), 1: 64}
        status = await some.succeeds(network(SPEECHLESS, ipv4=by_hand, ipv6=v6), "by hand")
        expect(status.address, ".".join(map(str, [*subnet, 77])), "the address")
        _, details = await some.session.status()
        link = details[LINK]
        expect((link.get(1), link.get(2), link.get(3)),
               ([v6[0]], [by_hand[2]], by_hand[3]), "IPv6, gateway and name server")


@scenario
async def address_conflict(room):
    clash = AccessPoint(b"Clash", conflict=True, dhcp=False)
    await room.start(clash)
    taken = bytes([10, 77, room.stack.air.radio(clash).number, 10])
    async with provisioner(room) as some:
        await some.fails(network(clash, ipv4={0: taken, 1: 24}), "address-conflict",
                         "somebody has the address")


@scenario
async def portal_and_internet(room):
    hotel = AccessPoint(b"Hotel", internet="portal")
    fibre = AccessPoint(b"Fibre", internet="full")
    island = AccessPoint(b"Island")
    async with _network_manager(room, f"[connectivity]\nuri=http://{CHECKED_HOST}/\n"):
        await room.start(hotel, fibre, island)
        async with provisioner(room) as some:
            for access_point, connectivity in ((hotel, "portal"), (fibre, "full"),
                                               (island, "limited")):
                await some.succeeds(network(access_point), connectivity)
                await some.session.next_status(
                    some.attempt, lambda status: status.connectivity == connectivity, 15)


# Passwords and names

@scenario
async def passwords_of_every_length(room):
    short = AccessPoint(b"Short", "wpa2", "8 bytes!")
    long = AccessPoint(b"Long", "wpa2", "sixty-three bytes: as long as the passphrase of a WPA2 can get.")
    digits = AccessPoint(b"Digits", "wpa2", "0123456789abcdef" * 4)
    await room.start(short, long, digits)
    async with provisioner(room) as some:
        await some.fails(network(digits, "fedcba9876543210" * 4), "wrong-password", "wrong digits")
        for access_point in (short, long, digits):
            await some.succeeds(network(access_point), f"{len(access_point.password)} characters")


@scenario
async def names_of_any_bytes(room):
    names = (b"\x00\x01\xfe\xff", b"\xff" * 32, " \u2019caf\u00e9\u2019\n\u001b[31m".encode())
    access_points = [AccessPoint(name, "wpa2", "right password") for name in names]
    await room.start(*access_points)
    async with provisioner(room) as some:
        await some.fails(network(access_points[0], "wrong password"), "wrong-password",
                         "wrong password")
        for access_point in access_points:
            await some.succeeds(network(access_point), access_point.ssid.hex())
            _, details = await some.session.status()
            expect(details[1], access_point.ssid, "the SSID in the status")
        seen = {entry[0] for entry in await some.session.pages("scan")}
        expect(seen >= set(names), True, f"the SSIDs among {seen}")


# What the board lacks

@scenario
async def radio_blocked(room):
    await room.start(HOME)
    # Not the access points' radios, which are this machine's, too.
    (switch,) = glob.glob(f"/sys/class/ieee80211/{room.stack.air.station.phy}/rfkill*")
    number = switch.rpartition("rfkill")[2]
    await run("rfkill", "block", number)
    try:
        async with provisioner(room) as some:
            await some.fails(network(HOME), "radio-blocked", "rfkill", seconds=5)
            await run("rfkill", "unblock", number)
            await room.stack.station_idle()
            await some.succeeds(network(HOME), "afterwards")
    finally:
        await run("rfkill", "unblock", number)


@scenario
async def device_not_managed(room):
    await room.start(HOME)
    await run("nmcli", "device", "set", STATION, "managed", "no")
    async with provisioner(room) as some:
        await some.fails(network(HOME), "wifi-device-not-managed", "not managed", seconds=5)
        await run("nmcli", "device", "set", STATION, "managed", "yes")
        await room.stack.station_idle()
        await some.succeeds(network(HOME), "afterwards")


@scenario
async def network_manager_stops_during_an_attempt(room):
    await room.start(SPEECHLESS, HOME)
    before = await room.profiles()
    async with provisioner(room) as some:
        await some.begin(network(SPEECHLESS))
        await some.reaches("obtaining-address")
        await room.stack.stop_network_manager()
        status = await some.told("NetworkManager stops")
        expect(str(status), "failed network-manager-not-running", "the outcome")
        await some.fails_at_once(network(HOME), "network-manager-not-running", "it is stopped")
        await room.stack.start_network_manager()
        await room.profiles_stay(before)
        await some.succeeds(network(HOME), "afterwards")


@scenario
async def permission_denied(room):
    async with _network_manager(room, "[main]\nauth-polkit=root-only\n"), _another_user(room):
        await room.start(HOME)
        async with provisioner(room) as some:
            await some.fails(network(HOME), "permission-denied", "not root")


@scenario
async def read_only_storage(room):
    folder = "/etc/NetworkManager/system-connections"
    await room.start(HOME)
    await run("mount", "--bind", folder, folder)
    await run("mount", "-o", "remount,bind,ro", folder)
    try:
        async with provisioner(room) as some:
            await some.succeeds(network(HOME), "read-only", "not-saved", saved=False)
    finally:
        await run("umount", folder)


@scenario
async def supplicant_is_not_heard(room):
    """As with stricter policies of the bus: the same reasons, less precisely and later."""
    policy = "/etc/dbus-1/system.d/real-stack.conf"
    with open(policy, "w") as file:
        file.write('<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN" '
                   '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">\n'
                   '<busconfig><policy user="nobody">'
                   '<deny receive_sender="fi.w1.wpa_supplicant1"/></policy></busconfig>\n')
    await room.stack.bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus",
                              "org.freedesktop.DBus", "ReloadConfig")
    modern = AccessPoint(b"Modern", "wpa3", "correct horse battery")
    try:
        async with _network_manager(room, "[main]\nauth-polkit=false\n"), _another_user(room):
            await room.start(HOME, modern)
            async with provisioner(room) as some:
                await some.fails(network(HOME, "wrong password"), "wrong-password", "WPA2")
                await some.fails(network(modern, "wrong password"), "rejected", "WPA3")
                await some.succeeds(network(modern), "right password")
    finally:
        os.remove(policy)
        await room.stack.bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                  "org.freedesktop.DBus", "ReloadConfig")


@contextlib.asynccontextmanager
async def _network_manager(room, settings):
    """NetworkManager with further settings."""
    path = NETWORK_MANAGER_SETTINGS[0].replace("real-stack", "scenario")
    with open(path, "w") as file:
        file.write(settings)
    await room.stack.stop_network_manager()
    await room.stack.start_network_manager()
    try:
        yield
    finally:
        os.remove(path)
        await room.daemon.stop()
        await room.stack.forget_networks()
        await room.stack.stop_network_manager()
        await room.stack.start_network_manager()


@contextlib.asynccontextmanager
async def _another_user(room):
    """Has the daemon run as somebody who is not root."""
    for path in (STATE, *(f"{STATE}/{name}" for name in os.listdir(STATE))):
        shutil.chown(path, "nobody", "nogroup")
    room.daemon = Service(f"{room.name}.daemon", "setpriv", "--reuid=nobody", "--regid=nogroup",
                          "--clear-groups", *room.daemon.command)
    yield


# Several of something

@scenario
async def ten_wrong_passwords(room):
    await room.start(HOME)
    async with provisioner(room) as some:
        for number in range(1, 11):
            await some.fails(network(HOME, f"wrong password {number}"), "wrong-password",
                             "wrong password")
        await some.succeeds(network(HOME), "right password")


@scenario
async def twins_of_different_security(room):
    lax = AccessPoint(b"Twin")
    strict = AccessPoint(b"Twin", "wpa2", "right password")
    await room.start(lax, strict)
    async with provisioner(room) as some:
        await some.fails(network(strict, "wrong password"), "wrong-password", "wrong password")
        await some.succeeds(network(strict), "WPA2")
        await some.succeeds(network(lax), "open")
        seen = [entry[1] for entry in await some.session.pages("scan") if entry[0] == b"Twin"]
        expect(sorted(seen), ["open", "wpa-psk"], "the securities in the scan")


@scenario
async def two_wifi_devices(room):
    radio = await room.stack.air.lend()
    room.interface = radio.interface
    with open(CONFIGURATION, "a") as file:
        file.write(f"[wifi]\ninterface = {radio.interface}\n")
    try:
        async def idle():
            return await room.stack.station_state(radio.interface) == 30
        await room.stack.bus.until(idle, 30, "a second Wi-Fi device")
        await room.start(HOME)
        async with provisioner(room) as some:
            await some.fails(network(HOME, "wrong password"), "wrong-password", "wrong password")
            await some.succeeds(network(HOME), "right password")
        expect(await room.stack.station_state(), 30, "the other device's state")
    finally:
        await room.stack.forget_networks()
        await room.stack.air.take_back(radio)


# What else ends an attempt

@scenario
async def superseded_or_cancelled(room):
    await room.start(SPEECHLESS, OPEN)
    await run("nmcli", "connection", "add", "type", "wifi", "con-name", "other", "ifname", STATION,
              "ssid", OPEN.ssid.decode(), "autoconnect", "no")
    before = await room.profiles()
    async with provisioner(room) as some:
        await some.begin(network(SPEECHLESS))
        await some.reaches("obtaining-address")
        await some.session.ask("cancel")
        await some.failed(await some.told("cancelled"), before, "cancelled", "cancelled")
        await some.begin(network(SPEECHLESS))
        await some.reaches("obtaining-address")
        await run("nmcli", "connection", "up", "other")
        await some.failed(await some.told("superseded"), before, "superseded", "superseded")
        await room.stack.station_joined()
