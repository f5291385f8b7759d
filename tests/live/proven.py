"""docs/proven-live.md: each promise that real servers are asked to prove. `python -m tests.live.proven` writes it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "proven-live.md"
SYSTEMS = {
    "airflow2": "Airflow 2.11.2",
    "airflow3": "Airflow 3.3.2",
    "dagster": "Dagster 1.13.28",
    "prefect": "Prefect 3.9.1",
}
ALL = ("airflow2", "dagster", "prefect")
"""The systems on which something is started."""
ONE, TWO = "houses/test_live_houses_one.py", "houses/test_live_houses_two.py"
OWNER, LINK = "houses/test_live_houses_owner.py", "airflow/test_live_airflow_link.py"
_HEAD = """\
<!-- Written by `python -m tests.live.proven`. Change tests/live/proven.py, not this page. -->
# What is proven on real servers

`make live` starts the servers, and over them whole houses of `dw`: processes of their own, on SQLite or several on one
PostgreSQL, with Slack played on this machine. They are killed and stopped by real signals, and proxies before the servers
lose answers or hold them back. What counts is what the real server says in the end: how many runs carry the key of the step.
"""
_FOOT = """
**Dagster** keeps no key of its own: `dw` looks for its tag before it starts a run, and looks whether the work is still its own. A process
that is stopped for longer than a lease exactly between that look and the call may start a second run. **dbt Cloud** is the same, and no
server of it can be had: its tests use [a stub](connections/dbt-cloud.md). See [scaling](scaling.md#how-to-run-replicas).
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """A promise, the test named after it, and the systems it runs on. `instead` says why not on another."""

    promise: str
    file: str
    test: str
    on: tuple[str, ...] = ALL
    instead: Mapping[str, str] = field(default_factory=dict)


_NEVER = {"airflow3": "nothing is ever started there"}
_ITS_OWN = dict.fromkeys(("airflow2", "dagster", "prefect"), "–")
PROOFS = (
    Proof(
        promise="A failed run becomes an incident, though nobody told of it",
        file=ONE,
        test="test_a_failed_run_that_nobody_told_of_becomes_an_incident",
        on=tuple(SYSTEMS),
    ),
    Proof(
        promise="The approved run happens once, though the answer was lost after the server had taken it",
        file=ONE,
        test="test_the_approved_run_happens_once_though_the_answer_was_lost",
        instead=_NEVER,
    ),
    Proof(
        promise="… though the bot was killed when the server had just taken it",
        file=ONE,
        test="test_the_approved_run_happens_once_though_the_bot_was_killed_when_the_server_had_taken_it",
        instead=_NEVER,
    ),
    Proof(
        promise="… though two replicas want it at once",
        file=TWO,
        test="test_two_that_want_the_same_run_start_it_once",
        instead=_NEVER,
    ),
    Proof(
        promise="… though the replica that had it slept past its lease, and wakes",
        file=TWO,
        test="test_one_that_sleeps_past_its_lease_starts_nothing_when_it_wakes",
        instead=_NEVER,
    ),
    Proof(
        promise="… though it slept in the last instant, between its last look and its start",
        file=TWO,
        test="test_one_that_sleeps_between_its_last_look_and_its_start_doubles_nothing",
        on=("airflow2", "prefect"),
        instead={**_NEVER, "dagster": "not excluded, see below"},
    ),
    Proof(
        promise="A connection pinned read-only sees no start, whatever is approved",
        file=ONE,
        test="test_a_connection_pinned_read_only_sees_no_start_whatever_is_approved",
        instead=_NEVER,
    ),
    Proof(
        promise="A credential that may only read is refused in words",
        file=ONE,
        test="test_a_credential_that_may_only_read_is_refused_in_words",
        instead=_NEVER,
    ),
    Proof(
        promise="No write in a whole night: the owner starts the run, and it is recognised",
        file=OWNER,
        test="test_airflow_3_saw_no_write_in_a_whole_night_and_the_owners_run_is_recognised",
        on=("airflow3",),
        instead=_ITS_OWN,
    ),
    Proof(
        promise="When two runs fit, none is taken and it is asked",
        file=OWNER,
        test="test_when_two_runs_fit_it_takes_none_and_asks",
        on=("airflow3",),
        instead=_ITS_OWN,
    ),
    Proof(
        promise="The link opens the DAG, and the form is where the words say",
        file=LINK,
        test="test_on_airflow_3_the_link_opens_the_dag_and_the_form_is_where_the_words_say",
        on=("airflow3",),
        instead=_ITS_OWN,
    ),
    Proof(
        promise="The link opens the form, filled in",
        file=LINK,
        test="test_on_airflow_2_the_link_opens_the_form_filled_in",
        on=("airflow2",),
        instead=dict.fromkeys(("airflow3", "dagster", "prefect"), "–"),
    ),
)


def page() -> str:
    """The whole page."""
    return _HEAD + "\n".join(_table()) + "\n" + _FOOT


def _table() -> Iterator[str]:
    yield f"\n| promise | {' | '.join(SYSTEMS.values())} |"
    yield "|---" * (len(SYSTEMS) + 1) + "|"
    for proof in PROOFS:
        cells = [_cell(proof, system) for system in SYSTEMS]
        yield f"| {proof.promise} | {' | '.join(cells)} |"


def _cell(proof: Proof, system: str) -> str:
    if system in proof.on:
        return f"[proven](../tests/live/{proof.file})"
    return proof.instead[system]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
