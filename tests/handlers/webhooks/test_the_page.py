"""docs/webhooks.md: a section for every kind, and its command works as it stands."""

import asyncio
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from bot.clock import SystemClock
from handlers.webhooks.outcomes import Outcome
from policies.webhooks import HOOKS
from tests.handlers.webhooks.conftest import Gate
from tests.handlers.webhooks.senders import SECRET

PAGE = (Path(__file__).parents[3] / "docs" / "webhooks.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in re.split(r"^### ", PAGE, flags=re.M)[1:]}


def test_every_kind_has_a_section_that_says_where_its_shape_is_from() -> None:
    assert SECTIONS.keys() == HOOKS.keys()
    for kind, text in SECTIONS.items():
        assert f"`kind: {kind}`" in text
        assert "From: " in text or kind == "generic"


def test_every_outcome_is_explained() -> None:
    table = PAGE[PAGE.index("| outcome |") : PAGE.index("All are counted")]
    assert set(re.findall(r"`([a-z_]+)`", table)) >= {one.word for one in Outcome}


@pytest.mark.loopback
@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("openssl"), reason="no curl here")
@pytest.mark.parametrize("kind", sorted(HOOKS))
async def test_the_command_of_a_kind_works_as_it_stands(gate: Gate, kind: str) -> None:
    gate.clock.set(SystemClock().now())
    (script,) = re.findall(r"```sh\n(.*?)```", SECTIONS[kind], flags=re.S)
    shell = await asyncio.create_subprocess_exec(
        "bash",
        "-euc",
        script,
        env={
            "PATH": os.environ["PATH"],  # noqa: TID251 - where curl is
            "DW": str(gate.client.base_url).rstrip("/"),
            "SECRET": SECRET,
            "NO_PROXY": "*",
        },
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await shell.communicate()
    assert json.loads(said) == {"ok": True, "outcome": "accepted"}
