"""A real SMTP server on this machine's loopback: keeps what it takes, and refuses what a test tells it to."""

import asyncio
import datetime as dt
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PASSWORD = "planted-smtp-password"
HERE = "127.0.0.1"


@dataclass
class Postbox:
    """`says` are answers to RCPT, one each, before it takes anything again."""

    port: int = 0
    says: list[str] = field(default_factory=list)
    letters: list[EmailMessage] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.says:
            return self.says.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - the same
        content = envelope.content
        assert isinstance(content, bytes)
        message = message_from_bytes(content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.letters.append(message)
        return "250 taken"

    def let_in(
        self, server: SMTP, session: Session, envelope: Envelope, how: str, data: Any
    ) -> Any:
        self.users.append(data.login.decode())
        return AuthResult(success=data.password == PASSWORD.encode())


@asynccontextmanager
async def a_postbox(tls: ssl.SSLContext | None = None) -> AsyncIterator[Postbox]:
    """One that listens; with `tls` only after STARTTLS and a login."""
    box = Postbox()
    more = {"require_starttls": True, "auth_required": True} if tls else {}

    def server() -> SMTP:
        return SMTP(box, hostname="mail.test", tls_context=tls, authenticator=box.let_in, **more)

    listening = await asyncio.get_running_loop().create_server(server, HERE, 0)
    box.port = listening.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        listening.close()
        await listening.wait_closed()


def a_certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """For the server, and what makes a client trust it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.test")])
    now = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + dt.timedelta(days=36500))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HERE))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "server.pem").write_bytes(private + pem)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "server.pem")
    return server, ssl.create_default_context(cadata=pem.decode())
