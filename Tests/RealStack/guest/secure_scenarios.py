"""The scenarios of the secure profile: who listens, guesses, sits in between, replays, interrupts."""

import asyncio
import re

import central
import secure
from air import AccessPoint
from att import SmallCentral
from bleak.exc import BleakGATTProtocolError
from capture import captured
from relay import relayed
from room import CODE, Failure, expect
from scenarios import HOME
from secure import WrongCode
from service import LOGS
from session import Session

ALL = {}

# Nothing else in the air holds these by chance.
SECLUDED = AccessPoint(b"Secluded cottage", "wpa2", "nobody may hear this")
SECRETS = {"the SSID": SECLUDED.ssid, "the password": SECLUDED.password.encode(),
           "the setup code": CODE.replace("-", "").encode(), "its label": CODE.encode()}
ANOTHER_CODE = "271-828-189"


def scenario(function):
    ALL[function.__name__.replace("_", "-")] = function
    return function


@scenario
async def another_implementation_agrees_with_the_vectors(room):
    room.told = await asyncio.to_thread(secure.check_vectors)


@scenario
async def foreign_central_over_secure_session(room):
    await room.start(HOME)
    async with room.session() as foreign:
        info = await foreign.ask("info")
        expect({"info", "scan", "provision", "status"} <= set(info[0]), True,
               f"the methods of {info}")
        expect(1 in info, False, f"an obstacle in {info}")
        expect(str((await foreign.status())[0]), "idle", "the status before")
        heard = [network for network in await foreign.pages("scan") if network[0] == HOME.ssid]
        expect([network[1] for network in heard], ["wpa-psk"], "the security of the network")
        outcome = await foreign.provision(HOME.ssid, b"wrong password")
        expect(str(outcome), "failed wrong-password", "the outcome with a wrong password")
        outcome = await foreign.provision(HOME.ssid, HOME.password.encode())
        expect(str(outcome), "connected", "the outcome with the right password")
        states = [status.state for status in foreign.told]
        for state in ("preparing", "associating", "obtaining-address"):
            expect(state in states, True, f"{state} among {states}")
        status, rest = await foreign.status()
        expect((str(status), status.address, rest[1]), ("connected", outcome.address, HOME.ssid),
               "the status afterwards")
        await room.joined(HOME.ssid)
        (kept,) = await foreign.pages("list")
        expect((kept[0], kept[2], kept[3]), (HOME.ssid, True, True), "the network that is kept")
        expect((await foreign.ask("forget", {0: HOME.ssid}))[0], 1, "the profiles forgotten")
        await room.left_alone()


@scenario
async def secure_session_at_mtu_23(room):
    await room.start(HOME)
    async with SmallCentral(1, 0) as small:
        session = Session(small)
        await session.open(CODE)
        outcome = await session.provision(HOME.ssid, HOME.password.encode())
        room.told = list(map(str, session.told))
        expect(str(outcome), "connected", "the outcome")
    await room.joined(HOME.ssid)


@scenario
async def nothing_secret_is_to_be_heard(room):
    # The plain profile shows that the search finds what there is.
    for security, heard in (("open", ("the SSID", "the password")), ("code", ())):
        await room.start(SECLUDED, security=security)
        async with captured(f"{LOGS}/{room.name}-{security}.btsnoop") as air:
            await room.connects(SECLUDED)
        expect(b"Virtual" in air, True, f"{security}: the device information was heard")
        for what, secret in SECRETS.items():
            expect(secret in air, what in heard, f"{security}: {what} was heard")
        await room.daemon.stop()
        await room.stack.forget_networks()


@scenario
async def wrong_code_then_the_right_one(room):
    await room.start(HOME)
    command = await room.provision(
        "connect", "{device}", "--code", ANOTHER_CODE, "--ssid", "Home", "--password-stdin",
        stdin=HOME.password)
    room.told.append(command.message)
    expect((command.exit, command.message), (7, "Wrong setup code, 4 attempts left."),
           "with the code of another device")
    await room.left_alone()
    await room.connects(HOME)


@scenario
async def lock_out_survives_sigkill(room):
    await room.start()
    async with room.session(code=None) as guesser:
        await guesser.prepare()
        try:
            await guesser.begin((1, 1))
        except WrongCode:
            # The device has spoken; it has not heard yet that the guess was wrong.
            await room.kill_daemon()
    command = await room.provision("status", "{device}", "--code", ANOTHER_CODE)
    room.told.append(command.message)
    expect((command.exit, command.message), (7, "Wrong setup code, 3 attempts left."),
           "the second guess, after SIGKILL during the first")
    async with room.session(code=None) as guesser:
        await guesser.prepare()
        for left in (2, 1, 0):
            expect(str(await guesser.guess()), f"abort {secure.WRONG_CODE} {left:02x}",
                   "the answer to a guess")
        expect((await guesser.guess()).reason, secure.LOCKED_OUT, "the answer to the sixth guess")
    await _locked(room, "a lock-out")
    # On the air again after the disconnection: where the daemon dies before that, the controller
    # may stay silent under the next one.
    await central.find("hci1")
    await room.kill_daemon()
    await _locked(room, "a lock-out after SIGKILL")
    await room.at_board("open")
    command = await room.provision("status", "{device}", "--code", "{code}")
    expect((command.exit, command.last), (0, ("idle", "none")), "after ‘wifi-provisiond open’")


async def _locked(room, what):
    command = await room.provision("status", "{device}", "--code", "{code}")
    expect(command.exit, 8, f"{what}: exit status")
    seconds = re.search(r"locked for (\d+) s", command.message)
    if not seconds or not 0 < int(seconds[1]) <= 30:
        raise Failure(f"{what}: the seconds in '{command.message}'")
    room.told.append(f"locked for {seconds[1]} s")


@scenario
async def man_in_the_middle(room):
    await room.start(SECLUDED)
    async with relayed(room.stack) as relay:
        genuine = relay.information
        for wanted, changed in ((7, genuine.replace(b"Virtual", b"Virtuel")),
                                (6, genuine.replace(b"\x66secure", b"\x65plain"))):
            expect(changed != genuine, True, "something was changed")
            relay.information = changed
            command = await room.connect(SECLUDED, device=relay.address)
            expect(command.exit, wanted, f"exit status with {changed}")
            room.told.append(command.message)
            expect(relay.kinds, [secure.SHARE, secure.ABORT], "what the provisioner sent so far")
        await room.left_alone()

        relay.information = genuine
        relay.written.clear()
        command = await room.connect(SECLUDED, device=relay.address)
        expect((command.exit, command.last), (0, ("connected", "none")), "without any change")
        expect((relay.kinds[:2], set(relay.kinds[2:])),
               ([secure.SHARE, secure.PROOF], {secure.SEALED}), "what the provisioner sent")
        for what, secret in SECRETS.items():
            expect(secret in relay, False, f"{what} was relayed")
    await room.joined(SECLUDED.ssid)


@scenario
async def replayed_messages(room):
    await room.start()
    async with room.session() as session:
        number, request = await session.request("status")
        await session.result(number)
        await session.send(request)
        expect(str(await session.aborted()), f"abort {secure.MALFORMED}",
               "the answer to a request that came again")

        # Whoever heard the whole session has nothing that the next one takes.
        await session.share()
        await session.receive()
        await session.prove()
        expect(str(await session.aborted()), f"abort {secure.WRONG_CODE} 04",
               "the answer to a proof that came again")

        await session.open(CODE)
        expect(str((await session.status())[0]), "idle", "the status in a session of its own")
        room.told = ["abort 1", "abort 2", "idle"]


@scenario
async def second_central_during_the_handshake(room):
    async with central.several(room.stack, 2):
        await room.start()
        async with room.session(code=None) as first, room.session("hci2", None) as second:
            await first.prepare()
            await second.prepare()
            secret = await asyncio.to_thread(first.information.stretched, CODE)
            await first.begin(secret)
            share = secure.Handshake(second.information, secret).share
            try:
                await second.send(share)
            except BleakGATTProtocolError as refusal:
                expect(int(refusal.code), 0x80, "the ATT error of the second central")
            else:
                raise Failure("the second central was let in")
            await first.prove()
            expect(str((await first.status())[0]), "idle", "the first central's status")
        # Whoever comes next has a session.
        async with room.session() as next_one:
            expect(str((await next_one.status())[0]), "idle", "the next central's status")
    room.told = ["ATT error 0x80", "idle"]
