"""Where nothing may be changed no actuator of any kind exists: there is nothing that could send."""

from typing import Any

import pytest

from connectors.catalogue import Catalogue, build
from connectors.errors import Forbidden
from connectors.secrets import Secrets
from tests.connectors.contract.doers import DOERS, SECRET
from tests.policies import night

BOTH = Secrets(token="planted-read", act_token=SECRET)
KINDS = sorted({row.kind for row in DOERS.values()})


def built(kind: str, *, acting: bool = True, secrets: Secrets = BOTH, **said: object) -> Catalogue:
    entry: dict[str, Any] = {"kind": kind, "url": "https://x.example.com/accounts/1"}
    entry |= {"jobs": {"one/job": {}}, **({"version": 2} if kind == "airflow" else {}), **said}
    known = {**night.dw_yml()["connections"], "it": entry}
    return build(night.rules(connections=known), {"it": secrets}, acting=acting)


@pytest.mark.parametrize("kind", KINDS)
def test_one_is_built_where_all_agree(kind: str) -> None:
    assert built(kind).actuator("it").connection == "it"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"read_only": True}, "read-only"),
        ({"acting": False}, "DW_ACTING=off"),
        ({"jobs": {}}, "names no jobs"),
        ({"secrets": Secrets(token="planted-read")}, "none to act on it"),
    ],
    ids=["pinned", "off", "no jobs", "no credential to act"],
)
def test_none_is_built_where_one_says_no(kind: str, said: dict[str, Any], why: str) -> None:
    catalogue = built(kind, **said)
    assert "it" not in catalogue.actuators
    with pytest.raises(Forbidden, match=f"{why}.*Nothing was started"):
        catalogue.actuator("it")
