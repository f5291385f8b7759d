"""Whom a rule keeps out of one decision and why, by name: they are talked about here, not called."""

from handlers.mrkdwn import line, who
from handlers.views import phrases
from policies.approval import ApprovalRule, Ban

LINES = 5
_MARKS = str.maketrans(dict.fromkeys("*`~"))


def kept_out(rule: ApprovalRule) -> str:
    """For the request itself; empty where its bans name nobody."""
    if not rule.banned:
        return ""
    shown = [
        f"• {_called(ban)}: {reason(ban.because)}{_by_name(ban)}" for ban in rule.banned[:LINES]
    ]
    return "\n".join(["*May not decide*", *shown]) + phrases.more(len(shown), len(rule.banned))


def label(ban: Ban) -> str:
    """Somebody who is kept out, where nobody is called by being shown."""
    return _name(ban) if ban.by_name else who(ban.who)


def reason(because: str) -> str:
    """A ban as it is told to everybody else: `wrote the plan`."""
    return line(because.removeprefix("you "), 150)


def _called(ban: Ban) -> str:
    return _name(ban) if ban.name else who(ban.who)


def _name(ban: Ban) -> str:
    """As git has it: somebody else's words, so nothing in them is formatting."""
    return line(ban.name.translate(_MARKS), 100)


def _by_name(ban: Ban) -> str:
    return " (Slack does not know who that is: kept out by the name)" if ban.by_name else ""
