"""A secure session of a foreign central: the handshake, requests and events over a link."""

import asyncio

import central
import secure


class Aborted(Exception):
    """The device ended the session: the reason, and what belongs to it."""

    def __init__(self, message):
        self.reason = message[1]
        self.rest = message[2:]
        super().__init__(f"abort {self.reason}{' ' + self.rest.hex() if self.rest else ''}")


class Refused(Exception):
    """The device answered a request with a failure."""

    def __init__(self, error):
        self.reason = central.REASONS[error[0]]
        super().__init__(f"{self.reason}: {error[1]}")


class BleakLink:
    """A bleak client, with what att.SmallCentral offers, too."""

    def __init__(self, connected):
        self._client = connected.client
        self._notifications = asyncio.Queue()

    def limit(self, short):
        characteristic = self._client.services.get_characteristic(central.uuid(short))
        return characteristic.max_write_without_response_size

    async def read(self, short):
        return bytes(await self._client.read_gatt_char(central.uuid(short)))

    async def write(self, short, value):
        await self._client.write_gatt_char(central.uuid(short), value, response=True)

    async def subscribe(self, short):
        await self._client.start_notify(
            central.uuid(short), lambda _, value: self._notifications.put_nowait(bytes(value)))

    async def notification(self, seconds=90):
        async with asyncio.timeout(seconds):
            return await self._notifications.get()


class Session:
    """What one central does with FF11 and FF12 of a board."""

    def __init__(self, link):
        self._link = link
        self._last_id = 0
        self.information = None
        self.handshake = None
        self.sealing = None
        # Of the events that were received.
        self.told = []

    async def prepare(self):
        """Reads what the device says of itself, and subscribes; once for a link."""
        if self.information is not None:
            return
        self.information = secure.DeviceInformation(await self._link.read("ff11"))
        await self._link.subscribe("ff12")

    async def open(self, code):
        """Everything up to the proof, from what the device says of itself."""
        await self.prepare()
        await self.begin(await asyncio.to_thread(self.information.stretched, code))
        await self.prove()

    async def begin(self, secret):
        """Message 01, and message 02 in answer; a guess, from the device's point of view."""
        self.handshake = secure.Handshake(self.information, secret)
        await self.share()
        self.sealing = self.handshake.answer(await self.receive())

    async def share(self):
        """Begins a session, in which the device's segments are counted from 0."""
        self._joiner, self._heard = secure.Joiner(from_device=True), []
        await self.send(self.handshake.share)

    async def prove(self):
        await self.send(self.handshake.proof)

    async def guess(self):
        """Spends a guess on a code that nobody has; returns what the device says to it."""
        try:
            await self.begin((1, 1))
        except secure.WrongCode:
            await self.send(bytes([secure.ABORT, secure.WRONG_CODE]))
        except Aborted as aborted:
            return aborted
        else:
            raise AssertionError("the device proved to know a code that nobody has")
        return await self.aborted()

    async def send(self, message):
        for segment in secure.segments(message, self._link.limit("ff12")):
            await self._link.write("ff12", segment)

    async def receive(self, seconds=90):
        """The next message; raises Aborted."""
        async with asyncio.timeout(seconds):
            while not self._heard:
                self._heard += self._joiner.sort(await self._link.notification(seconds))
        message = self._heard.pop(0)
        if message[0] == secure.ABORT:
            raise Aborted(message)
        return message

    async def aborted(self):
        """What the device ends the session with, which is the next that it says but for events."""
        try:
            while True:
                await self._receive_sealed()
        except Aborted as aborted:
            return aborted

    # Inside the session

    async def request(self, method, parameters=None):
        """Seals and sends a request; returns its id, and the message as it was sent."""
        self._last_id += 1
        content = {0: self._last_id, 1: method} | ({} if parameters is None else {2: parameters})
        message = self.sealing.seal(secure.encoded(content))
        await self.send(message)
        return self._last_id, message

    async def ask(self, method, parameters=None):
        """The result of a request; raises Refused."""
        number, _ = await self.request(method, parameters)
        return await self.result(number)

    async def result(self, number):
        while (content := await self._receive_sealed()).get(0) != number:
            if 0 in content:
                raise AssertionError(f"an answer to something else: {content}")
        if 4 in content:
            raise Refused(content[4])
        return content[3]

    async def pages(self, method):
        """All pages of a list."""
        found, index = [], 0
        while index is not None:
            page = await self.ask(method, {0: index} if index else None)
            found += page[0]
            index = page.get(1)
        return found

    async def begin_attempt(self, description):
        """Has the board join a network; returns the attempt's number, and what the device tells of
        the description's risks."""
        answer = await self.ask("provision", description)
        return answer[0], answer.get(1, [])

    async def next_status(self, attempt, wanted, seconds=130):
        """The first status of the attempt for which `wanted(status)` is true."""
        checked = 0
        async with asyncio.timeout(seconds):
            while True:
                for status in self.told[checked:]:
                    if status.attempt == attempt and wanted(status):
                        return status
                checked = len(self.told)
                content = await self._receive_sealed()
                if 0 in content:
                    raise AssertionError(f"an answer to something else: {content}")

    async def provision(self, ssid, password):
        """Has the board join the network; returns the final status, after its events."""
        attempt, _ = await self.begin_attempt({0: ssid, 2: password})
        return await self.next_status(attempt, lambda status: status.final)

    async def status(self):
        """The status, and the rest of the answer."""
        result = await self.ask("status")
        return central.Status(result[0]), result

    async def _receive_sealed(self):
        message = await self.receive()
        if self.sealing is None or message[0] != secure.SEALED:
            raise AssertionError(f"message {message[:1].hex()} instead of a sealed one")
        content = secure.decoded(self.sealing.open(message))
        if content.get(5) == "status":
            status = central.Status(content[2][0])
            # What only a secure session tells.
            status.details = content[2]
            self.told.append(status)
        return content
