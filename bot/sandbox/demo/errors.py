"""What can end the demo before its time. Each message tells a person what was missing.

DemoFailed
├── AlreadyRunning    another demo uses this folder
├── NotInstalled      Dagster's environment or PostgreSQL is not there
├── ProcessFailed     a process ended that should not have
├── Missing           something did not come in time
└── WentWrong         something came, but not what the story needs
"""


class DemoFailed(Exception):
    """The demo could not go on."""


class AlreadyRunning(DemoFailed):
    """Another demo uses this folder. Nothing was started."""


class NotInstalled(DemoFailed):
    """Something to be run is not there; the message says how to get it."""


class ProcessFailed(DemoFailed):
    """A process of the demo ended badly or did not come up; the message holds the end of its log."""


class Missing(DemoFailed):
    """What was waited for did not come in time; the message says what."""


class WentWrong(DemoFailed):
    """A system refused, or did the opposite of what the story needs; the message says which."""
