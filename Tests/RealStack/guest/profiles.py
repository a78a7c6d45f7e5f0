"""NetworkManager's profiles as a whole: what it tells of them, and its files."""

import hashlib
import os

from bus import CallError

NETWORK_MANAGER = "org.freedesktop.NetworkManager"
SETTINGS = "/org/freedesktop/NetworkManager/Settings"
CONNECTION = NETWORK_MANAGER + ".Settings.Connection"
FOLDERS = ("/etc/NetworkManager/system-connections", "/run/NetworkManager/system-connections")
# What NetworkManager notes beside a profile when it is used.
NOTES = {"connection": ("timestamp",), "802-11-wireless": ("seen-bssids",)}


class ProfileTable:
    """All profiles by UUID, without secrets, and all files, with them, by path."""

    def __init__(self, profiles, files):
        self.profiles = profiles
        self.files = files

    @classmethod
    async def read(cls, bus):
        profiles = {}
        for path in (await bus.call(NETWORK_MANAGER, SETTINGS, NETWORK_MANAGER + ".Settings",
                                    "ListConnections"))[0]:
            try:
                settings = (await bus.call(NETWORK_MANAGER, path, CONNECTION, "GetSettings"))[0]
            except CallError:
                # It went away meanwhile.
                continue
            if settings["connection"]["type"] == "loopback":
                # NetworkManager makes it anew whenever it starts.
                continue
            for setting, names in NOTES.items():
                for name in names:
                    settings.get(setting, {}).pop(name, None)
            profiles[settings["connection"]["uuid"]] = settings
        return cls(profiles, dict(_files()))

    def __eq__(self, other):
        return self.profiles == other.profiles and self.files == other.files

    def of(self, ssid):
        """The UUIDs of the SSID's profiles."""
        return {uuid for uuid, settings in self.profiles.items()
                if bytes(settings.get("802-11-wireless", {}).get("ssid", b"")) == ssid}

    def differences(self, other):
        """What a person wants to know of another table that should be equal."""
        words = []
        for kind, before, after in (("profile", self.profiles, other.profiles),
                                    ("file", self.files, other.files)):
            words += [f"{kind} {name} is gone" for name in before.keys() - after.keys()]
            words += [f"{kind} {name} is new" for name in after.keys() - before.keys()]
            words += [f"{kind} {name} was {before[name]}, is {after[name]}"
                      for name in before.keys() & after.keys() if before[name] != after[name]]
        return "; ".join(words)


def _files():
    for folder in FOLDERS:
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = f"{folder}/{name}"
            # NetworkManager leaves the certificates of volatile profiles there until the next boot.
            if path.startswith("/run/") and (name.endswith(".pem") or name == "lo.nmconnection"):
                continue
            try:
                status = os.stat(path)
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            except FileNotFoundError:
                continue
            yield path, (oct(status.st_mode), status.st_uid, status.st_gid, content)
