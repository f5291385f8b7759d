"""What the doctor found, by name."""

import json
from typing import Any

from tests.bot.cli.fakes import Result, dw, fake_house

AT = "Tue, 29 Sep 2026 00:41:05 GMT"
SECRET = "hunter2-hunter2"


def examined(**rooms: Any) -> tuple[Result, dict[str, tuple[bool | None, str]]]:
    result = dw("doctor", "--json", house=fake_house(**rooms))
    told = json.loads(result.stdout)
    assert told["ok"] is (result.exit_code == 0)
    return result, {f["name"]: (f["ok"], f["says"]) for f in told["findings"]}
