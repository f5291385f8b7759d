"""docs/configuration.md is what the code says, and the example loads."""

from pathlib import Path

from bot.cli.reference import reference
from tests.bot.cli.fakes import EXAMPLE, dw

PAGE = EXAMPLE.with_name("configuration.md")


def test_the_page_is_current() -> None:
    """To mend it: `dw config reference > docs/configuration.md`."""
    assert PAGE.read_text(encoding="utf-8") == reference()
    assert dw("config", "reference").output == reference()


def test_the_schema_of_the_generic_webhook_is_current() -> None:
    """To mend it: `dw config webhook-schema > docs/webhooks.schema.json`."""
    page = PAGE.with_name("webhooks.schema.json").read_text(encoding="utf-8")
    assert dw("config", "webhook-schema").output == page


def test_every_setting_and_key_is_explained() -> None:
    for line in reference().splitlines():
        if line.startswith("| "):
            assert line.count("|") == line.count(" | ") + 2
            assert not line.endswith("|  |"), line


def test_what_the_page_links_is_there() -> None:
    assert Path(PAGE.parent / "dw.example.yml").is_file()
