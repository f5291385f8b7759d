"""Who works here: the people, apps and channels of the demo's Slack workspace."""

from bot.sandbox.workspace import (
    USUAL_EVENTS,
    App,
    Channel,
    Completion,
    Person,
    Shortcut,
    SlashCommand,
    Team,
    UserGroup,
    WorkspaceSeed,
)

ALERTS = "C0ALERTS"
BOT_APP = "A0DWBOT"
BOT_TOKEN = "xoxb-demo-dw"  # noqa: S105 - opens nothing but the workspace on this machine
APP_TOKEN = "xapp-demo-dw"  # noqa: S105 - the same
SENDER_APP = "A0DAGPLUS"
SENDER_TOKEN = "xoxb-demo-dagsterplus"  # noqa: S105 - the same

#: Who could be asked on this night, the owner first.
CHAIN = ("ana", "bo", "cleo", "dee")

_PEOPLE = (
    Person(
        id="U0ANA",
        name="ana",
        real_name="Ana Ortiz",
        email="ana@example.com",
        title="Data engineer, owns raw_sessions",
        color="#b4552d",
    ),
    Person(
        id="U0BOLIN",
        name="bo",
        real_name="Bo Lindqvist",
        email="bo@example.com",
        title="Analytics engineer, owns the models",
        color="#2f7d63",
    ),
    Person(
        id="U0CLEO",
        name="cleo",
        real_name="Cleo Marsh",
        email="cleo@example.com",
        title="Data platform, on call this week",
        color="#7a4fa3",
    ),
    Person(
        id="U0DEE",
        name="dee",
        real_name="Dee Okafor",
        email="dee@example.com",
        title="Head of data",
        color="#2d62a8",
        is_admin=True,
    ),
    Person(
        id="U0ELI",
        name="eli",
        real_name="Eli Novak",
        email="eli@example.com",
        title="Marketing, may read along",
        color="#a8862d",
    ),
)
_EVERYBODY = tuple(person.id for person in _PEOPLE)
_APPS = (
    App(
        app_id=BOT_APP,
        bot_id="B0DWBOT",
        user_id="U0DWBOT",
        name="dw",
        bot_token=BOT_TOKEN,
        app_token=APP_TOKEN,
        events=USUAL_EVENTS,
        icon=":wrench:",
        has_home=True,
        shortcuts=(
            Shortcut(callback_id="dw.show_open", name="Open incidents", kind="shortcut"),
            Shortcut(callback_id="dw.stop_all", name="Stop", kind="shortcut"),
            Shortcut(callback_id="dw.stop_here", name="Stop"),
        ),
    ),
    App(
        app_id=SENDER_APP,
        bot_id="B0DAGPLUS",
        user_id="U0DAGPLUS",
        name="Dagster+",
        bot_token=SENDER_TOKEN,
        icon=":octopus:",
    ),
)
_CHANNELS = (
    Channel(
        id=ALERTS,
        name="data-alerts",
        members=(*_EVERYBODY, "U0DWBOT", "U0DAGPLUS"),
        topic="What broke, and what is being done about it",
    ),
    Channel(
        id="C0GROWTH",
        name="growth",
        members=(*_EVERYBODY, "U0DWBOT"),
        topic="Growth standup, daily 09:30 UTC",
    ),
    Channel(id="C0GENERAL", name="general", members=_EVERYBODY),
)
_COMMANDS = (
    SlashCommand(
        command="/dw",
        app_id=BOT_APP,
        description="Incidents, who is waited for, receipts, stop",
        usage_hint="status | waiting | receipts | stop | resume",
        completions=(
            Completion(text="status", description="what is open, and how the work stands"),
            Completion(text="incidents", description="the latest, open and closed"),
            Completion(text="waiting", description="what waits for a yes, and whose"),
            Completion(text="receipts", description="the latest closing records"),
            Completion(text="stop", description="halt everything, at once"),
            Completion(text="resume", description="lift the stop"),
            Completion(text="away until friday →", description="who decides for me meanwhile"),
            Completion(text="back", description="I am there again"),
            Completion(text="who-can", description="who could approve it now, and why"),
        ),
        should_escape=True,
    ),
)


def name_of(person_id: str) -> str:
    """What people call the one with this id; the id itself when it is nobody's here."""
    return next((person.name for person in _PEOPLE if person.id == person_id), person_id)


def workspace_seed() -> WorkspaceSeed:
    """The demo's workspace as it opens."""
    return WorkspaceSeed(
        team=Team(id="T0DEMO", name="Demo", domain="demo"),
        people=_PEOPLE,
        apps=_APPS,
        channels=_CHANNELS,
        usergroups=(
            UserGroup(id="S0ONCALL", handle="data-oncall", name="Data on call", users=("U0CLEO",)),
        ),
        commands=_COMMANDS,
    )
