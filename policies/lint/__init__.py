"""What is wrong with dw.yml beyond its shape: names that lead nowhere, people that are nobody, secrets.

Works on the plain data, so that one wrong key does not hide the other mistakes: whatever is not of
the right shape is passed over here, because the model (`policies.rules`) reports it.
"""

from collections.abc import Iterator

from policies.lint import assets, code, connections, domains, hooks, mail, people, secrets, standing
from policies.lint.parts import Data, Mistake

__all__ = ["Mistake", "lint"]

CHECKS = (
    secrets.misplaced,
    connections.references,
    connections.addresses,
    connections.jobs,
    connections.expected,
    connections.variables,
    connections.senders,
    code.repositories,
    code.paths,
    code.authors,
    hooks.names,
    hooks.proofs,
    hooks.subjects,
    people.halting,
    people.named,
    people.channels,
    assets.stores,
    assets.homes,
    assets.owned_twice,
    domains.levels,
    domains.chains,
    domains.owners,
    domains.checks,
    standing.rotas,
    standing.schedules,
    standing.ends,
    standing.too_few,
    standing.own_plans,
    mail.half_configured,
    mail.reachable,
    mail.sending,
)


def lint(data: Data) -> Iterator[Mistake]:
    """Every mistake that only shows when the parts of dw.yml are seen together."""
    for check in CHECKS:
        yield from check(data)
