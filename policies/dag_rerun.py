"""What running a failed DAG again means: the configuration and interval of the run it replaces.

A plain start is another run: for another day, or for none. Asked about before it is planned, so it is
worked out in one place for both.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from policies.answers import record, text
from policies.evidence import Json
from policies.facts import Facts
from policies.filling import filled, mentions
from policies.rules import Rules
from policies.systems import Connection

TRIGGER = "trigger_dag"
RUN = "run_dag"
_BOTS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRerun:
    """One run of a named DAG. `interval` (`start/end`) only where the configuration does not say the day."""

    dag: str
    config: Mapping[str, Json]
    replaces: str
    partition: str | None = None
    interval: str | None = None
    logical_date: str | None = None

    def params(self) -> dict[str, Json]:
        """As the probe `can_run` and the actuator take them, and as they are shown."""
        told: dict[str, Json] = {"job": self.dag, "config": {**self.config}}
        more = {"interval": self.interval, "logical_date": self.logical_date}
        return told | {key: value for key, value in more.items() if value is not None}


def of(facts: Facts, rules: Rules) -> DagRerun | None:
    """For the failed run, when it is one of a DAG that dw.yml names; None for anything else."""
    connection = rules.connections.get(facts.alert.connection)
    dag, run_id = facts.job, text(facts.run.get("run_id"))
    if connection is None or connection.kind != "airflow" or dag is None or run_id is None:
        return None
    if dag not in connection.jobs or facts.run.get("conf_withheld") is True:
        return None
    own = filled(connection.jobs[dag].config, facts.partition)
    config = {**record(facts.run.get("conf")), **own}
    by_interval = bots(connection) or not mentions(config, facts.partition)
    return DagRerun(
        dag=dag,
        config=config,
        replaces=run_id,
        partition=facts.partition,
        interval=text(facts.run.get("interval")) if by_interval else None,
        logical_date=text(facts.run.get("logical_date")) if by_interval else None,
    )


def bots(connection: Connection) -> bool:
    """True when the bot may queue runs there: an Airflow 2 that dw.yml calls so, and does not pin."""
    return connection.version == _BOTS and not connection.read_only
