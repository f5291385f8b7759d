"""What running a failed Prefect deployment or dbt Cloud job again means: the same, with the same parameters.

Asked about before it is planned, so it is worked out in one place for both.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from policies.answers import record, text
from policies.evidence import Json
from policies.facts import Facts
from policies.filling import filled
from policies.rules import Rules

#: kind of system → the action that runs one of its jobs
ACTIONS: Mapping[str, str] = {"prefect": "run_deployment", "dbt_cloud": "run_dbt_job"}
#: of these, the ones whose jobs take parameters
_TAKES_PARAMETERS = frozenset({"prefect"})


@dataclass(frozen=True, kw_only=True, slots=True)
class JobRerun:
    """One run of a named job. `params` are as the probe `can_run` and the actuator take them."""

    job: str
    action: str
    params: Mapping[str, Json]


def of(facts: Facts, rules: Rules) -> JobRerun | None:
    """For the failed run, when it is one of a job that dw.yml names; None for anything else."""
    connection = rules.connections.get(facts.alert.connection)
    job, run_id = facts.job, text(facts.run.get("run_id"))
    if connection is None or job is None or run_id is None or job not in connection.jobs:
        return None
    if connection.kind not in ACTIONS or facts.run.get("conf_withheld") is True:
        return None
    params: dict[str, Json] = {"job": job}
    if connection.kind in _TAKES_PARAMETERS:
        own = filled(connection.jobs[job].config, facts.partition)
        params["config"] = {**record(facts.run.get("conf")), **own}
        params |= {"partition": facts.partition} if facts.partition else {}
    return JobRerun(job=job, action=ACTIONS[connection.kind], params=params)
