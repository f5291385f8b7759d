"""A server on this machine's loopback that says exactly what it is told to say, byte by byte, also over TLS."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Socket:
    """Remembers the head of each request it was sent."""

    def __init__(self, says: bytes, *, then: str = "close") -> None:
        self.says, self.then = says, then
        self.heads: list[bytes] = []
        self.port = 0
        self.hung_up = asyncio.Event()
        self._writers: list[asyncio.StreamWriter] = []
        self._done = asyncio.Semaphore(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        with suppress(ConnectionError):
            self.heads.append(await reader.read(65_536))  # also what is no HTTP, as TLS is
            writer.write(self.says)
            await writer.drain()
            await self._rest(reader, writer)
        with suppress(OSError):
            writer.close()
            await writer.wait_closed()
        self._done.release()

    async def _rest(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.then == "silence":
            while await reader.read(65_536):
                pass
            self.hung_up.set()
        while self.then == "flood":
            try:
                writer.write(b"2710\r\n" + b" " * 10_000 + b"\r\n")
                await writer.drain()
            except ConnectionError:
                self.hung_up.set()
                raise

    @asynccontextmanager
    async def up(self, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
        """Its address."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        finally:
            server.close()
            for writer in self._writers:
                writer.close()
                await self._done.acquire()


def with_certificate(folder: Path, *, ended: bool = False) -> ssl.SSLContext:
    """A certificate that is signed by itself, for this machine."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "planted")])
    until = datetime(2020, 1, 2, tzinfo=UTC) if ended else datetime(2100, 1, 1, tzinfo=UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(until - timedelta(days=36_000 if not ended else 1))
        .not_valid_after(until)
        .sign(key, hashes.SHA256())
    )
    file = folder / "planted.pem"
    plain = (
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, *plain)
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def answer(status: str, *headers: str, body: bytes = b"") -> bytes:
    """The bytes of an answer."""
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body
