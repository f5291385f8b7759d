"""Every way to forge a yes that was thought of, and the test that tries it through a real door.

Each is refused, recorded where there is something to record, and answered in words. Slack's door is tried over
sockets and over HTTP, the page's door over a real web server.
"""

from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_DOOR = "tests/journeys/test_forgery.py"
_REPLAY = "tests/journeys/test_replays.py"
_LINK = "tests/handlers/mail/test_forged_links.py"
_LIST = "tests/handlers/mail/test_many.py"
_LOGIN = "tests/handlers/mail/test_login.py"
_STALE = "test_unsigned_wrongly_signed_and_stale_requests_stay_outside"
_TAPS = "test_nothing_that_is_forged_at_a_button_counts_and_the_real_yes_does"
_TRAITS = "test_a_member_taken_out_of_the_group_and_one_who_became_another_a_second_ago"
_COMMAND = "test_a_command_without_a_fresh_signature_stays_outside_and_a_recorded_one_is_known"

FORGERIES: tuple[tuple[str, str, str], ...] = (
    ("a request that nobody signed", _DOOR, _STALE),
    ("a request signed with another secret", _DOOR, _STALE),
    ("a request signed more than five minutes ago", _DOOR, _STALE),
    ("a request whose body was changed after it was signed", _DOOR, _STALE),
    ("a tap that is delivered once more", _DOOR, _TAPS),
    ("a command that is delivered once more", _REPLAY, "test_a_command_sent_once_more_changes"),
    ("a command recorded and sent again, in time and too late", _REPLAY, _COMMAND),
    ("a payload of another workspace", _DOOR, "another_workspace"),
    ("a button whose value was edited", _DOOR, "an_edited_value"),
    ("a button for something else than was shown", _DOOR, "an_edited_digest"),
    ("a request of another incident", _DOOR, "a_request_of_another_incident"),
    ("a tap by an outsider of the chain", _DOOR, "an_outsider"),
    ("a tap with somebody else's name in it", _DOOR, "somebody_in_another_name"),
    ("a tap by a guest, a bot, a stranger, a deactivated account", _DOOR, _TRAITS),
    ("a tap by a member taken out of the group a second ago", _DOOR, _TRAITS),
    ("an alert whose words and buttons imitate a request", _DOOR, "an_alert_that_imitates"),
    ("a link whose signature was edited", _LINK, "test_an_edited_signature"),
    ("a link that is used twice", _LINK, "test_a_link_counts_once"),
    ("a link that is used twice at once", _LINK, "test_two_answers_at_once_by_one_link_are_one"),
    ("a link of somebody who may not decide", _LINK, "test_the_link_of_somebody_who_may_not"),
    ("a link that somebody else opens", _LOGIN, "test_somebody_else_who_has_the_link_sees_and"),
    ("a link to what has changed since", _LINK, "test_a_link_to_what_has_changed_since"),
    ("a link to what is void or over", _LINK, "test_a_link_to_a_void_request"),
    ("a link to another incident", _LINK, "test_a_link_to_another_incident"),
    ("a mail scanner that opens every link", "tests/handlers/mail/test_page.py", "test_no_get_"),
    ("a form that the page did not show", _LINK, "test_a_post_without_the_token_of_the_page"),
    ("a form sent from another browser", _LINK, "test_a_post_from_another_browser"),
    ("a form sent from another site", _LINK, "test_a_post_from_another_site"),
    ("a form that lay open too long", _LINK, "test_a_page_that_lay_open_too_long"),
    ("a list of other requests, or for somebody else", _LIST, "test_a_list_is_bound_to_its"),
    ("an answer to a list that has changed since", _LIST, "test_a_plan_that_changed_meanwhile"),
    ("a login whose claims do not hold", _LOGIN, "test_claims_that_do_not_hold_let_nobody_in"),
)


@pytest.mark.parametrize(("what", "file", "name"), FORGERIES, ids=[x[0] for x in FORGERIES])
def test_it_is_tried_through_a_door(what: str, file: str, name: str) -> None:
    assert f"async def {name}" in (_ROOT / file).read_text(), what
