"""Whose addresses are believed: ids are taken from links, and anybody may have written one into a text.

Vendors have hosts of their own, and a link to any other tells nothing. Where a system is at home with the
team, its connection's host goes before all others, if any link leads there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from policies.signal import Link, Signal


def believed(signal: Signal, vendor: Sequence[str], home: str | None) -> Signal:
    """The same signal with only those links that may tell an id."""
    if vendor:
        kept = [link for link in signal.links if _of(link, vendor) or _at(link, home)]
        return replace(signal, links=tuple(kept))
    at_home = tuple(link for link in signal.links if _at(link, home))
    return replace(signal, links=at_home) if at_home else signal


def homes(addresses: Mapping[str, str | None]) -> Mapping[str, str]:
    """Connection → the host it is at, out of connection → address."""
    found = {name: host(url) for name, url in addresses.items() if url}
    return {name: at for name, at in found.items() if at}


def host(url: str) -> str | None:
    """The host of an address, in lower case; None where there is none."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _of(link: Link, vendor: Sequence[str]) -> bool:
    at = host(link.url) or ""
    return any(at == name or at.endswith(f".{name}") for name in vendor)


def _at(link: Link, home: str | None) -> bool:
    return home is not None and host(link.url) == home
