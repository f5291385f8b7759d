"""Which payloads come from another workspace."""

from dataclasses import replace
from typing import Any

import pytest

from handlers.elsewhere import elsewhere
from handlers.payloads.own import Identity

ME = Identity(team="T1", user="U0DWBOT", bot="B0DWBOT", app="A0DWBOT", enterprise=None)


@pytest.mark.parametrize(
    ("body", "other"),
    [
        ({"team": {"id": "T1"}, "user": {"team_id": "T2"}}, None),
        ({"team": {"id": "T2"}, "user": {"team_id": "T2"}}, "T2"),
        ({"team_id": "T2", "command": "/dw"}, "T2"),
        ({"team_id": "T2", "event": {}, "authorizations": [{"team_id": "T1"}]}, None),
        ({"team_id": "T2", "event": {}, "authorizations": [{"team_id": "T3"}]}, "T2"),
        ({"team": None}, None),
    ],
    ids=["a guest of ours", "a tap", "a command", "a shared channel", "an event", "not told"],
)
def test_a_payload_of_another_workspace_is_known(body: dict[str, Any], other: str | None) -> None:
    assert elsewhere(body, ME) == other


def test_all_workspaces_of_our_own_organisation_are_ours() -> None:
    body = {"team": {"id": "T2"}, "enterprise": {"id": "E1"}}
    assert elsewhere(body, replace(ME, enterprise="E1")) is None
    assert elsewhere(body, replace(ME, enterprise="E2")) == "T2"
