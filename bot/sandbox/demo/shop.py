"""The shop's database on the primary: sessions of the past, and of the Monday that goes wrong.

`heartbeat` is what many shops write every minute so that a reader of the replica can tell how far it is.
"""

from bot.sandbox.demo import story
from bot.sandbox.demo.postgres import Pair

_TABLES = """
create table sessions (
    session_id bigint primary key,
    user_id bigint not null,
    started_at timestamptz not null
);
create index sessions_by_time on sessions (started_at);
create table heartbeat (at timestamptz not null);
"""
_INSERT = """
insert into sessions
select $1::bigint + i, ($2::bigint + i) / 3,
       ($3::date::timestamp at time zone 'UTC')
           + make_interval(secs => $4::bigint + i * $5::bigint / ($6::bigint - 1))
from generate_series(0, $6::bigint - 1) as i
"""
_HEARTBEAT = """
insert into heartbeat
select ($1::date::timestamp at time zone 'UTC') + make_interval(secs => $2::bigint)
"""
#: The real thing of the story: a long build that the replica has to replay.
INDEX_BUILD = "create index sessions_by_user on sessions (user_id, started_at)"


async def make(pair: Pair) -> None:
    """Tables and the days before the night."""
    await pair.execute(_TABLES)
    for stretch in story.history():
        await add(pair, stretch)
    await pair.execute("analyze sessions")


async def add(pair: Pair, stretch: story.Stretch) -> None:
    """The sessions of a part of a day, and the heartbeat at its end, in the story's time."""
    span = stretch.until_s - stretch.from_s
    await pair.execute(
        _INSERT,
        stretch.first_id,
        stretch.first_id,
        stretch.day,
        stretch.from_s,
        span,
        stretch.rows,
    )
    await pair.execute(_HEARTBEAT, stretch.day, stretch.until_s)


async def replica_falls_behind(pair: Pair) -> None:
    """Monday until 21:05 reaches the replica; then it stands, and the primary goes on without it."""
    await add(pair, story.before_the_cut())
    await pair.caught_up()
    await pair.hold_replay()
    await pair.execute(INDEX_BUILD)
    await add(pair, story.after_the_cut())


async def replica_catches_up(pair: Pair) -> None:
    """Replay goes on; returns when the replica has all."""
    await pair.resume_replay()
    await pair.caught_up()
