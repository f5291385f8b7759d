"""Alerts of Dagster+ policies. Their layout is not documented, so headlines are read tolerantly.

Job, asset, check and run are taken from links where there are any; partition and deployment from
links or labelled fields.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import (
    AssetLink,
    Recogniser,
    RunLink,
    asset_link,
    fields,
    opening,
    openings,
    run_link,
    title,
)
from policies.rules import AlertSender
from policies.signal import Signal

_NAME = r"[`'\"*]*(?P<{0}>[\w.\-/]{{1,300}}?)[`'\"*]*"
_BAD = r"failed|failure|errored"
_GOOD = r"succeeded|passed|recovered|resolved"
_CHECK = re.compile(
    rf"(?:Asset )?[Cc]heck (?:{_NAME.format('check')} )?(?:(?P<bad>{_BAD})|(?P<good>{_GOOD}))\b"
    rf"(?: (?:on|for)(?: asset)? {_NAME.format('asset')}(?=[\s.,:*`]|$))?"
)
_JOB = re.compile(
    rf"(?:Run of )?[Jj]ob (?:{_NAME.format('job')} )?(?:(?P<bad>{_BAD})|(?P<good>{_GOOD}))\b"
)
_FRESH = re.compile(
    rf"Asset {_NAME.format('asset')} (?:"
    r"(?P<bad>(?:freshness(?: policy)? (?:failed|violated|missed)|missed its freshness policy"
    r"|is (?:stale|overdue|late)|is not fresh))"
    r"|(?P<good>(?:freshness(?: policy)? (?:passed|recovered|succeeded)|is fresh)))\b"
)
_BUILD = re.compile(
    rf"Asset {_NAME.format('asset')} (?:(?P<bad>materialization failed|failed to materialize)"
    r"|(?P<good>materialization succeeded|materialized))\b"
)
_DEPLOYMENT = re.compile(r"[^\n]{0,600}? in deployment [`*]*(?P<deployment>[\w.\-]{1,100})")


#: in this order; the first piece of the message that fits any of them is its headline
HEADLINES: tuple[tuple[re.Pattern[str], AlertKind], ...] = (
    (_CHECK, AlertKind.CHECK_FAILED),
    (_JOB, AlertKind.RUN_FAILED),
    (_FRESH, AlertKind.ASSET_STALE),
    (_BUILD, AlertKind.RUN_FAILED),
)


def policy(signal: Signal, sender: AlertSender) -> Alert | None:
    """Any alert policy: a check, a job, a freshness, a materialization; failed or right again."""
    headline = _headline(signal)
    if headline is None:
        return None
    said, kind = headline
    told, run, page = fields(signal), run_link(signal), asset_link(signal)
    job = said.get("job") or told.get("job")
    check = said.get("check") or told.get("check") or (page.check if page else None)
    asset = (page.asset if page else None) or said.get("asset") or told.get("asset")
    partition = (page.partition if page else None) or told.get("partition")
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title(kind, job=job, asset=asset, check=check, partition=partition),
        job=job,
        run_id=run.run_id if run else None,
        asset=asset,
        check=check,
        partition=partition,
        deployment=_deployment(signal, run, page) or told.get("deployment"),
        url=_url(kind, run, page),
    )


RECOGNISERS: tuple[Recogniser, ...] = (policy,)


def headline(said: str) -> tuple[dict[str, str | None], AlertKind] | None:
    """What such a headline says, by the names of what it tells; None for other words."""
    for pattern, bad in HEADLINES:
        match = pattern.match(said)
        if match:
            return match.groupdict(), bad if match["bad"] else _good(bad)
    return None


def _headline(signal: Signal) -> tuple[dict[str, str | None], AlertKind] | None:
    return next((found for said in openings(signal) if (found := headline(said))), None)


def _good(bad: AlertKind) -> AlertKind:
    return AlertKind.SUCCESS if bad is AlertKind.RUN_FAILED else AlertKind.RESOLVED


def _deployment(signal: Signal, run: RunLink | None, page: AssetLink | None) -> str | None:
    linked = (run.deployment if run else None) or (page.deployment if page else None)
    said = opening(signal, _DEPLOYMENT)
    return linked or (said["deployment"] if said else None)


def _url(kind: AlertKind, run: RunLink | None, page: AssetLink | None) -> str | None:
    pages = (page, run) if kind is AlertKind.ASSET_STALE else (run, page)
    return next((one.url for one in pages if one), None)
