"""Policies under which nobody could decide, or anybody for themselves, are refused with what to write."""

from typing import Any

import pytest

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


def test_a_living_one_is_not() -> None:
    assert said(chain("rota:data", "@data-oncall"), rotas={"data": ROTA}) == ""
    assert said({"bans": {"planner": False}, "quorum": 2}) == ""
    assert said({**chain(), "owners": {"*": "ana@example.com"}}) == ""
