"""How much is done alone: levels, records, what is left of the budget, and why it asks all the same."""

from collections.abc import Sequence

from handlers import ids
from handlers.blocks import Message, actions, button, message, section
from handlers.mrkdwn import code, line, plural, when, who
from policies.autonomy.levels import BOT, EVERY, InForce, Level, LevelEntry
from policies.autonomy.overview import ClassLevel, DomainLevels
from policies.autonomy.setting import Ask
from policies.receipt import Receipt

#: level → what it means
MEANS: dict[str, str] = {
    "L0": "alerts are shown, nothing is looked into",
    "L1": "looks and plans, asks nobody, changes nothing",
    "L2": "asks for each change",
    "L3": "does what can be taken back alone, with a clean record and inside the budget",
    "L4": "does this class alone, inside the budget",
}
REASON = 300
_NO_NUMBERS = "There is no record of it yet: no receipt, and no run that would have been queued."


def autonomy(domains: Sequence[DomainLevels]) -> Message:
    """Every domain."""
    foot = (
        "What can't be taken back, and what people do by hand, is asked for at every level from L2."
    )
    return message("Autonomy", [*(section(_domain(one)) for one in domains), section(foot)])


def _domain(one: DomainLevels) -> str:
    lines = [f"*{line(one.name, 60)}* {_level(one.level)}", _budget(one)]
    lines += [text for each in one.classes for text in _class(one, each)]
    lines += [_wish(wish) for wish in one.wishes]
    return "\n".join(lines)


def _what(change_class: str) -> str:
    return "the whole domain" if change_class == EVERY else code(change_class, 60)


def _level(level: InForce) -> str:
    entry = level.entry
    by = ", ".join(map(_by, entry.by)) if entry else "dw.yml"
    since = f" {when(entry.at)}, receipt {entry.receipt}" if entry else ""
    reason = f": {line(entry.reason, 200)}" if entry and entry.reason else ""
    return f"*{level.level}* – {MEANS[level.level]} (by {by}{since}{reason})"


def _by(who_set_it: str) -> str:
    return "itself, after a bad end" if who_set_it == BOT else who(who_set_it)


def _budget(one: DomainLevels) -> str:
    if one.budget is None:
        return "• no budget in dw.yml: nothing is started alone"
    left = max(one.budget.runs_a_day - one.spent, 0)
    runs = f"{left} of {one.budget.runs_a_day} runs are left today"
    cost = one.budget.cost_a_day
    paid = f", {max(cost - one.paid, 0):g} of {cost:g} of their cost" if cost is not None else ""
    return f"• budget: {runs}{paid}, each reaching {one.budget.reach} assets at most"


def _class(domain: DomainLevels, one: ClassLevel) -> list[str]:
    name = code(one.name, 60)
    own = one.level.entry is not None and one.level.entry.change_class == one.name
    lines = [
        f"• {name} {_level(one.level)}" if own else f"• {name}",
        f"    {line(one.record.says, 250)}",
    ]
    lines += [f"    {_shadow(one)}"] if one.shadow.would else []
    if one.suggests:
        words = f"/dw autonomy set {domain.name} {one.name} {one.suggests}"
        lines.append(f"    the numbers would allow {one.suggests}; an admin decides: {code(words)}")
    return lines


def _shadow(one: ClassLevel) -> str:
    would, by_hand = one.shadow.would, one.shadow.by_hand
    runs = plural(would, "run")
    return f"would have queued {runs}; {by_hand} of {would} were later run by hand"


def _wish(wish: LevelEntry) -> str:
    what = _what(wish.change_class)
    words = f"/dw autonomy set {wish.domain} {wish.change_class} {wish.level}"
    asks = f"{', '.join(map(who, wish.by))} wants {wish.level} for {what}"
    return f"• {asks}; one more admin is needed: {code(words)}"


def confirm_level(
    ask: Ask, before: Level, people: int, known: Sequence[ClassLevel] = ()
) -> Message:
    """Whether it is really to be changed, with the numbers `known`; only the button does it."""
    head = f"*{code(ask.domain, 60)}, {_what(ask.change_class)}: {before} → {ask.level}?*"
    more = f"\nIt takes {people} admins: yours is one of them." if people > 1 else ""
    reason = line(ask.reason, REASON)
    told = f"\nReason: {reason}" if reason else ""
    tag = ids.LevelTag(
        domain=ask.domain,
        change_class=ask.change_class,
        level=ask.level,
        reason=ask.reason[:REASON],
    )
    return message(
        f"Change {ask.domain} to {ask.level}?",
        [
            section(
                f"{head}\n{ask.level}: {MEANS[ask.level]}.{told}{more}\nNothing is changed yet: the button does it, which only `/dw` shows."
            ),
            section("\n".join(map(_numbers, known)) or _NO_NUMBERS),
            actions(button(f"Set {ask.level}", ids.LEVEL, tag.encode(), "primary")),
        ],
    )


def _numbers(one: ClassLevel) -> str:
    shadow = f"; {_shadow(one)}" if one.shadow.would else ""
    return f"• {code(one.name, 60)}: {line(one.record.says, 250)}{shadow}"


def level_changed(entry: LevelEntry, was: Level) -> Message:
    """What the channel of the domain is told: a change, who made it and why; or a first wish of two."""
    about = f"{code(entry.domain, 60)}, {_what(entry.change_class)}"
    reason = f"\nReason: {line(entry.reason, REASON)}" if entry.reason else ""
    if entry.receipt is None:
        text = f"*A level is asked for*\n{_wish(entry).removeprefix('• ')}{reason}\nNothing is changed yet."
        return message(f"A level is asked for: {entry.domain} {entry.level}", [section(text)])
    fell = BOT in entry.by
    by = "By itself, after a bad end" if fell else f"By {', '.join(map(who, entry.by))}"
    then = f"{MEANS[entry.level]}{', until an admin raises it again' if fell else ''}"
    text = (
        f"*Level changed* {about}: {was} → *{entry.level}*\nFrom now on: {then}.\n"
        f"{by}, receipt {entry.receipt}.{reason}"
    )
    return message(f"Level changed: {entry.domain} {was} → {entry.level}", [section(text)])


def level_kept(why: str) -> Message:
    """Why nothing was changed."""
    return Message(text=f"Nothing was changed: {line(why, 400)}")


def level_receipt(found: Receipt) -> Message:
    """The record of a level that was changed."""
    body = found.body
    changed = (
        f"{code(body['domain'], 60)}, {_what(body['change_class'])}: {body['from']} → {body['to']}"
    )
    reason = f": {line(body['reason'], REASON)}" if body["reason"] else ""
    by = ", ".join(map(who, body["by"]))
    text = f"*Receipt {found.number}* · level change\n{changed}\nBy {by}{reason}\n{code(found.hash, 80)}"
    return message(f"Receipt {found.number}: level change", [section(text)])
