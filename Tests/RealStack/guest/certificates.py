"""The certificates of the guest's 802.1X networks: made anew in each run."""

import datetime
import functools

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# What the authentication server's certificate is for.
SERVER_NAME = "radius.example.org"


class Identity:
    """A certificate with its private key, both as PEM."""

    def __init__(self, name, issuer=None, purpose=None):
        self.name = name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._certificate = self._sign(issuer or self, purpose)
        self.certificate = self._certificate.public_bytes(serialization.Encoding.PEM)
        self.key = self._private(serialization.NoEncryption())

    def key_protected_by(self, passphrase):
        return self._private(serialization.BestAvailableEncryption(passphrase.encode()))

    def write(self, folder):
        """Puts certificate and key into files of the folder; returns their paths."""
        paths = []
        for ending, content in (("crt", self.certificate), ("key", self.key)):
            paths.append(f"{folder}/{self.name.replace(' ', '-')}.{ending}")
            with open(paths[-1], "wb") as file:
                file.write(content)
        return paths

    def _private(self, encryption):
        return self._key.private_bytes(serialization.Encoding.PEM,
                                       serialization.PrivateFormat.PKCS8, encryption)

    def _sign(self, issuer, purpose):
        now = datetime.datetime.now(datetime.timezone.utc)
        day = datetime.timedelta(days=1)

        def named(name):
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = (x509.CertificateBuilder().subject_name(named(self.name))
                   .issuer_name(named(issuer.name)).public_key(self._key.public_key())
                   .serial_number(x509.random_serial_number())
                   .not_valid_before(now - day).not_valid_after(now + day)
                   .add_extension(x509.BasicConstraints(ca=purpose is None, path_length=None),
                                  critical=True))
        if purpose is not None:
            builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        if purpose is ExtendedKeyUsageOID.SERVER_AUTH:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([x509.DNSName(self.name)]), critical=False)
        return builder.sign(issuer._key, hashes.SHA256())


@functools.cache
def authority():
    """Who signs for the networks here."""
    return Identity("Authority")


@functools.cache
def foreign_authority():
    """Somebody whom the networks here know nothing of."""
    return Identity("Foreign authority")


@functools.cache
def server():
    return Identity(SERVER_NAME, authority(), ExtendedKeyUsageOID.SERVER_AUTH)


@functools.cache
def client():
    return Identity("board", authority(), ExtendedKeyUsageOID.CLIENT_AUTH)


@functools.cache
def foreign_client():
    return Identity("stranger", foreign_authority(), ExtendedKeyUsageOID.CLIENT_AUTH)
