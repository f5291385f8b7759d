"""What the trouble reaches: everything downstream, nearest first, and what it means for each."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from policies.answers import Answer, moment, text
from policies.evidence import Json, Probe
from policies.facts import Facts
from policies.figures import clock, listed
from policies.incident import Incident
from policies.lineage import Asset, BlastRadius, Hit, Lineage, Reach
from policies.rules import Domain, Note, Rules

TEAM = "team notes"
MOST = 500
_ONLY_CODE = " (suspected: only its code names what it reads)"
#: latest materialization per asset, as probe `asset_states` tells; null: never, no key: not asked
States = Mapping[str, Json]


def root(incident: Incident) -> str | None:
    """The asset in trouble, or None when no evidence names one."""
    return Facts.of(incident).asset


def questions(incident: Incident, lineage: Lineage) -> tuple[Probe, ...]:
    """Asks when the asset in trouble and those downstream were built last, nearest first, in one go.

    Nothing is asked when nothing is downstream; beyond `MOST` assets nobody looks.
    """
    start = root(incident) or ""
    reached = (key for key in lineage.downstream(start) if builds(lineage.assets.get(key)))
    known: list[Json] = [*islice(reached, MOST - 1)]
    if not known:
        return ()
    params: dict[str, Json] = {"assets": [start, *known]}
    return (Probe(connection=incident.alert.connection, name="asset_states", params=params),)


def noted(notes: Sequence[Note]) -> Lineage:
    """What only the team knows, as lineage."""
    assets = {
        note.asset: Asset(
            key=note.asset, kind=note.kind, owner=note.owner, due=note.due, said_by=TEAM
        )
        for note in notes
    }
    edges = frozenset((read, note.asset) for note in notes for read in note.reads)
    return Lineage(assets=assets, edges=edges)


def from_jobs(rules: Rules) -> Lineage:
    """What dw.yml says the named jobs build, and after what, as lineage."""
    named = [(n, job) for c in rules.connections.values() for n, job in c.jobs.items()]
    assets = {
        built: Asset(key=built, job=name, said_by="dw.yml")
        for name, job in named
        for built in job.builds
    }
    edges = frozenset((a, b) for _, job in named for a in job.after for b in job.builds)
    return Lineage(assets=assets, edges=edges)


def draw(
    incident: Incident,
    lineage: Lineage,
    notes: Sequence[Note],
    states: States,
    *,
    domain: Domain | None = None,
) -> BlastRadius:
    """The radius around the asset in trouble; empty hits when none is known.

    `domain` gives owners that dw.yml names before those the lineage knows.
    """
    scene = _Scene.of(incident, lineage.merged(noted(notes)), states, domain)
    hits = tuple(scene.hit(key) for key in scene.lineage.downstream(scene.root))
    due = [hit.due for hit in hits if hit.due]
    now = clock(incident.opened_at)
    return BlastRadius(
        root=scene.root,
        hits=hits,
        next_due=min(due, key=lambda at: (at <= now, at), default=None),
        above=scene.lineage.upstream(scene.root)[:MOST],
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Scene:
    """All that is needed to judge one downstream asset."""

    root: str
    facts: Facts
    lineage: Lineage
    states: States
    bad: Mapping[str, datetime]
    repaired: datetime | None
    domain: Domain | None
    parents: Mapping[str, list[str]]

    @classmethod
    def of(
        cls, incident: Incident, lineage: Lineage, states: States, domain: Domain | None
    ) -> "_Scene":
        facts = Facts.of(incident)
        root = facts.asset or facts.job or incident.title
        return cls(
            root=root,
            facts=facts,
            lineage=lineage,
            states=states,
            bad=_contaminated(facts, lineage, states),
            repaired=_repaired(facts, states),
            domain=domain,
            parents=_parents(lineage, root),
        )

    def hit(self, key: str) -> Hit:
        asset = self.lineage.assets.get(key, Asset(key=key))
        reach, because = self._reach(asset)
        told = self.domain.owner_of(key) if self.domain else None
        return Hit(
            asset=key,
            kind=asset.kind,
            reach=reach,
            owner=told or asset.owner,
            due=asset.due,
            because=because,
        )

    def _reach(self, asset: Asset) -> tuple[Reach, str]:
        reach, because = self._judged(asset)
        return reach, because + (_ONLY_CODE if self._suspected(asset) else "")

    def _suspected(self, asset: Asset) -> bool:
        """True when nothing but the code of others says that the trouble reaches this one directly."""
        edges = {(parent, asset.key) for parent in self.parents.get(asset.key, ())}
        return bool(edges) and edges <= self.lineage.suspected

    def _judged(self, asset: Asset) -> tuple[Reach, str]:
        if asset.key in self.bad:
            return Reach.CONTAMINATED, self._how_bad(asset)
        planned = asset.key in self.facts.planned
        reach = Reach.DUE if asset.due and not planned else Reach.HELD_BACK
        return reach, self._why_waits(asset, planned=planned)

    def _how_bad(self, asset: Asset) -> str:
        if not builds(asset):
            bad = {self.root, *self.bad}
            return f"reads {listed([p for p in self.parents.get(asset.key, ()) if p in bad])}"
        return f"built at {clock(self.bad[asset.key])} from the bad load"

    def _why_waits(self, asset: Asset, *, planned: bool) -> str:
        if not builds(asset):
            waits = f"reads {listed(self.parents.get(asset.key, []))}"
            return f"{waits} at {asset.due}" if asset.due else waits
        at = _built_at(self.states, asset.key)
        if at and self.repaired and at >= self.repaired:
            return f"built again at {clock(at)}"
        if planned:
            return "planned in the failed run, not built"
        if asset.key not in self.states:
            return "nobody knows when it was built last"
        return f"not built since {clock(at)}" if at else "no build of it is known"


def _parents(lineage: Lineage, root: str) -> dict[str, list[str]]:
    """Asset → what it reads of all that the trouble reaches."""
    found: dict[str, list[str]] = defaultdict(list)
    for parent in sorted({root, *lineage.downstream(root)}):
        for child in lineage.children(parent):
            found[child].append(parent)
    return dict(found)


def _contaminated(facts: Facts, lineage: Lineage, states: States) -> dict[str, datetime]:
    """Assets that took the bad load in, with when: built from it, or from one that was, later."""
    if facts.asset is None or facts.loaded_at is None:
        return {}
    repaired = _repaired(facts, states)
    found = {facts.asset: facts.loaded_at}
    queue = [facts.asset]
    while queue:
        parent = queue.pop()
        for child, at in _took_in(facts, lineage, states, parent, found[parent]):
            if (child not in found or at < found[child]) and not (repaired and at >= repaired):
                found[child] = at
                queue.append(child)
    del found[facts.asset]
    return found


def _repaired(facts: Facts, states: States) -> datetime | None:
    """When the asset in trouble was loaded again, after the bad load, if it was."""
    again = _built_at(states, facts.asset or "", facts.partition)
    return again if again and facts.loaded_at and again > facts.loaded_at else None


def _took_in(
    facts: Facts, lineage: Lineage, states: States, parent: str, since: datetime
) -> Iterator[tuple[str, datetime]]:
    for child in lineage.children(parent):
        if not builds(lineage.assets.get(child)):
            yield child, since
            continue
        at = _built_at(states, child, facts.partition)
        if child in facts.built:
            yield child, max(at or since, since)
        elif at and at > since:
            yield child, at


def builds(asset: Asset | None) -> bool:
    """False for what nothing of ours builds: a dashboard or a notebook reads whatever is there."""
    return asset is None or (asset.said_by != TEAM and asset.kind == "table")


def _built_at(states: States, key: str, partition: str | None = None) -> datetime | None:
    state = states.get(key)
    told: Answer = state if isinstance(state, dict) else {}
    other = text(told.get("partition"))
    if partition is not None and other is not None and other != partition:
        return None
    return moment(told.get("at"))
