"""Foreign text can't do anything in Slack but be read."""

import re

from hypothesis import given
from hypothesis import strategies as st

from handlers.mrkdwn import code, cut, escape, fence, line, link, told, units, where, who

NASTY = "<!channel> <@U0ANA> <https://evil.example|Approve> & `x` ```y```"


def test_nobody_is_mentioned_by_foreign_text() -> None:
    for shown in (escape(NASTY), line(NASTY), code(NASTY), fence(NASTY)):
        assert "<" not in shown
        assert "&lt;!channel&gt;" in shown


def test_the_workers_words_keep_its_people_and_times_and_nothing_else() -> None:
    ours = "<@U0ANA> approved this at <!date^1790642460^{time}|00:41 UTC>"
    assert told(f"{ours}: {'<!channel> <!here|x> <https://evil.example|Approve>'}") == (
        f"{ours}: &lt;!channel&gt; &lt;!here|x&gt; &lt;https://evil.example|Approve&gt;"
    )


def test_code_and_fences_can_not_be_left() -> None:
    assert code(NASTY).count("`") == 2
    assert fence(NASTY).count("```") == 2
    assert "`" not in fence(NASTY).strip("`\n").replace("\n```", "")


def test_nothing_is_ever_empty_where_slack_wants_words() -> None:
    assert code("") == "`–`"
    assert fence("\n") == "```\n–\n```"


@given(st.text(), st.integers(20, 200))
def test_what_is_cut_fits_and_no_entity_or_link_is_halved(text: str, limit: int) -> None:
    marked = escape(text) + "<https://x.example/a|b>" + escape(text)
    short = cut(marked, limit)
    assert units(short) <= limit
    whole = r"(?:&(?:amp|lt|gt);|<https://x\.example/a\|b>|[^&<>])*"
    assert re.fullmatch(whole, short)


def test_a_cut_inside_a_fence_closes_it() -> None:
    assert cut("```\n" + "x" * 100, 50).count("```") == 2


def test_emoji_count_twice_as_slack_counts_them() -> None:
    assert units("🔥") == 2
    assert units(cut("🔥" * 100, 51)) <= 51


def test_a_link_that_may_not_be_tapped_is_only_its_label() -> None:
    assert link("javascript:alert(1)", "run") == "run"
    assert link("https://x.example/ <!channel>", "run") == "run"
    assert link("https://x.example/a?b=1&c=|", "a|b") == "<https://x.example/a?b=1&amp;c=%7C|a¦b>"


def test_people_groups_and_places_are_shown_as_slack_knows_them() -> None:
    assert who("U0ANA") == "<@U0ANA>"
    assert who("S0ONCALL") == "<!subteam^S0ONCALL>"
    assert who("ana@example.com") == "ana@example.com"
    assert where("C0ALERTS") == "<#C0ALERTS>"
    assert where("direct message") == "direct message"
