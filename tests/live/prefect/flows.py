"""Two flows that a real runner serves, in an environment of its own."""

import sys

from prefect import flow, serve, task


@task
def extract(day: str) -> list[str]:
    return [day]


@task
def load(rows: list[str], *, fail: bool) -> int:
    if fail:
        raise ValueError("duplicate key event_id=42, password=planted-secret")
    return len(rows)


@flow(name="sessions")
def sessions(day: str = "2026-09-28", fail: bool = False) -> int:
    return load(extract(day), fail=fail)


@flow(name="checks-itself")
def checks_itself() -> None:
    raise RuntimeError("no rows for the day")


if __name__ == "__main__":
    sys.path.insert(0, "")
    serve(
        sessions.to_deployment("prod", version="release-7"),
        checks_itself.to_deployment("prod"),
        checks_itself.to_deployment("untold"),
    )
