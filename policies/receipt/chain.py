"""Receipts chained by hash, so that anybody can check them alone."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

GENESIS = "sha256:" + "0" * 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Receipt:
    """One closed record. `body` is plain JSON; `hash` covers number, previous hash and body."""

    number: int
    incident_id: str
    previous: str
    body: Mapping[str, Any]
    hash: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Broken:
    """The first receipt of a chain that does not hold, and why."""

    number: int
    why: str


def canonical(value: object) -> str:
    """Canonical JSON: sorted keys, no spaces, UTF-8, no NaN."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def seal(number: int, incident_id: str, previous: str, body: Mapping[str, Any]) -> Receipt:
    """The receipt with its hash. `number` starts at 1 and `previous` at `GENESIS`."""
    return Receipt(
        number=number,
        incident_id=incident_id,
        previous=previous,
        body=body,
        hash=_hash(number, incident_id, previous, body),
    )


def verify(receipts: Iterable[Receipt], head: tuple[int, str] | None = None) -> Broken | None:
    """The first broken receipt of the chain in order, or None.

    `head` is the anchored (number, hash) kept outside the database: it finds a chain that was cut off.
    """
    number, previous = 0, GENESIS
    for receipt in receipts:
        number += 1
        if receipt.number != number:
            return Broken(
                number=number, why=f"missing or out of order: found {receipt.number} here"
            )
        if receipt.previous != previous:
            return Broken(number=number, why="does not follow from the one before it")
        if receipt.hash != _hash(number, receipt.incident_id, previous, receipt.body):
            return Broken(number=number, why="its content does not match its hash: it was edited")
        previous = receipt.hash
        if head and head[0] == number and head[1] != previous:
            return Broken(
                number=number, why="its hash is not the anchored one: the chain was rewritten"
            )
    if head and head[0] > number:
        return Broken(number=number + 1, why=f"cut off: the anchor knows {head[0]} receipts")
    return None


def _hash(number: int, incident_id: str, previous: str, body: Mapping[str, Any]) -> str:
    text = canonical(
        {"number": number, "incident": incident_id, "previous": previous, "body": dict(body)}
    )
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
