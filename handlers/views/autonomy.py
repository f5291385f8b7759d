"""How much is done alone: levels, records, what is left of the budget, and why it asks all the same."""

from collections.abc import Sequence

from handlers import ids
from handlers.blocks import Message, actions, button, message, section
from handlers.mrkdwn import code, line, when, who
from policies.autonomy.levels import EVERY, InForce, Level, LevelEntry
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


def _level(level: InForce) -> str:
    entry = level.entry
    by = ", ".join(map(who, entry.by)) if entry else "dw.yml"
    since = f" {when(entry.at)}, receipt {entry.receipt}" if entry else ""
    reason = f": {line(entry.reason, 200)}" if entry and entry.reason else ""
    return f"*{level.level}* – {MEANS[level.level]} (by {by}{since}{reason})"


def _budget(one: DomainLevels) -> str:
    if one.budget is None:
        return "• no budget in dw.yml: nothing is started alone"
    left = max(one.budget.runs_a_day - one.spent, 0)
    runs = f"{left} of {one.budget.runs_a_day} runs are left today"
    return f"• budget: {runs}, each reaching {one.budget.reach} assets at most"


def _class(domain: DomainLevels, one: ClassLevel) -> list[str]:
    name = code(one.name, 60)
    own = one.level.entry is not None and one.level.entry.change_class == one.name
    lines = [
        f"• {name} {_level(one.level)}" if own else f"• {name}",
        f"    {line(one.record.says, 250)}",
    ]
    if one.shadow.would:
        would, by_hand = one.shadow.would, one.shadow.by_hand
        runs = f"would have queued {would}; {by_hand} of {would} were later run by hand"
        lines.append(f"    {runs}")
    if one.suggests:
        words = f"/dw autonomy set {domain.name} {one.name} {one.suggests}"
        lines.append(f"    the numbers would allow {one.suggests}; an admin decides: {code(words)}")
    return lines


def _wish(wish: LevelEntry) -> str:
    what = "the whole domain" if wish.change_class == EVERY else code(wish.change_class, 60)
    words = f"/dw autonomy set {wish.domain} {wish.change_class} {wish.level}"
    asks = f"{', '.join(map(who, wish.by))} wants {wish.level} for {what}"
    return f"• {asks}; one more admin is needed: {code(words)}"


def confirm_level(ask: Ask, before: Level, people: int) -> Message:
    """Whether it is really to be changed; only the button does it."""
    what = "the whole domain" if ask.change_class == EVERY else code(ask.change_class, 60)
    head = f"*{code(ask.domain, 60)}, {what}: {before} → {ask.level}?*"
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
            actions(button(f"Set {ask.level}", ids.LEVEL, tag.encode(), "primary")),
        ],
    )


def level_kept(why: str) -> Message:
    """Why nothing was changed."""
    return Message(text=f"Nothing was changed: {line(why, 400)}")


def level_receipt(found: Receipt) -> Message:
    """The record of a level that was changed."""
    body = found.body
    what = "the whole domain" if body["change_class"] == EVERY else code(body["change_class"], 60)
    changed = f"{code(body['domain'], 60)}, {what}: {body['from']} → {body['to']}"
    reason = f": {line(body['reason'], REASON)}" if body["reason"] else ""
    by = ", ".join(map(who, body["by"]))
    text = f"*Receipt {found.number}* · level change\n{changed}\nBy {by}{reason}\n{code(found.hash, 80)}"
    return message(f"Receipt {found.number}: level change", [section(text)])
