"""One deployment at a time: may a run of it be offered, and with which parameters."""

from collections.abc import Mapping
from urllib.parse import quote

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from connectors.errors import ConnectorError, Forbidden, NoSuch, NotFound
from connectors.masking import holds_secret
from connectors.prefect.api import Api
from connectors.prefect.names import parts
from connectors.prefect.params import CanRun
from connectors.prefect.wire import Deployment, Wire, iso
from connectors.refusing import reason
from connectors.schemas import misfit
from policies.run import Run

Parameters = Mapping[str, JsonValue]
_STANDS_FOR = ("__prefect_kind", "$ref")
PAUSED = "somebody paused it in Prefect; resume it there first"
_UNTOLD = "it tells nothing of its parameters, so {0} can't be checked"
_NO_DAY = "dw.yml gives it no parameter for {0}; write config: {{<parameter>: '{{partition}}'}}"
_WITHHELD = "its parameters hold what looks like a secret, which is not passed through here"


class _Pausable(Wire):
    is_paused: bool = False
    status: str | None = None


async def locate(api: Api, job: str) -> Deployment:
    """The deployment that dw.yml calls `flow/deployment`; `NotFound` when there is none."""
    flow, deployment = parts(job)
    if deployment is None:
        says = f"{job!r} names no deployment; nothing was done. Write it as flow/deployment"
        raise NoSuch(says, connection=api.connection)
    path = f"deployments/name/{_segment(flow)}/{_segment(deployment)}"
    try:
        return api.model(Deployment, await api.get(path))
    except NoSuch:
        says = f"it knows no deployment {job}; nothing was done. Check the name in dw.yml"
    raise NoSuch(says, connection=api.connection)


async def can_run(api: Api, params: CanRun) -> dict[str, JsonValue]:
    """The value of the probe `can_run`: `may`, `why` not, and `but` what a person should know."""
    try:
        deployment = await locate(api, params.job)
    except NoSuch as unknown:
        return {"may": False, "why": reason(unknown), "but": None}
    why = unfit(deployment, params.config, params.partition) or await held(api, deployment)
    return {
        "may": why is None,
        "why": api.clean(why) if why else None,
        "but": unserved(deployment),
        "paused": deployment.paused,
        "served_at": iso(deployment.last_polled),
        "defaults": None if holds_secret(deployment.parameters) else deployment.parameters,
        "link": api.address.deployment(deployment.id),
    }


def unfit(deployment: Deployment, given: Parameters, partition: str | None) -> str | None:
    """Why these parameters are not what this deployment takes, or None.

    Prefect takes names it does not know and leaves them unread, so a misspelt day would be another day's run.
    """
    if holds_secret(dict(given)):
        return _WITHHELD
    if partition and not any(partition in str(value) for value in given.values()):
        return _NO_DAY.format(partition)
    return _unknown(deployment, given) or _invalid(deployment, given)


async def held(api: Api, deployment: Deployment) -> str | None:
    """Why a run of it would wait for a person: it is paused, or what hands out its runs is."""
    if deployment.paused:
        return PAUSED
    pool, queue = deployment.work_pool_name, deployment.work_queue_name
    if pool is None:
        return None
    if await _paused(api, f"work_pools/{_segment(pool)}"):
        return f"its work pool {pool} is paused"
    if queue and await _paused(api, f"work_pools/{_segment(pool)}/queues/{_segment(queue)}"):
        return f"its work queue {queue} is paused"
    return None


def unserved(deployment: Deployment) -> str | None:
    """What keeps a run waiting that no pause explains: nobody asks for it."""
    if deployment.status != "NOT_READY":
        return None
    seen = deployment.last_polled
    since = f"since {seen:%Y-%m-%d %H:%M} UTC" if seen else "ever"
    return f"nobody has asked for runs of it {since}: a run waits until somebody serves it"


async def waiting(api: Api, run: Run, deployment_id: str | None) -> str:
    """What a person wants to know of a run that waits: since when, and for what."""
    said = [run.says or (f"waits since {run.created_at:%H:%M} UTC" if run.created_at else "waits")]
    try:
        deployment = await _by_id(api, deployment_id)
        if deployment is not None:
            reason = await held(api, deployment) or unserved(deployment)
            said += [reason] if reason else []
    except ConnectorError:
        said.append("whether anybody serves it could not be read")
    return "; ".join(said)


async def _by_id(api: Api, deployment_id: str | None) -> Deployment | None:
    if deployment_id is None:
        return None
    return api.model(Deployment, await api.get(f"deployments/{deployment_id}"))


async def _paused(api: Api, path: str) -> bool:
    """A pool that may not be read holds nothing back: Prefect itself decides then."""
    try:
        return api.model(_Pausable, await api.get(path)).is_paused
    except (NotFound, Forbidden):
        return False


def _unknown(deployment: Deployment, given: Parameters) -> str | None:
    schema = deployment.schema_ or {}
    known = schema.get("properties")
    if not given or schema.get("additionalProperties"):
        return None
    if not isinstance(known, dict):
        return _UNTOLD.format(", ".join(sorted(given)))
    unknown = sorted(set(given) - set(known))
    if not unknown:
        return None
    takes = ", ".join(sorted(known)) or "none"
    return f"it has no parameter {', '.join(unknown)}; it takes {takes}"


def _invalid(deployment: Deployment, given: Parameters) -> str | None:
    filled = {name for name, value in deployment.parameters.items() if _is_filled_in(value)}
    schema = _leaving(deployment.schema_ or {}, filled - set(given))
    wrong = misfit(schema, {**deployment.parameters, **given}, Draft202012Validator)
    if wrong is None:
        return None
    where, message = wrong
    return f"its parameter {where} does not fit: {message}" if where else message


def _is_filled_in(value: JsonValue) -> bool:
    """True for what stands for a variable or a block: Prefect puts its value there when a run is created."""
    return isinstance(value, dict) and not value.keys().isdisjoint(_STANDS_FOR)


def _leaving(schema: Parameters, names: set[str]) -> dict[str, JsonValue]:
    """The same schema, which judges none of these."""
    known = schema.get("properties")
    if not isinstance(known, dict):
        return dict(schema)
    return {**schema, "properties": {**known, **{name: {} for name in names}}}


def _segment(text: str) -> str:
    return quote(text, safe="")
