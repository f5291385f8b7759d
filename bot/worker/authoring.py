"""Finds the authors of a change among the people of Slack, by the address that git has of them."""

from collections.abc import Sequence

from bot.worker.context import Context
from policies.authors import addresses, question, whom
from policies.diagnosis import changes
from policies.evidence import Evidence, Json
from policies.incident import Incident


async def matched(
    context: Context, incident: Incident, found: Sequence[Evidence]
) -> tuple[Evidence, ...]:
    """Who each of them is, as evidence; nothing when no repository names anybody. Raises `RetryAfter`."""
    told = next((one for one in found if one.probe.name == changes.NAME and one.answered), None)
    asked = addresses(told) if told else ()
    if not asked:
        return ()
    people = {address: await _one(context, incident, address) for address in asked}
    number = len(incident.evidence) + len(found) + 1
    return (
        Evidence(
            id=f"E{number}",
            probe=question(asked),
            at=context.now(),
            value={"people": people},
            query="users.lookupByEmail",
        ),
    )


async def _one(context: Context, incident: Incident, address: str) -> Json:
    who = whom(context.rules, incident.alert.connection, address)
    person = await context.directory.someone(who)
    return {"id": person.id, "name": person.name} if person else None
