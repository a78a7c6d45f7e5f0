"""An advertisement without content, for controllers that only have to be found."""

from dbus_fast import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_property, method


class Advertisement(ServiceInterface):
    PATH = "/advertisement"

    def __init__(self):
        super().__init__("org.bluez.LEAdvertisement1")

    @dbus_property(access=PropertyAccess.READ)
    def Type(self) -> "s":  # noqa: F821
        return "peripheral"

    @dbus_property(access=PropertyAccess.READ)
    def Discoverable(self) -> "b":  # noqa: F821
        return True

    @method()
    def Release(self):
        pass
