"""The twelve promises, and every deliberate break of them that a test must notice."""

from dataclasses import dataclass

from tests.faults.breaking import (
    asking,
    authoring,
    bounding,
    dying,
    granting,
    knocking,
    looking,
    mailing,
    nights,
    posting,
    promoting,
    storing,
    telling,
)
from tests.faults.mutation import Mutation


@dataclass(frozen=True, kw_only=True, slots=True)
class Promise:
    """What is promised. `not_yet` says what is missing while nothing can prove it."""

    number: int
    title: str
    says: str
    not_yet: str = ""


PROMISES = (
    Promise(
        number=1,
        title="Nothing acts without a yes",
        says="Only decisions of people who may decide at that moment start anything. Silence is a no.",
    ),
    Promise(
        number=2,
        title="What was approved is what runs",
        says="A yes counts for the steps, parameters, code and reach that were on the screen. Anything "
        "else voids the request and it is asked again; only a smaller reach keeps the yes.",
    ),
    Promise(
        number=3,
        title="A click is never lost and never doubled",
        says="It is stored before Slack's ack, and of many simultaneous clicks one decides.",
    ),
    Promise(
        number=4,
        title="One run, even after a crash or a time-out",
        says="The outside system knows a step by one key. What was started without an answer is looked "
        "up before anything else; what can't be known goes to a person.",
    ),
    Promise(
        number=5,
        title="Airflow 3 is never triggered",
        says="Its owner triggers the drafted run; the bot recognises that run and verifies it.",
    ),
    Promise(
        number=6,
        title="A connection pinned read-only refuses every write",
        says="No actuator is built for it, whatever else says yes.",
    ),
    Promise(
        number=7,
        title="Stop means stop",
        says="It is looked for when deciding, before a step gets ready and before it starts. When "
        "nobody can tell, it counts as stopped. Only a person lifts it.",
    ),
    Promise(
        number=8,
        title="No one promotes the machine but a person",
        says="Levels rise only by named admins, on record, and fall by themselves after a bad outcome. What "
        "goes on without a fresh yes goes on in their name, inside a budget, and can be taken back.",
    ),
    Promise(
        number=9,
        title="Every change leaves a receipt",
        says="Receipts are chained and their head is kept outside the database, so that anybody finds "
        "one that was edited, removed, moved or cut off.",
    ),
    Promise(
        number=10,
        title="Reads are reads",
        says="One plain SELECT passes, in a session that can't write; answers are single numbers.",
    ),
    Promise(
        number=11,
        title="Every copy tells the truth",
        says="Card, request, direct messages and home tab follow each fact, and are looked at again "
        "after a restart.",
    ),
    Promise(
        number=12,
        title="Alert text is data",
        says="It is escaped, mentions nobody, opens nothing by itself and can't look like an approval.",
    ),
)

MUTATIONS: tuple[Mutation, ...] = (
    *asking.NO_YES,
    *asking.OTHER_PLAN,
    *looking.ONE_CAUSE,
    *looking.BACKFILLS,
    *storing.CLICKS,
    *knocking.STORED,
    *storing.RUNS,
    *bounding.AIRFLOW,
    *bounding.READ_ONLY,
    *bounding.STOP,
    *promoting.PROMOTIONS,
    *telling.RECEIPTS,
    *bounding.READS,
    *telling.COPIES,
    *looking.SILENCE,
    *telling.WORDS,
    *posting.SENDERS,
    *mailing.LINKS,
    *knocking.KNOCKS,
    *granting.GRANTS,
    *nights.NIGHTS,
    *dying.DEATHS,
    *authoring.AUTHORS,
)
