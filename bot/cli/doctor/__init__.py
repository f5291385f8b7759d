"""`dw doctor`: is everything in place, and if not, what is to be done. Looks only; changes nothing."""

import asyncio
import json
from collections.abc import Sequence

import click

from bot.cli.doctor.examination import examine
from bot.cli.house import House
from bot.cli.speaking import BROKEN
from bot.health import Finding

_MARKS = {True: ("ok  ", "green"), None: ("look", "yellow"), False: ("BAD ", "red")}


@click.command(help="Look at everything dw needs. Exit code 1 if something is broken.")
@click.option("--json", "as_json", is_flag=True, help="For a machine.")
@click.pass_obj
def doctor(house: House, *, as_json: bool) -> None:
    """Look, and tell each finding with its reason."""
    settings = house.settings()
    findings = asyncio.run(examine(house, settings))
    well = all(finding.ok is not False for finding in findings)
    click.echo(house.redactor.text(_json(findings, well=well) if as_json else _text(findings)))
    if not well:
        raise SystemExit(BROKEN)


def _json(findings: Sequence[Finding], *, well: bool) -> str:
    listed = [{"name": f.name, "ok": f.ok, "says": f.says} for f in findings]
    return json.dumps({"ok": well, "findings": listed}, indent=2, ensure_ascii=False)


def _text(findings: Sequence[Finding]) -> str:
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        word, colour = _MARKS[finding.ok]
        lines.append(f"{click.style(word, fg=colour)}  {finding.name:<{width}}  {finding.says}")
    counts = [sum(f.ok is ok for f in findings) for ok in (True, None, False)]
    return "\n".join([*lines, "", "{} ok, {} to look at, {} broken.".format(*counts)])
