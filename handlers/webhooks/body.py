"""A body off the wire: read piece by piece, so that one that is too big is never in memory whole."""

import asyncio

from aiohttp import web

from handlers.webhooks.outcomes import Outcome, Refused

LONGEST = 256 * 1024
"""Bytes of one delivery. The largest that a sender is known to send is as large."""
PATIENCE = 10.0
"""Seconds for all of it."""


async def read(request: web.Request, patience: float = PATIENCE) -> bytes:
    """The whole body. Raises `Refused` when it is too big, too slow, or compressed."""
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Refused(Outcome.ENCODED, "it is compressed, and its real size can't be known")
    if (request.content_length or 0) > LONGEST:
        raise _oversized()
    try:
        async with asyncio.timeout(patience):
            return await _pieces(request)
    except TimeoutError as error:
        says = f"it did not arrive within {patience:g} s"
        raise Refused(Outcome.SLOW, says) from error


async def _pieces(request: web.Request) -> bytes:
    body = bytearray()
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > LONGEST:
            raise _oversized()
    return bytes(body)


def _oversized() -> Refused:
    return Refused(Outcome.OVERSIZED, f"it is larger than {LONGEST // 1024} KiB")
