"""docs/configuration.md, written from the models themselves so that it can't grow old."""

from collections.abc import Iterator
from typing import Any

from bot.settings.model import SECRET_FIELDS, Settings, variable
from policies.rules import Rules

_HEAD = """\
<!-- Written by `dw config reference`. Change the descriptions in bot/settings and policies/rules, not this page. -->
# Configuration

Two places, and nothing else: *settings and secrets* in the environment, *rules* in one file, `dw.yml`.
`dw config check` names every mistake in the file, each with its line; `dw doctor` looks at everything else.

## Settings

Every secret may come from a file instead: set the same name with `_FILE` to its path.

| variable | default | what it is |
|---|---|---|
"""
_SECRETS = """
### Secrets of connections

For each connection of `dw.yml`; `<NAME>` is its name in capitals, `-` written as `_`. Each has its `_FILE` too.

| variable | what it is |
|---|---|
| `DW_<NAME>_TOKEN` | reads |
| `DW_<NAME>_ACT_TOKEN` | starts what was approved; where reading needs a token, nothing is started without this one |
| `DW_<NAME>_PASSWORD` | the password of a database; use a role that may only read |

### Secrets of webhooks

| variable | what it is |
|---|---|
| `DW_HOOK_<NAME>_SECRET` | what a webhook of `dw.yml` proves itself by; without it `dw` does not start: see [webhooks.md](webhooks.md) |

### Authenticators

| variable | what it is |
|---|---|
| `DW_TOTP_<Slack id>` | the secret of that person's authenticator app, in base 32; asked for where a domain has `step_up` on |
"""
_RULES = """
## dw.yml

[dw.example.yml](dw.example.yml) is a whole one. An editor completes and checks it with the output of
`dw config schema`. Lengths of time are written `30s`, `15m`, `2h`, `1d`; every time is UTC. A key that does not exist
is an error, and so is a secret.
"""


def reference() -> str:
    """The whole page."""
    return _HEAD + "\n".join(_settings()) + "\n" + _SECRETS + _RULES + "\n".join(_rules()) + "\n"


def _settings() -> Iterator[str]:
    for name, field in Settings.model_fields.items():
        secret = name in SECRET_FIELDS and name != "database_url"
        shown = "–" if field.default is None or secret else f"`{_plain(field.default)}`"
        yield f"| `{variable(name)}` | {shown} | {field.description} |"


def _plain(default: object) -> str:
    if isinstance(default, bool):
        return "on" if default else "off"
    reveal = getattr(default, "get_secret_value", None)
    return str(reveal() if reveal else default)


def _rules() -> Iterator[str]:
    schema = Rules.model_json_schema()
    yield from _table("The file itself", schema)
    parts = sorted((_place(name, schema), part["title"]) for name, part in schema["$defs"].items())
    for place, name in parts:
        yield from _table(f"`{place}`", schema["$defs"][name])


def _table(title: str, part: dict[str, Any]) -> Iterator[str]:
    yield f"\n### {title}\n\n{part['description']}\n"
    yield "| key | needed | what it is |\n|---|---|---|"
    for key, field in part["properties"].items():
        needed = "yes" if key in part.get("required", ()) else _default(field)
        yield f"| `{key}` | {needed} | {_choices(field)}{field['description']} |"


def _default(field: dict[str, Any]) -> str:
    default = field.get("default")
    if default in (None, [], {}):
        return "–"
    return f"– (`{str(default).lower() if isinstance(default, bool) else default}`)"


def _choices(field: dict[str, Any]) -> str:
    choices = [f"`{choice}`" for choice in field.get("enum", ())]
    return ", ".join(choices) + ": " if choices else ""


def _place(name: str, schema: dict[str, Any]) -> str:
    """Where a part stands: `senders[…]`, `domains.<name>.chain[…]`."""
    for owner, part in (("", schema), *schema["$defs"].items()):
        for key, field in part["properties"].items():
            if f"#/$defs/{name}'" in str(field):
                before = f"{_place(owner, schema)}." if owner else ""
                kind = {"array": "[…]", "object": ".<name>"}.get(field.get("type", ""), "")
                return f"{before}{key}{kind}"
    return name
