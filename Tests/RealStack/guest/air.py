"""The access points of the guest, in a network namespace of their own."""

import contextlib
import dataclasses
import os

from service import Service, run

NAMESPACE = "air"


@dataclasses.dataclass(frozen=True)
class Radio:
    number: int
    phy: str
    interface: str


@dataclasses.dataclass(frozen=True)
class AccessPoint:
    ssid: bytes
    security: str = "open"
    password: str | None = None
    hidden: bool = False
    dhcp: bool = True

    def hostapd(self, interface, channel):
        """The access point's configuration for hostapd."""
        lines = [
            f"interface={interface}", "driver=nl80211", "hw_mode=g", f"channel={channel}",
            f"ssid2={self.ssid.hex()}", "utf8_ssid=1", f"ignore_broadcast_ssid={self.hidden:d}",
        ]
        if self.security != "open":
            keys, protection = {
                "owe": ("OWE", 2), "wpa2": ("WPA-PSK", 0), "wpa2-wpa3": ("WPA-PSK SAE", 1),
                "wpa3": ("SAE", 2),
            }[self.security]
            # No handshake message is ever lost here, but a slow machine may answer after hostapd
            # has sent it again, and the handshake then fails.
            lines += ["wpa=2", "rsn_pairwise=CCMP", f"wpa_key_mgmt={keys}",
                      f"ieee80211w={protection}", "wpa_pairwise_update_count=1"]
            if "PSK" in keys:
                lines.append(f"wpa_passphrase={self.password}")
            if "SAE" in keys:
                lines.append(f"sae_password={self.password}")
        return "\n".join(lines) + "\n"


class Air:
    """Puts access points on the air: hostapd and dnsmasq on each radio but the first, which is the
    device's station."""

    def __init__(self, radios):
        self.station, *self._free = radios
        self._shown = {}

    async def prepare(self):
        await run("ip", "netns", "add", NAMESPACE)
        for radio in self._free:
            await run("iw", "phy", radio.phy, "set", "netns", "name", NAMESPACE)

    async def show(self, wanted):
        """Makes exactly the `wanted` access points visible; those that already are stay."""
        for access_point in set(self._shown) - set(wanted):
            await self._hide(access_point)
        for access_point in wanted:
            if access_point not in self._shown:
                await self._start(access_point)

    async def _start(self, access_point):
        radio = self._free.pop()
        inside = ("ip", "netns", "exec", NAMESPACE)
        subnet = f"10.77.{radio.number}"
        os.makedirs("/run/air", exist_ok=True)
        configuration = f"/run/air/{radio.interface}.conf"
        with open(configuration, "w") as file:
            file.write(access_point.hostapd(radio.interface, 1 + 5 * (radio.number % 3)))
        hostapd = Service(f"hostapd-{radio.interface}", *inside, "hostapd", configuration)
        services = [hostapd]
        self._shown[access_point] = (radio, services)
        await hostapd.start()
        await hostapd.said("AP-ENABLED", 15)
        if access_point.dhcp:
            await run(*inside, "ip", "address", "replace", f"{subnet}.1/24", "dev",
                      radio.interface)
            dnsmasq = Service(
                f"dnsmasq-{radio.interface}", *inside, "dnsmasq", "--keep-in-foreground",
                "--log-facility=-", "--port=0", "--conf-file=/dev/null", "--bind-interfaces",
                f"--interface={radio.interface}", "--dhcp-authoritative",
                f"--dhcp-leasefile={self._leases(radio)}",
                f"--dhcp-range={subnet}.10,{subnet}.200,255.255.255.0,1h")
            await dnsmasq.start()
            services.append(dnsmasq)

    async def forget_leases(self):
        """Lets the shown access points meet the board as one that they have never seen: dnsmasq
        then looks for three seconds whether somebody else has the address."""
        for radio, services in self._shown.values():
            for dnsmasq in services[1:]:
                await dnsmasq.stop()
                with contextlib.suppress(FileNotFoundError):
                    os.remove(self._leases(radio))
                await dnsmasq.start()

    @staticmethod
    def _leases(radio):
        return f"/run/air/{radio.interface}.leases"

    async def _hide(self, access_point):
        radio, services = self._shown.pop(access_point)
        for service in reversed(services):
            await service.stop()
        await run("ip", "netns", "exec", NAMESPACE, "ip", "address", "flush", "dev",
                  radio.interface)
        self._free.append(radio)
