"""What is built from dw.yml, and above all what is not."""

from typing import Any

import pytest

from connectors.catalogue import Catalogue, Secrets, build
from connectors.errors import Forbidden, NotFound
from policies.rules import Rules

DAGSTER = {
    "kind": "dagster",
    "url": "http://dagster.example.com",
    "jobs": {"growth_rollups_job": {}},
}
BOTH = Secrets(token="planted-read", act_token="planted-act")


def catalogue(
    *, acting: bool = True, secrets: Secrets | None = None, **connections: Any
) -> Catalogue:
    link = {"who": "owner", "within": "5m"}
    domain = {"channels": ["#data"], "assets": ["*"], "chain": [link]}
    rules = Rules.model_validate(
        {
            "version": 1,
            "alert_channels": ["#data"],
            "senders": [{"app_id": "A1", "system": "x", "connection": next(iter(connections))}],
            "connections": connections,
            "domains": {"growth": domain},
        }
    )
    return build(rules, {"dagster": secrets} if secrets else {}, acting=acting)


def why(built: Catalogue, connection: str = "dagster") -> str:
    assert built.actuators == {}
    with pytest.raises(Forbidden, match="Nothing was started") as caught:
        built.actuator(connection)
    return str(caught.value)


def test_every_connection_has_a_reader() -> None:
    built = catalogue(
        dagster=DAGSTER,
        app={"kind": "postgres", "dsn": "postgresql://reader@db.example.com/shop"},
        warehouse={"kind": "duckdb", "url": "/data/warehouse.duckdb"},
    )
    assert set(built.readers) == {"dagster", "app", "warehouse"}
    assert set(built.orchestrators) == {"dagster"}
    assert set(built.actuators) == {"dagster"}


def test_a_connection_pinned_read_only_has_no_actuator() -> None:
    built = catalogue(dagster={**DAGSTER, "read_only": True}, secrets=BOTH)
    assert "pins this connection read-only" in why(built)


def test_with_acting_off_there_is_no_actuator_at_all() -> None:
    assert "DW_ACTING=off" in why(catalogue(dagster=DAGSTER, secrets=BOTH, acting=False))


def test_without_a_named_job_there_is_no_actuator() -> None:
    assert "names no jobs" in why(catalogue(dagster={**DAGSTER, "jobs": {}}, secrets=BOTH))


def test_the_token_that_reads_is_never_used_to_act() -> None:
    built = catalogue(dagster=DAGSTER, secrets=Secrets(token="planted-read"))
    assert "none to act on it" in why(built)


def test_both_tokens_make_both_halves() -> None:
    built = catalogue(dagster=DAGSTER, secrets=BOTH)
    assert built.actuator("dagster").connection == "dagster"


def test_a_store_has_no_actuator() -> None:
    built = catalogue(app={"kind": "postgres", "dsn": "postgresql://reader@db.example.com/shop"})
    assert "only holds tables" in why(built, "app")


def test_an_unknown_connection_is_an_error_never_a_success() -> None:
    built = catalogue(dagster=DAGSTER)
    for look_up in (built.reader, built.orchestrator, built.actuator):
        with pytest.raises(NotFound, match=r"no connection 'nope'; it has dagster"):
            look_up("nope")


def test_a_store_runs_nothing() -> None:
    built = catalogue(warehouse={"kind": "duckdb", "url": "/data/warehouse.duckdb"})
    with pytest.raises(NotFound, match="nothing runs there"):
        built.orchestrator("warehouse")


@pytest.mark.parametrize(
    ("connection", "missing"),
    [({"kind": "dagster"}, "url"), ({"kind": "postgres"}, "dsn"), ({"kind": "duckdb"}, "url")],
)
def test_an_entry_that_lacks_its_address_is_an_error(
    connection: dict[str, str], missing: str
) -> None:
    with pytest.raises(NotFound, match=rf"dagster: dw\.yml gives it no {missing}"):
        catalogue(dagster=connection)


def test_secrets_do_not_show() -> None:
    assert "planted" not in repr(BOTH)
    assert "planted" not in repr(catalogue(dagster=DAGSTER, secrets=BOTH))


async def test_it_closes_everything() -> None:
    built = catalogue(dagster=DAGSTER, secrets=BOTH)
    await built.close()
    with pytest.raises(RuntimeError, match="closed"):
        await built.readers["dagster"].ping()


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("prefect", "http://prefect.example.com:4200"),
        ("dbt_cloud", "https://cloud.getdbt.com/accounts/1"),
    ],
)
def test_prefect_and_dbt_cloud_get_an_actuator_only_with_a_credential_to_act(
    kind: str, url: str
) -> None:
    connection = {"kind": kind, "url": url, "jobs": {"rollups/prod": {}}}
    built = catalogue(dagster=connection, secrets=BOTH)
    assert set(built.actuators) == {"dagster"}
    assert "none to act on it" in why(catalogue(dagster=connection, secrets=Secrets(token="t")))
    pinned = catalogue(dagster={**connection, "read_only": True}, secrets=BOTH)
    assert "pins this connection read-only" in why(pinned)
