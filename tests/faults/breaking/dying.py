"""Breaks that show when the process dies at any of its awaits: each must be noticed by the night that tries them all."""

from tests.faults.mutation import Edit, Mutation

_AWAITS = (
    "tests/machine/test_every_await.py::"
    "test_dying_at_every_await_loses_nothing_and_doubles_nothing[sqlite]"
)

DEATHS = (
    Mutation(
        promise=4,
        breaks="nothing is written down before the call, and the process dies at any await",
        file="bot/worker/acting.py",
        old="    incident = await context.commit(incident, begun, spend=spend)\n",
        new="",
        caught_by=(_AWAITS,),
    ),
    Mutation(
        promise=4,
        breaks="the process dies at any await, and what was sent is sent again without a look",
        file="bot/worker/acting.py",
        old="run = await actuator.find(incident.steps[step.id].key or external_key(incident, step), step)",
        new="run = None",
        also=(
            Edit(
                file="connectors/base.py",
                old="found = await self.find(key, step)",
                new="found = None",
            ),
        ),
        caught_by=(_AWAITS,),
    ),
    Mutation(
        promise=3,
        breaks="what is done is stored in one transaction and its row finished in the next",
        file="bot/store/journal.py",
        old="                await _write(connection, change, after)\n        return afters\n",
        new="                await _write(connection, replace(change, done=None, due=()), after)\n"
        "        async with self.database.write() as connection:\n"
        "            for change in changes:\n"
        "                if change.done is not None:\n"
        "                    await due.done(connection, change.done)\n"
        "                await due.wish(connection, change.due)\n"
        "        return afters\n",
        also=(
            Edit(
                file="bot/store/journal.py",
                old="from datetime import datetime\n",
                new="from dataclasses import replace\nfrom datetime import datetime\n",
            ),
        ),
        caught_by=(_AWAITS,),
    ),
)
