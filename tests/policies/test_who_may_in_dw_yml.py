"""Policies under which nobody could decide, or anybody for themselves, are refused with what to write."""

from typing import Any

import pytest
from pydantic import ValidationError

from policies.lint import lint
from tests.policies import night

ROTA = {
    "people": ["ana@example.com", "bo@example.com"],
    "handoffs": ["monday 09:00"],
    "starts": "2026-09-28",
}
OWNER = {"who": "owner", "within": "5m"}


def said(domain: dict[str, Any], **more: Any) -> str:
    data = {
        **night.dw_yml(),
        "admins": ["dee@example.com"],
        "domains": {"growth": night.growth(**domain)},
    }
    return "\n".join(map(str, lint({**data, **more})))


def chain(*who: str) -> dict[str, Any]:
    return {"chain": [OWNER, *({"who": name, "within": "3m"} for name in who)]}


@pytest.mark.parametrize(
    ("domain", "more", "says"),
    [
        (chain("rota:data"), {}, "there is no rota 'data' → rotas: {data:"),
        (
            chain("rota:dat"),
            {"rotas": {"data": ROTA}},
            "there is no rota 'dat' → did you mean data?",
        ),
        (chain("pagerduty:P1"), {}, "no connection reads pagerduty → connections: {pagerduty:"),
        (chain(), {}, "dw.yml names none for fct_*, agg_* → add somebody after the owner"),
        (
            {"bans": {"planner": False}},
            {},
            "bans.planner: one person could say yes to their own plan, alone → leave this ban on",
        ),
        (
            chain("rota:data"),
            {"rotas": {"data": {**ROTA, "people": ["@oncall"]}}},
            "rotas.data.people[0]: '@oncall' names nobody",
        ),
    ],
)
def test_a_dead_or_self_approving_policy_is_refused(
    domain: dict[str, Any], more: dict[str, Any], says: str
) -> None:
    assert says in said(domain, **more)


TWO = {"owners": {"*": "ana@example.com"}, "quorum": 2}


@pytest.mark.parametrize(
    ("domain", "says"),
    [
        ({**chain("ana@example.com"), **TWO}, "may be put to ana@example.com alone"),
        ({**chain("rota:data"), **TWO}, "may be put to ana@example.com alone"),
        (
            {**chain("bo@example.com"), **TWO, "quorum": 3},
            "3 must say yes, but what ana@example.com owns may be put to ana@example.com and bo@",
        ),
    ],
)
def test_a_chain_that_comes_back_to_its_owner_can_not_fill_a_quorum(
    domain: dict[str, Any], says: str
) -> None:
    assert says in said(domain, rotas={"data": ROTA})


def test_a_quorum_that_can_be_filled_is_let_be() -> None:
    others = {"rotas": {"data": {**ROTA, "people": ["bo@example.com", "dee@example.com"]}}}
    assert said({**chain("rota:data"), **TWO}, **others) == ""
    assert said({**chain("@data-oncall"), **TWO}) == ""
    assert said({**chain("bo@example.com"), **TWO}) == ""


def test_a_chain_that_names_somebody_twice_is_no_chain() -> None:
    with pytest.raises(ValidationError, match="names somebody twice"):
        night.rules(domains={"growth": night.growth(**chain("@data-oncall", "@data-oncall"))})


def test_a_living_one_is_not() -> None:
    assert said(chain("rota:data", "@data-oncall"), rotas={"data": ROTA}) == ""
    assert said({"bans": {"planner": False}, "quorum": 2}) == ""
    assert said({**chain(), "owners": {"*": "ana@example.com"}}) == ""
