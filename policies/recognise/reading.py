"""How addresses and messages are taken apart: ids from links first, words second."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import parse_qs, unquote, urlsplit

from policies.alert import Alert, AlertKind
from policies.rules import AlertSender
from policies.signal import Link, Signal

Recogniser = Callable[[Signal, AlertSender], Alert | None]

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_CLOUD = ".dagster.cloud"
_FIELD = re.compile(
    r"^\*?(?P<name>[A-Z][A-Za-z ]{1,20})(?::\*?|\*:)\s*(?P<value>\S[^\n]{0,299})", re.MULTILINE
)
_LEAD = re.compile(r"(?:\s|\*|:[\w+\-]{1,50}:|[^\w\s`'\"]){0,40}")
_KEY = re.compile(r"[^\x00-\x1f\x7f]{1,300}")
_CAPTION = re.compile(r"\*(?P<name>[A-Z][A-Za-z ]{1,30})\*\n(?P<value>[^\n]{1,300})")
_PIPED = re.compile(r"\*(?P<name>[A-Z][A-Za-z ]{1,20}):\* (?P<value>[^|\n]{1,300})")
_FENCE = "```"
_DECORATION = "*`'\" \t"


@dataclass(frozen=True, kw_only=True, slots=True)
class RunLink:
    """A run's page."""

    run_id: str
    url: str
    deployment: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetLink:
    """An asset's page; `check` and `partition` where the address picks one."""

    asset: str
    url: str
    deployment: str | None
    check: str | None = None
    partition: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page whose address holds an id."""

    id: str
    url: str | None
    label: str = ""


def linked(signal: Signal, path: re.Pattern[str]) -> Page | None:
    """The first link whose path is what `path` says; its group `id` is what it is about."""
    for link in links(signal):
        match = path.search(_path_of(link.url))
        if match:
            return Page(id=match["id"], url=link.url, label=link.label)
    return None


def run_link(signal: Signal, short: str | None = None) -> RunLink | None:
    """The first link to a run, buttons before text; with `short`, only one whose id starts so."""
    found = (_run(link.url) for link in links(signal))
    return next((run for run in found if run and run.run_id.startswith(short or "")), None)


def asset_link(signal: Signal) -> AssetLink | None:
    """The first link to an asset, buttons before text."""
    return next((asset for link in links(signal) if (asset := _asset(link.url))), None)


def openings(signal: Signal) -> Iterator[str]:
    """Each piece of text without what decorates its beginning; code blocks are left out.

    Headlines are looked for at beginnings only: a quoted exception can't pose as one.
    """
    for piece in signal.words:
        said = _LEAD.sub("", piece.value, count=1)
        if not said.startswith(_FENCE):
            yield said


def opening(signal: Signal, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The first piece of text that starts with what `pattern` says."""
    return next((match for said in openings(signal) if (match := pattern.match(said))), None)


def fields(signal: Signal) -> dict[str, str]:
    """`*Partition:* 2026-09-28` and the like, by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for piece in signal.words:
        if not piece.value.lstrip().startswith(_FENCE):
            for match in _FIELD.finditer(piece.value):
                found.setdefault(match["name"].lower(), match["value"].strip(_DECORATION))
    return found


def captions(signal: Signal) -> dict[str, str]:
    """`*Service*` with its value on the next line, by lower-case name."""
    matches = (_CAPTION.fullmatch(piece.value.strip()) for piece in signal.words)
    return {match["name"].lower(): match["value"].strip() for match in matches if match}


def piped(signal: Signal) -> dict[str, str]:
    """`*Env:* prod | *Status:* fail`, by lower-case name; the first of a name counts."""
    found: dict[str, str] = {}
    for said in openings(signal):
        for match in _PIPED.finditer(f"*{said}"):
            found.setdefault(match["name"].lower(), match["value"].strip())
    return found


def title(kind: AlertKind, *, job: str | None, asset: str | None, **more: str | None) -> str:
    """One short line for people."""
    op, check = more.get("op"), more.get("check")
    words = {
        AlertKind.RUN_FAILED: f"Run of {job or asset or 'a job'} failed",
        AlertKind.OP_FAILED: f"{op} failed in {job}",
        AlertKind.CHECK_FAILED: f"{check or 'A check'} failed on {asset or 'an asset'}",
        AlertKind.CHECK_WARNED: f"{check or 'A check'} warns of {asset or 'an asset'}",
        AlertKind.ASSET_STALE: f"{asset} is late",
        AlertKind.RUN_SLOW: f"{op or 'A run'} in {job} takes too long",
        AlertKind.RUN_ABSENT: f"{job} did not start",
        AlertKind.RUN_CAME: f"{job} began after all",
        AlertKind.SUCCESS: f"{job or asset or 'A run'} succeeded",
        AlertKind.RESOLVED: f"{check or asset or job} is right again",
    }[kind]
    return words + (f" ({more['partition']})" if more.get("partition") else "")


def links(signal: Signal) -> Iterator[Link]:
    """Every link of the message, buttons before links in its text."""
    texts = tuple(piece.where for piece in signal.words)
    in_text = [any(_inside(link.where, text) for text in texts) for link in signal.links]
    for wanted in (False, True):
        yield from (
            link for link, inside in zip(signal.links, in_text, strict=True) if inside is wanted
        )


def _inside(where: str, text: str) -> bool:
    return where == text or where.startswith(f"{text}.")


def _path_of(url: str) -> str:
    """The path; never the query, where anything may stand."""
    try:
        return unquote(urlsplit(url).path)
    except ValueError:
        return ""


def _run(url: str) -> RunLink | None:
    parts, deployment = _path(url)
    for before, last in pairwise(parts):
        if before == "runs" and _UUID.fullmatch(last):
            return RunLink(run_id=last, url=url, deployment=deployment)
    return None


def _asset(url: str) -> AssetLink | None:
    parts, deployment = _path(url)
    if "assets" not in parts:
        return None
    key = "/".join(part for part in parts[parts.index("assets") + 1 :] if part)
    if not _KEY.fullmatch(key):
        return None
    picked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    return AssetLink(
        asset=key,
        url=url,
        deployment=deployment,
        check=picked.get("checkDetail"),
        partition=picked.get("partition"),
    )


def _path(url: str) -> tuple[list[str], str | None]:
    """The parts of the path, decoded, and the deployment that a Dagster+ address starts with."""
    try:
        address = urlsplit(url)
        host = address.hostname or ""
    except ValueError:
        return [], None
    parts = [unquote(part) for part in address.path.split("/")[1:]]
    return parts, parts[0] if host.endswith(_CLOUD) and len(parts) > 1 else None
