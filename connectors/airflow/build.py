"""From dw.yml and secrets to an Airflow reader or actuator: which door, which credential."""

from dataclasses import dataclass

from connectors.airflow.actuator import AirflowActuator
from connectors.airflow.api import base_of
from connectors.airflow.doors import Bearer, Door, Password
from connectors.airflow.google import Google
from connectors.airflow.mwaa import MwaaApi, Signer, WebLogin
from connectors.airflow.reader import AirflowReader, Known
from connectors.errors import NotFound
from connectors.secrets import Secrets
from policies.systems import Connection

_ACTS_ON = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class _Credential:
    """One half's own: the reader's or the actuator's."""

    user: str | None
    secret: str | None


def reader(name: str, connection: Connection, secret: Secrets) -> AirflowReader:
    """The reading half. Raises `NotFound` for an unusable entry."""
    credential = _Credential(user=connection.user, secret=secret.password or secret.token)
    known = Known(
        builds={dag: tuple(job.builds) for dag, job in connection.jobs.items()},
        version=connection.version,
    )
    door = _door(name, connection, credential)
    return AirflowReader(name, _url(name, connection), door, known=known)


def actuator(name: str, connection: Connection, secret: Secrets) -> AirflowActuator:
    """The changing half, with a credential of its own."""
    user = connection.act_user or connection.user
    door = _door(name, connection, _Credential(user=user, secret=secret.act_token))
    return AirflowActuator(name, _url(name, connection), door, frozenset(connection.jobs))


def why_not(connection: Connection) -> str | None:
    """Airflow 3 has no actuator. Only an Airflow that dw.yml calls a 2 has one."""
    if connection.version == _ACTS_ON:
        return None
    if connection.version is None:
        return "dw.yml does not say `version: 2`, and no other Airflow is ever triggered"
    return "Airflow 3 is never triggered: the owner starts the run, and it is recognised"


def _door(name: str, connection: Connection, credential: _Credential) -> Door:
    kind = connection.auth or ("password" if credential.user else "token")
    match kind:
        case "password":
            return _password(name, connection, credential)
        case "token":
            return Bearer(credential.secret)
        case "google":
            return Google(name, credential.secret)
        case "mwaa" | "mwaa_api":
            return _amazon(name, connection, credential, api=kind == "mwaa_api")


def _password(name: str, connection: Connection, credential: _Credential) -> Door:
    if not credential.user or not credential.secret:
        says = "auth: password needs user in dw.yml, and the password in the environment"
        raise NotFound(says, connection=name)
    base = base_of(_url(name, connection))
    return Password(name, base, credential.user, credential.secret)


def _amazon(name: str, connection: Connection, credential: _Credential, *, api: bool) -> Door:
    if not connection.environment or not connection.region:
        says = f"auth: {connection.auth} needs environment and region in dw.yml"
        raise NotFound(says, connection=name)
    signer = Signer(name, connection.region, credential.secret)
    if api:
        return MwaaApi(signer, connection.environment)
    return WebLogin(signer, base_of(_url(name, connection)), connection.environment)


def _url(name: str, connection: Connection) -> str:
    if not connection.url:
        raise NotFound("dw.yml gives it no url", connection=name)
    return connection.url
