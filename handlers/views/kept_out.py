"""Whom a rule keeps out of one decision and why, by name: they are talked about here, not called."""

from collections.abc import Mapping

from handlers.mrkdwn import line
from handlers.views import phrases
from policies.approval import ApprovalRule, Ban

LINES = 5
_MARKS = str.maketrans(dict.fromkeys("*`~"))


def kept_out(rule: ApprovalRule, names: Mapping[str, str]) -> str:
    """For the request itself; empty where its bans name nobody."""
    if not rule.banned:
        return ""
    shown = [
        f"• {called(ban, names)}: {reason(ban.because)}{_by_name(ban)}"
        for ban in rule.banned[:LINES]
    ]
    return "\n".join(["*May not decide*", *shown]) + phrases.more(len(shown), len(rule.banned))


def reason(because: str) -> str:
    """A ban as it is told to everybody else: `wrote the plan`."""
    return line(because.removeprefix("you "), 150)


def called(ban: Ban, names: Mapping[str, str]) -> str:
    """Somebody who is kept out: nobody is notified by being shown here."""
    known = names.get(ban.who)
    return line(known, 120) if known else _name(ban) if ban.name else line(ban.who, 120)


def _name(ban: Ban) -> str:
    """As git has it: somebody else's words, so nothing in them is formatting."""
    return line(ban.name.translate(_MARKS), 100)


def _by_name(ban: Ban) -> str:
    return " (Slack does not know who that is: kept out by the name)" if ban.by_name else ""
