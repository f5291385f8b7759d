"""What is asked, round by round: the next round may use what the last one said."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from policies import dag_rerun, job_rerun
from policies.alert import AlertKind
from policies.diagnosis import changes
from policies.evidence import Json, Probe
from policies.facts import Facts
from policies.filling import filled
from policies.rules import Rules, Table

#: how many days before make the trailing median
DAYS_BEFORE = 14
HISTORY = 30
_MOMENTS = ("logical_date", "started_at", "ended_at")
Questions = Callable[[Facts, Rules], tuple[Probe, ...]]


def which_run(facts: Facts, _rules: Rules) -> tuple[Probe, ...]:
    """Completes a run id of which the alert held only the beginning, or only when it ran."""
    if facts.run_id:
        return ()
    if facts.short_id:
        return (_ask(facts, "find_run", short=facts.short_id),)
    told = {key: facts.alert.extra[key] for key in _MOMENTS if key in facts.alert.extra}
    return (_ask(facts, "find_run", job=facts.alert.job, **told),) if told else ()


def what_failed(facts: Facts, _rules: Rules) -> tuple[Probe, ...]:
    """The run itself: its steps, checks and what it built. One that is only slow has not failed yet."""
    if facts.alert.kind is AlertKind.RUN_SLOW:
        return ()
    if facts.alert.kind is AlertKind.RUN_ABSENT:
        return (_ask(facts, "expected", job=facts.alert.job),)
    return (_ask(facts, "run_failure", run_id=facts.run_id),) if facts.run_id else ()


def the_rest(facts: Facts, rules: Rules) -> tuple[Probe, ...]:
    """All that can be asked once run, asset and day are known."""
    return (
        *_about_asset(facts),
        *_about_freshness(facts),
        *_about_code(facts),
        *_about_rows(facts, rules),
        *_about_rerun(facts, rules),
    )


ROUNDS: tuple[Questions, ...] = (which_run, what_failed, the_rest, changes.questions)


def _ask(facts: Facts, name: str, **params: Json) -> Probe:
    told = {key: value for key, value in params.items() if value is not None}
    return Probe(connection=facts.alert.connection, name=name, params=told)


def _about_rerun(facts: Facts, rules: Rules) -> tuple[Probe, ...]:
    dag, job = dag_rerun.of(facts, rules), job_rerun.of(facts, rules)
    asked = dag.params() if dag else job.params if job else _named_job(facts, rules)
    return (_ask(facts, "can_run", **asked),) if asked else ()


def _named_job(facts: Facts, rules: Rules) -> Mapping[str, Json] | None:
    """Of a job of Dagster's that the bot may be asked to run: as it would be run."""
    connection = rules.connections.get(facts.alert.connection)
    job = connection.jobs.get(facts.job or "") if connection else None
    if connection is None or connection.kind != "dagster" or job is None or not facts.run_id:
        return None
    told: dict[str, Json] = {"job": facts.job, "partition": facts.partition}
    return told | ({"config": filled(job.config, facts.partition)} if job.config else {})


def _about_asset(facts: Facts) -> tuple[Probe, ...]:
    asset, check, partition = facts.asset, facts.check, facts.partition
    if asset is None:
        return ()
    made = _ask(facts, "materialization", asset=asset, partition=partition)
    if check is None:
        return (made,)
    return (
        made,
        _ask(facts, "asset_check", asset=asset, check=check, partition=partition),
        _ask(facts, "check_history", asset=asset, check=check, limit=HISTORY),
    )


def _about_freshness(facts: Facts) -> tuple[Probe, ...]:
    """Only Dagster knows what an asset itself demands, and only a miss makes it worth asking."""
    stale = facts.alert.kind is AlertKind.ASSET_STALE and facts.asset is not None
    if not stale or not facts.alert.system.startswith("dagster"):
        return ()
    return (_ask(facts, "freshness", asset=facts.asset),)


def _about_code(facts: Facts) -> tuple[Probe, ...]:
    if facts.job is None:
        return ()
    return (_ask(facts, "last_success", job=facts.job, before=facts.run.get("started_at")),)


def _about_rows(facts: Facts, rules: Rules) -> tuple[Probe, ...]:
    rule = rules.assets.get(facts.asset or "")
    day = facts.day
    if rule is None or day is None:
        return ()
    asked: list[Probe] = []
    if rule.target:
        asked += [_rows(rule.target, day), _daily(rule.target, day)]
    if rule.source:
        asked.append(_rows(rule.source, day))
        if rule.source.replica:
            asked.append(_rows(rule.source, day, rule.source.replica))
            asked.append(Probe(connection=rule.source.replica, name="replication"))
    return tuple(asked)


def _rows(table: Table, day: str, connection: str | None = None) -> Probe:
    params: dict[str, Json] = {"table": table.table, "time": table.time, "day": day}
    return Probe(connection=connection or table.connection, name="rows_of_day", params=params)


def _daily(table: Table, day: str) -> Probe:
    first = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    days: list[Json] = [
        (first - timedelta(days=back)).date().isoformat() for back in range(1, DAYS_BEFORE + 1)
    ]
    params: dict[str, Json] = {"table": table.table, "time": table.time, "days": days}
    return Probe(connection=table.connection, name="daily_rows", params=params)
