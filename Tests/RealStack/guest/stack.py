"""The guest's services, from the bus up to NetworkManager."""

import asyncio
import contextlib
import glob
import os

from advertisement import Advertisement
from air import NAMESPACE, Air, Radio
from bus import Bus, CallError
from controllers import Controllers
from service import Service, run

BLUEZ = "org.bluez"
ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
ADVERTISING = "org.bluez.LEAdvertisingManager1"
SUPPLICANT = "fi.w1.wpa_supplicant1"
NETWORK_MANAGER = "org.freedesktop.NetworkManager"
NM_PATH = "/org/freedesktop/NetworkManager"
NM_DEVICE = NETWORK_MANAGER + ".Device"
NM_ACCESS_POINT = NETWORK_MANAGER + ".AccessPoint"
NM_CONNECTION = NETWORK_MANAGER + ".Settings.Connection"

# One controller is the device's, the others are centrals. Three of them at once take two more: see
# central.several.
CONTROLLERS = 6
# One radio is the device's station, the others are access points.
RADIOS = 4
STATION = "wlan0"

# A third of NetworkManager's own limit: the guest's DHCP server answers in a second, or never.
NETWORK_MANAGER_SETTINGS = ("/etc/NetworkManager/conf.d/real-stack.conf",
                            "[connection]\nipv4.dhcp-timeout=15\n")

BLUEZ_SETTINGS = "/etc/bluetooth/main.conf"

# Makes mac80211_hwsim's own regulatory domain the one in force. In the usual one most channels are
# scanned passively, and a scan takes four times as long.
QUICK_SCANS = "regtest=5"


class Stack:
    """Starts the services in the order that works, and stops and starts single ones for tests."""

    def __init__(self):
        self.bus = None
        self.air = None
        self.controllers = Controllers(CONTROLLERS)
        self.bluetoothd = Service("bluetoothd", "/usr/libexec/bluetooth/bluetoothd", "-n")
        self.wpa_supplicant = Service("wpa_supplicant", "wpa_supplicant", "-u", "-s")
        self.network_manager = Service("NetworkManager", "NetworkManager", "--debug")
        self._others = []
        self._configured = False

    async def start(self):
        os.makedirs("/run/dbus", exist_ok=True)
        await run("ip", "link", "set", "lo", "up")
        with open("/etc/machine-id", "w") as file:
            file.write(await run("dbus-uuidgen"))
        await self._background("dbus", "dbus-daemon", "--system", "--nofork", "--nopidfile",
                               "--print-address", ready="unix:")
        await self._background("udevd", "/usr/lib/systemd/systemd-udevd")
        await run("modprobe", "-a", "hci_vhci", "uhid")
        await run("modprobe", "mac80211_hwsim", f"radios={RADIOS}", QUICK_SCANS)
        self.bus = await Bus.open()
        self.bus.export(Advertisement.PATH, Advertisement())
        with open(NETWORK_MANAGER_SETTINGS[0], "w") as file:
            file.write(NETWORK_MANAGER_SETTINGS[1])

        await run("udevadm", "trigger", "--subsystem-match=net", "--subsystem-match=rfkill")
        await run("udevadm", "settle")
        await self.controllers.start()
        self.air = Air(self._radios())
        await self.air.prepare()
        await self.wpa_supplicant.start()
        await self.bus.until(lambda: self.bus.owned(SUPPLICANT), 20, "wpa_supplicant")
        await asyncio.gather(self.start_bluetoothd(), self.start_network_manager())

    async def _background(self, name, *command, ready=None):
        service = Service(name, *command)
        self._others.append(service)
        await service.start()
        if ready:
            await service.said(ready, 20)

    def _radios(self):
        found = []
        for number, path in enumerate(sorted(glob.glob("/sys/class/ieee80211/phy*"))):
            interface = sorted(os.listdir(f"{path}/device/net"))[0]
            found.append(Radio(number, os.path.basename(path), interface))
        return found

    async def restore(self):
        """Brings back every service that a scenario took away, and forgets what it left behind."""
        await self.return_station()
        if not await self.bus.owned(NETWORK_MANAGER):
            await self.start_network_manager()
        if self._configured:
            self._configured = False
            os.remove(BLUEZ_SETTINGS)
            os.rename(BLUEZ_SETTINGS + ".kept", BLUEZ_SETTINGS)
            await self.stop_bluetoothd()
        if not await self.bus.owned(BLUEZ):
            await self.start_bluetoothd()
        await self.return_controllers()
        for number in range(CONTROLLERS):
            if not await self.bus.get(BLUEZ, f"/org/bluez/hci{number}", ADAPTER, "Powered"):
                await self.power(f"hci{number}", True)
        await self.forget_devices()
        await self.forget_checkpoints()
        await self.forget_networks()

    def mark(self, text):
        """Writes a line into the log of every service."""
        for service in (self.bluetoothd, self.wpa_supplicant, self.network_manager):
            service.note(text)

    # Bluetooth

    async def start_bluetoothd(self):
        await self.bluetoothd.start()
        await self.bus.until(self._adapters_powered, 60, "powered Bluetooth adapters")

    async def configure_bluetoothd(self, settings):
        """Restarts bluetoothd with a configuration of its own, until the end of the scenario."""
        os.rename(BLUEZ_SETTINGS, BLUEZ_SETTINGS + ".kept")
        self._configured = True
        with open(BLUEZ_SETTINGS, "w") as file:
            file.write(settings)
        await self.stop_bluetoothd()
        await self.start_bluetoothd()

    async def stop_bluetoothd(self):
        await self.bluetoothd.stop()
        await self.bus.until(self._without(BLUEZ), 10, "the end of bluetoothd")

    async def _adapters_powered(self):
        adapters = [interfaces for interfaces in (await self.bus.objects(BLUEZ)).values()
                    if ADAPTER in interfaces and ADVERTISING in interfaces]
        return (len(adapters) == CONTROLLERS
                and all(adapter[ADAPTER]["Powered"] for adapter in adapters))

    async def take_controllers(self):
        await self.controllers.stop()
        async def gone():
            return not any(ADAPTER in interfaces
                           for interfaces in (await self.bus.objects(BLUEZ)).values())
        await self.bus.until(gone, 20, "the adapters' end")

    async def return_controllers(self):
        if not self.controllers.running:
            await self.controllers.start()
            await self.bus.until(self._adapters_powered, 60, "powered Bluetooth adapters")

    async def disconnected(self, adapter):
        """Waits until the adapter has no link."""
        async def alone():
            return not any(interfaces[DEVICE]["Connected"]
                           for interfaces in (await self.bus.objects(BLUEZ)).values()
                           if interfaces.get(DEVICE, {}).get("Adapter") == f"/org/bluez/{adapter}")
        await self.bus.until(alone, 30, f"the end of the links of {adapter}")

    async def power(self, adapter, on):
        await self.bus.set(BLUEZ, f"/org/bluez/{adapter}", ADAPTER, "Powered", "b", on)

    async def advertised(self, adapter="hci0", seconds=20):
        """Waits until BlueZ has one advertisement active on the adapter."""
        async def active():
            return await self.bus.get(BLUEZ, f"/org/bluez/{adapter}", ADVERTISING,
                                      "ActiveInstances")
        await self.bus.until(active, seconds, f"an advertisement on {adapter}")

    async def not_advertised(self, adapter="hci0", seconds=20):
        """Waits until BlueZ has no advertisement on the adapter."""
        async def inactive():
            return not await self.bus.get(BLUEZ, f"/org/bluez/{adapter}", ADVERTISING,
                                          "ActiveInstances")
        await self.bus.until(inactive, seconds, f"the end of the advertisement on {adapter}")

    @contextlib.asynccontextmanager
    async def advertising(self, adapter, path=Advertisement.PATH):
        """Makes the controller be found and connected to, with the exported advertisement."""
        manager = (BLUEZ, f"/org/bluez/{adapter}", ADVERTISING)
        await self.bus.call(*manager, "RegisterAdvertisement", "oa{sv}", path, {})
        yield
        await self.bus.call(*manager, "UnregisterAdvertisement", "o", path)

    async def forget_devices(self):
        """Removes what the adapters know of each other, links included."""
        for path, interfaces in (await self.bus.objects(BLUEZ)).items():
            if DEVICE in interfaces:
                await self.bus.call(BLUEZ, interfaces[DEVICE]["Adapter"], ADAPTER, "RemoveDevice",
                                    "o", path)

    # Wi-Fi

    async def start_network_manager(self, idle=True):
        """Starts NetworkManager; `idle` says that it has no network to join by itself."""
        await self.network_manager.start()
        await self.bus.until(self.station, 30, "NetworkManager's Wi-Fi device")
        if idle:
            await self.station_idle()

    async def stop_network_manager(self):
        await self.network_manager.stop()
        await self.bus.until(self._without(NETWORK_MANAGER), 10, "the end of NetworkManager")

    async def station(self, interface=STATION):
        """The object path of the device's Wi-Fi station."""
        return (await self.bus.call(NETWORK_MANAGER, NM_PATH, NETWORK_MANAGER,
                                    "GetDeviceByIpIface", "s", interface))[0]

    async def station_state(self, interface=STATION):
        return await self.bus.get(NETWORK_MANAGER, await self.station(interface), NM_DEVICE,
                                  "State")

    async def station_idle(self):
        async def idle():
            return await self.station_state() == 30
        await self.bus.until(idle, 30, "an idle Wi-Fi device")

    async def wifi_profiles(self):
        """NetworkManager's Wi-Fi profiles: object path to settings, without secrets."""
        found = {}
        for path in (await self.bus.call(NETWORK_MANAGER, NM_PATH + "/Settings",
                                         NETWORK_MANAGER + ".Settings", "ListConnections"))[0]:
            settings = (await self.bus.call(NETWORK_MANAGER, path, NM_CONNECTION,
                                            "GetSettings"))[0]
            if settings["connection"]["type"] == "802-11-wireless":
                found[path] = settings
        return found

    async def station_joined(self, ssid=None, seconds=60):
        """Waits until the station is in a network, or in that of the SSID."""
        async def joined():
            station = await self.station()
            if await self.bus.get(NETWORK_MANAGER, station, NM_DEVICE, "State") != 100:
                return False
            if ssid is None:
                return True
            access_point = await self.bus.get(NETWORK_MANAGER, station, NM_DEVICE + ".Wireless",
                                              "ActiveAccessPoint")
            return bytes(await self.bus.get(NETWORK_MANAGER, access_point, NM_ACCESS_POINT,
                                            "Ssid")) == ssid
        await self.bus.until(joined, seconds, "a network for the Wi-Fi device")

    async def forget_networks(self):
        for path in await self.wifi_profiles():
            await self.bus.call(NETWORK_MANAGER, path, NM_CONNECTION, "Delete")
        await self.station_idle()

    async def scanned(self):
        """Has NetworkManager scan, so that every activation begins alike: with networks that were
        heard just now, and that wpa_supplicant need not look for again."""
        wireless = (NETWORK_MANAGER, await self.station(), NM_DEVICE + ".Wireless")
        before = await self.bus.get(*wireless, "LastScan")
        await self.bus.call(*wireless, "RequestScan", "a{sv}", {})

        async def scanned():
            return await self.bus.get(*wireless, "LastScan") != before
        await self.bus.until(scanned, 30, "NetworkManager's scan")

    async def forget_checkpoints(self):
        """Destroys those that a killed daemon left: they would bring back what is forgotten."""
        manager = (NETWORK_MANAGER, NM_PATH, NETWORK_MANAGER)
        for checkpoint in await self.bus.get(*manager, "Checkpoints"):
            await self.bus.call(*manager, "CheckpointDestroy", "o", checkpoint)

    async def take_station(self):
        """Takes the device's Wi-Fi radio away from it."""
        await run("iw", "phy", self.air.station.phy, "set", "netns", "name", NAMESPACE)
        async def gone():
            try:
                return not await self.station()
            except CallError:
                return True
        await self.bus.until(gone, 20, "the Wi-Fi device's end")

    async def return_station(self):
        if not os.path.exists(f"/sys/class/net/{STATION}"):
            await run("ip", "netns", "exec", NAMESPACE, "iw", "phy", self.air.station.phy, "set",
                      "netns", "1")
            await self.bus.until(self.station, 20, "the Wi-Fi device's return")
            await self.station_idle()

    def _without(self, name):
        async def gone():
            return not await self.bus.owned(name)
        return gone
