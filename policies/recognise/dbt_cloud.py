"""Messages of dbt Cloud's own Slack app: one linked line, and fields that say nothing of the run."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, links, opening, title
from policies.rules import AlertSender
from policies.signal import Signal

HOSTS = ("getdbt.com", "dbt.com")
_ENDED = re.compile(
    r"Run #(?P<run>\d{1,20}) (?P<how>failed|errored|succeeded) on Job \"(?P<job>[^\"\n]{1,300})\""
)
_PAGE = re.compile(
    r"https://[\w.\-]+/(?:#/accounts|deploy)/(?P<account>\d+)/projects/(?P<project>\d+)/runs/(?P<run>\d+)/?"
)


def job(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Run #70403110001 failed on Job "Daily build"`. A run that somebody cancelled is no trouble."""
    head = opening(signal, _ENDED)
    if head is None:
        return None
    kind = AlertKind.SUCCESS if head["how"] == "succeeded" else AlertKind.RUN_FAILED
    url, place = _page(signal, head["run"])
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title(kind, job=head["job"], asset=None),
        job=head["job"],
        run_id=head["run"],
        url=url,
        extra=place,
    )


RECOGNISERS: tuple[Recogniser, ...] = (job,)


def _page(signal: Signal, run_id: str) -> tuple[str | None, dict[str, str]]:
    """The link to this very run, with the account and the project it names."""
    for link in links(signal):
        match = _PAGE.fullmatch(link.url)
        if match and match["run"] == run_id:
            return link.url, {"account_id": match["account"], "project_id": match["project"]}
    return None, {}
