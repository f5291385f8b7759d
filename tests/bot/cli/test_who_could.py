"""`dw config check` says who could approve what, before anybody has to."""

from bot.cli.config import who_could
from tests.clock import NIGHT
from tests.policies import night

ROTA = {
    "people": ["bo@example.com", "dee@example.com"],
    "handoffs": ["09:00"],
    "starts": "2026-09-28",
}
CHAIN = [{"who": "owner", "within": "5m"}, {"who": "rota:nights", "within": "3m"}]


def test_each_owner_is_told_with_whoever_comes_after_and_who_never_may() -> None:
    rules = night.rules(rotas={"nights": ROTA}, domains={"growth": night.growth(chain=CHAIN)})
    head, first, *_ = who_could(rules, NIGHT)
    assert head.strip().startswith("growth: 1 yes, never of who asked for it, who wrote the plan")
    assert head.endswith("bots, deactivated accounts")
    assert first == (
        "  raw_sessions: ana@example.com (its owner) for 5m, "
        "then rota:nights (now bo@example.com) for 3m; then it is a no"
    )


def test_what_dw_yml_names_no_owner_for_is_told_too() -> None:
    rules = night.rules(rotas={"nights": ROTA}, domains={"growth": night.growth(chain=CHAIN)})
    said = list(who_could(rules, NIGHT))
    assert any(
        line.startswith("  agg_*: whom the orchestrator names, then rota:nights") for line in said
    )
