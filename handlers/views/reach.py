"""What a trouble reaches, and by when somebody reads it."""

from handlers.mrkdwn import code, line, plural
from handlers.views import phrases
from policies.incident import Incident
from policies.lineage import Hit, Reach

HITS = 10
_ORDER = {Reach.CONTAMINATED: 0, Reach.DUE: 1, Reach.HELD_BACK: 2}


def reach(incident: Incident) -> str:
    """The downstream assets, the wrong ones first, with the nearest time somebody reads one."""
    radius = incident.radius
    if radius is None:
        return ""
    if not radius.hits:
        return f"*Reaches* nothing known downstream of {code(radius.root)}"
    first = f", first read {line(radius.next_due, 20)} UTC" if radius.next_due else ""
    hits = sorted(radius.hits, key=lambda hit: _ORDER[hit.reach])
    lines = [f"*Reaches {plural(len(hits), 'asset')}{first}*"]
    lines += [_hit(incident, hit) for hit in hits[:HITS]]
    if len(hits) > HITS:
        lines.append(f"… and {len(hits) - HITS} more")
    return "\n".join(lines)


def _hit(incident: Incident, hit: Hit) -> str:
    word = f"*{hit.reach.value}*" if hit.reach is Reach.CONTAMINATED else hit.reach.value
    due = f" · read {line(hit.due, 20)} UTC" if hit.due else ""
    owner = f" · {phrases.called(incident, hit.owner)}" if hit.owner else ""
    return f"• {code(hit.asset, 80)} {word}{due}{owner}"
