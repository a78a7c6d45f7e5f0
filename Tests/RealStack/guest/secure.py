"""The provisioner's side of the secure profile, written from provisioning-spec/README.md alone.

It shares nothing with the programs under test; `check_vectors` holds it to what the specification
says of whole handshakes.
"""

import hashlib
import hmac
import json
import secrets

import cbor2
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from ecdsa import NIST256p
from ecdsa.ellipticcurve import INFINITY, PointJacobi

VECTORS = "/host/specification/vectors"

SHARE, SHARE_AND_PROOF, PROOF, ABORT, SEALED = 0x01, 0x02, 0x03, 0x0F, 0x10
MALFORMED, WRONG_CODE, LOCKED_OUT, BUSY, TIMED_OUT, NOT_ENABLED = range(1, 7)
LARGEST_MESSAGE, LARGEST_SEGMENT = 16384, 510
FIRST, LAST, NUMBER = 0x80, 0x40, 0x3F

PROVER = b"provisioner"
CURVE, ORDER = NIST256p.curve, NIST256p.order
GENERATOR = NIST256p.generator
POINT = 65


class Malformed(Exception):
    """What was received cannot be read, or does not fit what came before."""


class WrongCode(Exception):
    """The device's proof does not match."""


# Segments


def segments(message, limit):
    """The message, cut into segments of at most `limit` bytes."""
    limit = min(limit, LARGEST_SEGMENT)
    rest = len(message).to_bytes(2, "little") + message
    parts = [rest[start:start + limit - 1] for start in range(0, len(rest), limit - 1)]
    return [bytes([index & NUMBER | FIRST * (index == 0) | LAST * (index == len(parts) - 1)]) + part
            for index, part in enumerate(parts)]


class Joiner:
    """Puts messages together from their segments."""

    def __init__(self, from_device=False):
        # The device's segments have numbers that count on, and may come in another order.
        self._from_device = from_device
        self._next, self._early = 0, {}
        self._reset()

    def _reset(self):
        self._content, self._length = b"", None
        if not self._from_device:
            self._next = 0

    def sort(self, segment):
        """The messages that the device's segment, wherever it belongs, completes."""
        if not segment:
            raise Malformed("a segment without a header")
        number = segment[0] & NUMBER
        if (number - self._next) % 64 >= 32 or number in self._early:
            raise Malformed(f"segment {number} instead of {self._next & NUMBER}")
        self._early[number] = segment
        messages = []
        while (segment := self._early.pop(self._next & NUMBER, None)) is not None:
            messages.append(self.add(segment))
        return [message for message in messages if message is not None]

    def add(self, segment):
        """The message that the segment completes, or None; raises Malformed."""
        try:
            return self._add(bytes(segment))
        except Malformed:
            self._reset()
            raise

    def _add(self, segment):
        if not segment:
            raise Malformed("a segment without a header")
        header, content = segment[0], segment[1:]
        if bool(header & FIRST) != (self._length is None):
            raise Malformed("the first segment inside a message, or none at its start")
        if header & NUMBER != self._next & NUMBER:
            raise Malformed(f"segment {header & NUMBER} instead of {self._next & NUMBER}")
        if header & FIRST:
            if len(content) < 2:
                raise Malformed("a first segment without a length")
            self._length, content = int.from_bytes(content[:2], "little"), content[2:]
            if not 1 <= self._length <= LARGEST_MESSAGE:
                raise Malformed(f"a message of {self._length} bytes")
        if not content:
            raise Malformed("a segment without content")
        self._content += content
        self._next += 1
        if len(self._content) > self._length:
            raise Malformed("more bytes than announced")
        if (len(self._content) == self._length) != bool(header & LAST):
            raise Malformed("the last segment too early, or not marked")
        if not header & LAST:
            return None
        message = self._content
        self._reset()
        return message


# The handshake


def _decompressed(text):
    data = bytes.fromhex(text)
    x, p = int.from_bytes(data[1:], "big"), CURVE.p()
    y = pow(x**3 + CURVE.a() * x + CURVE.b(), (p + 1) // 4, p)
    return PointJacobi(CURVE, x, y if y % 2 == data[0] - 2 else p - y, 1, ORDER)


M = _decompressed("02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f")
N = _decompressed("03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49")


def _encoded(point):
    if point == INFINITY:
        raise Malformed("the identity")
    return b"\x04" + int(point.x()).to_bytes(32, "big") + int(point.y()).to_bytes(32, "big")


def _decoded(data):
    x, y = int.from_bytes(data[1:33], "big"), int.from_bytes(data[33:], "big")
    in_field = x < CURVE.p() and y < CURVE.p()
    if len(data) != POINT or data[0] != 4 or not in_field or not CURVE.contains_point(x, y):
        raise Malformed("a share that is not on the curve")
    return PointJacobi(CURVE, x, y, 1, ORDER)


def _with_length(part):
    return len(part).to_bytes(8, "little") + part


def _hkdf(key, info, count):
    extracted = hmac.digest(bytes(32), key, "sha256")
    block, output = b"", b""
    while len(output) < count:
        block = hmac.digest(extracted, block + info + bytes([len(output) // 32 + 1]), "sha256")
        output += block
    return output[:count]


class DeviceInformation:
    """The value of FF11."""

    def __init__(self, value):
        self.value = bytes(value)
        self.map = decoded(self.value)
        self.device = self.map[1]

    def stretched(self, code):
        """(w0, w1) of a setup code, such as 271-828-189; takes a while."""
        parameters = self.map[8]
        cost = parameters[1]
        if (cost not in (16384, 32768, 65536) or (parameters[2], parameters[3]) != (8, 1)
                or not 16 <= len(parameters[0]) <= 32):
            raise Malformed(f"scrypt with {parameters}")
        password = b"".join(map(_with_length, (code.replace("-", "").encode(), PROVER,
                                               self.device)))
        output = hashlib.scrypt(password, salt=parameters[0], n=cost, r=8, p=1, dklen=80,
                                maxmem=2 * 128 * 8 * cost)
        return tuple(int.from_bytes(half, "big") % ORDER for half in (output[:40], output[40:]))


class Handshake:
    """One handshake as the prover; `secret` is (w0, w1)."""

    def __init__(self, information, secret, x=None):
        self._information = information
        self._w0, self._w1 = secret
        self._x = x or secrets.randbelow(ORDER - 1) + 1
        self._share = _encoded(GENERATOR * self._x + M * self._w0)
        self.share = bytes([SHARE]) + self._share
        self.proof = None

    def answer(self, message):
        """Takes message 02, and returns what seals from then on; `proof` then is message 03.

        Raises WrongCode where the device does not know the same code.
        """
        if len(message) != 1 + POINT + 32 or message[0] != SHARE_AND_PROOF:
            raise Malformed(f"a message 02 of {len(message)} bytes")
        share, proof = message[1:1 + POINT], message[1 + POINT:]
        blinded = _decoded(share) + -(N * self._w0)
        z, v = blinded * self._x, blinded * self._w1
        context = b"wifi-provisioning 1" + hashlib.sha256(self._information.value).digest()
        transcript = b"".join(map(_with_length, (
            context, PROVER, self._information.device, _encoded(M), _encoded(N), self._share,
            share, _encoded(z), _encoded(v), self._w0.to_bytes(32, "big"))))
        main_key = hashlib.sha256(transcript).digest()
        keys = _hkdf(main_key, b"ConfirmationKeys", 64)
        if not hmac.compare_digest(proof, hmac.digest(keys[32:], self._share, "sha256")):
            raise WrongCode
        self.proof = bytes([PROOF]) + hmac.digest(keys[:32], share, "sha256")
        return Sealing(_hkdf(main_key, b"SharedKey", 32))


# Sealed messages


class Sealing:
    """Seals what goes to the device, and opens what comes from it."""

    def __init__(self, shared_key):
        self._ciphers = [
            ChaCha20Poly1305(_hkdf(shared_key, b"wifi-provisioning 1 " + direction, 32))
            for direction in (b"provisioner to device", b"device to provisioner")]
        self._counters = [0, 0]

    def _nonce(self, direction):
        counter = self._counters[direction]
        self._counters[direction] += 1
        return bytes(4) + counter.to_bytes(8, "little")

    def seal(self, content):
        kind = bytes([SEALED])
        return kind + self._ciphers[0].encrypt(self._nonce(0), content, kind)

    def open(self, message):
        try:
            return self._ciphers[1].decrypt(self._nonce(1), message[1:], message[:1])
        except InvalidTag:
            raise Malformed("a sealed message that does not open") from None


def decoded(content):
    """The value, which the device has to encode deterministically."""
    try:
        value = cbor2.loads(content)
    except cbor2.CBORDecodeError as error:
        raise Malformed(f"no CBOR: {error}") from None
    if cbor2.dumps(value, canonical=True) != content:
        raise Malformed(f"not the deterministic encoding: {content.hex()}")
    return value


def encoded(value):
    return cbor2.dumps(value, canonical=True)


# The vectors


def check_vectors():
    """Raises unless this model agrees with the specification's vectors; returns their names."""
    with open(f"{VECTORS}/handshake.json") as file:
        handshakes = json.load(file)["handshakes"]
    for vector in handshakes:
        _check_handshake(vector)
    with open(f"{VECTORS}/segments.json") as file:
        lists = json.load(file)
    for vector in lists["valid"]:
        found = _joined(vector["segments"])
        if found != bytes.fromhex(vector["message"]):
            raise AssertionError(f"{vector['name']}: {found.hex()}")
    for vector in lists["invalid"]:
        if "seconds" in vector:
            continue
        try:
            found = _joined(vector["segments"])
        except Malformed:
            continue
        raise AssertionError(f"{vector['name']}: was read as {found}")
    return [vector["name"] for vector in handshakes]


def _joined(parts):
    joiner = Joiner()
    return [joiner.add(bytes.fromhex(part)) for part in parts][-1]


def _check_handshake(vector):
    def agree(found, wanted, what):
        if found != wanted:
            raise AssertionError(f"{vector['name']}: {what}: {found} instead of {wanted}")

    information = DeviceInformation(bytes.fromhex(vector["information"]))
    secret = information.stretched(vector["code"])
    agree(tuple(f"{half:064x}" for half in secret), (vector["w0"], vector["w1"]), "w0 and w1")
    messages = [bytes.fromhex(message) for message in vector["messages"]]
    handshake = Handshake(information, secret, int(vector["x"], 16))
    agree(handshake.share, messages[0], "message 01")
    sealing = handshake.answer(messages[1])
    agree(handshake.proof, messages[2], "message 03")
    for item in vector["segments"]:
        parts = segments(messages[item["message"]], item["mtu"] - 3)
        agree([part.hex() for part in parts], item["segments"], f"segments at MTU {item['mtu']}")
        agree(_joined(item["segments"]), messages[item["message"]], "the message put together")
    for record in vector["records"]:
        message, content = bytes.fromhex(record["message"]), bytes.fromhex(record["content"])
        if record["from"] == "provisioner":
            agree(sealing.seal(content), message, "a sealed message")
        else:
            agree(sealing.open(message), content, "an opened message")
