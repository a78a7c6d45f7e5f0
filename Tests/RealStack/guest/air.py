"""The access points of the guest, in a network namespace of their own."""

import contextlib
import dataclasses
import os

import certificates
from service import Service, run

NAMESPACE = "air"
INSIDE = ("ip", "netns", "exec", NAMESPACE)
FOLDER = "/run/air"
# Where NetworkManager is told to look whether the Internet is behind a network.
CHECKED_HOST = "check.example.org"
# Who is known to the 802.1X networks.
USER = "someone@example.org"


@dataclasses.dataclass(frozen=True)
class Radio:
    number: int
    phy: str
    interface: str

    @property
    def subnet(self):
        return f"10.77.{self.number}"

    @property
    def channel(self):
        return 1 + 5 * (self.number % 3)


@dataclasses.dataclass(frozen=True)
class AccessPoint:
    ssid: bytes
    security: str = "open"
    password: str | None = None
    hidden: bool = False
    # An association is refused: "filter" by the station's address, "full" for want of room.
    refuses: str | None = None
    dhcp: bool = True
    # Somebody has the address 10.77.N.10, of which a server without caution makes leases.
    conflict: bool = False
    # What is behind it: "none", "portal" or "full".
    internet: str = "none"

    def hostapd(self, radio):
        """The access point's configuration for hostapd."""
        if self.security == "owe-transition":
            # The open network names the protected one, and the other way round.
            return "\n".join([
                *self._radio(radio), *self._network(self.ssid, "open", False),
                f"owe_transition_ifname={radio.interface}x",
                f"bss={radio.interface}x", f"bssid=02:77:00:00:{radio.number:02x}:01",
                *self._network(b"protected " + self.ssid, "owe", True),
                f"owe_transition_ifname={radio.interface}"]) + "\n"
        lines = [*self._radio(radio), *self._network(self.ssid, self.security, self.hidden)]
        if self.refuses == "filter":
            # It does not answer to probes either: enough beacons for every scan to hear one.
            lines += ["macaddr_acl=1", "beacon_int=20"]
        elif self.refuses == "full":
            lines += ["max_num_sta=0"]
        return "\n".join(lines) + "\n"

    @staticmethod
    def _radio(radio):
        return [f"interface={radio.interface}", "driver=nl80211", "hw_mode=g",
                f"channel={radio.channel}"]

    def _network(self, ssid, security, hidden):
        lines = [f"ssid2={ssid.hex()}", "utf8_ssid=1", f"ignore_broadcast_ssid={hidden:d}"]
        if security == "open":
            return lines
        if security == "wep":
            return lines + ["wep_default_key=0", f'wep_key0="{self.password}"']
        keys, protection = {
            "owe": ("OWE", 2), "wpa2": ("WPA-PSK", 0), "wpa2-wpa3": ("WPA-PSK SAE", 1),
            "wpa3": ("SAE", 2), "wpa2-enterprise": ("WPA-EAP", 0),
        }[security]
        # No handshake message is ever lost here, but a slow machine may answer after hostapd
        # has sent it again, and the handshake then fails.
        lines += ["wpa=2", "rsn_pairwise=CCMP", f"wpa_key_mgmt={keys}",
                  f"ieee80211w={protection}", "wpa_pairwise_update_count=1"]
        if "PSK" in keys:
            # 64 digits are the key itself.
            key = "wpa_psk" if len(self.password) == 64 else "wpa_passphrase"
            lines.append(f"{key}={self.password}")
        if "SAE" in keys:
            lines.append(f"sae_password={self.password}")
        if "EAP" in keys:
            lines += self._authentication_server()
        return lines

    def _authentication_server(self):
        """hostapd's own: any method, and one user with the access point's password."""
        authority, _ = certificates.authority().write(FOLDER)
        certificate, key = certificates.server().write(FOLDER)
        users = f"{FOLDER}/{self.ssid.hex()}.users"
        with open(users, "w") as file:
            file.write(f'* PEAP,TTLS,TLS\n"{USER}" MSCHAPV2,GTC,TTLS-PAP,TTLS-MSCHAPV2 '
                       f'"{self.password}" [2]\n')
        return ["ieee8021x=1", "eapol_version=2", "eap_server=1", f"eap_user_file={users}",
                f"ca_cert={authority}", f"server_cert={certificate}", f"private_key={key}"]


class Air:
    """Puts access points on the air: hostapd and dnsmasq on each radio but the first, which is the
    device's station."""

    def __init__(self, radios):
        self.station, *self._free = radios
        self._shown = {}

    async def prepare(self):
        await run("ip", "netns", "add", NAMESPACE)
        await run(*INSIDE, "ip", "link", "set", "lo", "up")
        for radio in self._free:
            await run("iw", "phy", radio.phy, "set", "netns", "name", NAMESPACE)

    async def show(self, wanted):
        """Makes exactly the `wanted` access points visible; those that already are stay."""
        for access_point in set(self._shown) - set(wanted):
            await self.hide(access_point)
        for access_point in wanted:
            if access_point not in self._shown:
                await self._start(access_point)

    def radio(self, access_point):
        """The radio of a shown access point."""
        return self._shown[access_point][0]

    async def _start(self, access_point):
        radio = self._free.pop()
        os.makedirs(FOLDER, exist_ok=True)
        configuration = f"{FOLDER}/{radio.interface}.conf"
        with open(configuration, "w") as file:
            file.write(access_point.hostapd(radio))
        # It computes while mac80211 waits for 200 ms at most, and then asks again: on a slow machine
        # hostapd would answer both times, and begin the handshake anew in the middle of it.
        hostapd = Service(f"hostapd-{radio.interface}", "nice", "-n", "-20", *INSIDE, "hostapd",
                          configuration)
        self._shown[access_point] = (radio, [hostapd])
        await hostapd.start()
        await hostapd.said("AP-ENABLED", 15)
        await self._serve(access_point, radio.interface, radio.subnet)
        if access_point.security == "owe-transition":
            await self._serve(access_point, radio.interface + "x", f"10.78.{radio.number}")

    async def _serve(self, access_point, interface, subnet):
        """Gives addresses to stations, and answers what they ask of the Internet."""
        _, services = self._shown[access_point]
        await run(*INSIDE, "ip", "address", "replace", f"{subnet}.1/24", "dev", interface)
        if access_point.conflict:
            await run(*INSIDE, "ip", "address", "replace", f"{subnet}.10/24", "dev", interface)
        if access_point.dhcp:
            leased = f"{subnet}.10,{subnet}.200"
            options = []
            if access_point.conflict:
                leased, options = f"{subnet}.10,{subnet}.10", ["--no-ping", "--dhcp-broadcast"]
            if access_point.internet != "none":
                # A portal's name server leads everybody to the portal.
                options += [f"--address=/#/{subnet}.1", "--no-resolv", "--no-hosts"]
            else:
                options += ["--port=0"]
            dnsmasq = Service(
                f"dnsmasq-{interface}", *INSIDE, "dnsmasq", "--keep-in-foreground",
                "--log-facility=-", "--conf-file=/dev/null", "--bind-interfaces",
                "--except-interface=lo", f"--interface={interface}", "--dhcp-authoritative",
                f"--dhcp-leasefile={self._leases(interface)}",
                f"--dhcp-range={leased},255.255.255.0,1h", *options)
            await dnsmasq.start()
            services.append(dnsmasq)
        if access_point.internet != "none":
            web = Service(f"web-{interface}", *INSIDE, "/usr/bin/python3",
                          "/host/harness/portal.py", f"{subnet}.1", access_point.internet)
            await web.start()
            await web.said("listening", 20)
            services.append(web)

    async def forget_leases(self):
        """Lets the shown access points meet the board as one that they have never seen: dnsmasq
        then looks for three seconds whether somebody else has the address."""
        for _, services in self._shown.values():
            for dnsmasq in services:
                if dnsmasq.name.startswith("dnsmasq"):
                    await dnsmasq.stop()
                    with contextlib.suppress(FileNotFoundError):
                        os.remove(self._leases(dnsmasq.name.removeprefix("dnsmasq-")))
                    await dnsmasq.start()

    @staticmethod
    def _leases(interface):
        return f"{FOLDER}/{interface}.leases"

    async def hide(self, access_point):
        """Takes the access point off the air."""
        radio, services = self._shown.pop(access_point)
        for service in reversed(services):
            await service.stop()
        await run(*INSIDE, "ip", "address", "flush", "dev", radio.interface)
        self._free.append(radio)

    # Radios as further stations of the device

    async def lend(self):
        """Makes a free radio one more station of the device."""
        radio = self._free.pop(0)
        await run(*INSIDE, "iw", "phy", radio.phy, "set", "netns", "1")
        return radio

    async def take_back(self, radio):
        await run("iw", "phy", radio.phy, "set", "netns", "name", NAMESPACE)
        self._free.insert(0, radio)
