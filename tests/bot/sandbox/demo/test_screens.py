"""What the demo makes of the bot's messages."""

from bot.sandbox.demo.screens import plain, words


def test_the_words_of_a_message_are_those_of_its_blocks() -> None:
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": "*Receipt 1*"}},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "sha256"}]},
        {"type": "actions", "elements": []},
    ]
    assert words({"text": "short", "blocks": blocks}) == "*Receipt 1*\nsha256"


def test_a_message_without_blocks_says_its_text() -> None:
    assert words({"text": "short"}) == "short"


def test_markup_becomes_what_a_terminal_can_show() -> None:
    text = "<@U0ANA> at <!date^1^{time}|07:15 UTC>, <http://x|the run>, R&amp;D, <@U0NOBODY>"
    assert plain(text) == "@ana at 07:15 UTC, the run, R&D, @U0NOBODY"
