"""Validates the vectors against the schema: what is valid must fit, and what is not must not."""

import json
import pathlib
import sys

from cddl_verifier import CBORDecodeError, Validator

SPECIFICATION = pathlib.Path(__file__).parents[2] / "provisioning-spec"

validator = Validator((SPECIFICATION / "provisioning.cddl").read_text())
failures = []
count = 0


def check(vector, rule, expected):
    """Validates one vector; an invalid one may fit where CDDL cannot say what is wrong with it."""
    global count
    count += 1
    try:
        result = validator.validate(
            bytes.fromhex(vector["value"]), rule,
            require_deterministic=expected and vector.get("deterministic", False))
        fits, words = result.valid, result.format()
    except CBORDecodeError as error:
        fits, words = False, str(error)
    if fits != expected:
        failures.append(f"{vector['name']}: {'fits' if fits else 'does not fit'} {rule}: {words}")


def load(name):
    return json.loads((SPECIFICATION / "vectors" / name).read_text())


information = load("device-information.json")
for vector in information["valid"]:
    check(vector, "device-information", True)
for vector in information["invalid"]:
    check(vector, "device-information", vector.get("schema") == "valid")

for handshake in load("handshake.json")["handshakes"]:
    check({"name": handshake["name"], "value": handshake["information"]}, "device-information", True)
for record in load("handshake.json")["handshakes"][0]["records"]:
    rule = {"provisioner": "request", "device": "response"}[record["from"]]
    check({"name": "a record", "value": record["content"]}, rule, True)

messages = load("sealed-messages.json")
for vector in messages["requests"]:
    check(vector, "request", True)
    check(vector, "any-request", True)
for vector in messages["refused"]:
    check(vector, "any-request", True)
    check(vector, "request", vector["type"] == "request")
for vector in messages["nonsense"]:
    check(vector, "any-request", True)
    check(vector, "request", vector["type"] == "request")
for vector in messages["responses"] + messages["events"] + messages["tolerated"]:
    check(vector, vector["type"], True)
for vector in messages["invalid"]:
    check(vector, vector["type"], vector.get("schema") == "valid")

for failure in failures:
    print(failure, file=sys.stderr)
print(f"{count} values checked against the schema, {len(failures)} not as expected")
sys.exit(1 if failures else 0)
