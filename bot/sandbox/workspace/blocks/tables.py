"""The blocks that hold much: rich text, tables, charts."""

from typing import Any

from bot.sandbox.workspace.blocks.check import (
    Check,
    Problems,
    anything,
    choice,
    every,
    flag,
    items,
    length,
    number,
    rule,
    shape,
    string,
    tagged,
)
from bot.sandbox.workspace.blocks.pieces import ID

BASE: dict[str, Check] = {"type": anything, "block_id": ID}

_RICH_PARTS = ("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote")
_RICH_LEAVES = (
    *(
        "text",
        "link",
        "user",
        "usergroup",
        "channel",
        "emoji",
        "broadcast",
        "date",
        "color",
        "team",
    ),
    *_RICH_PARTS,
)


def _rich_leaf(value: Any, at: str, problems: Problems) -> None:
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in _RICH_LEAVES:
        problems.append((f"{at}/type", f"unsupported type: {kind}"))
    elif kind == "text" and not value.get("text"):
        problems.append((f"{at}/text", "must be more than 0 characters"))
    elif kind in _RICH_PARTS:
        _RICH_PART(value, at, problems)


_RICH_PART = shape(
    {"type": choice(*_RICH_PARTS), "elements": items(_rich_leaf, 1000, 0)},
    {"style": anything, "indent": number(0, 8), "offset": number(0, 1000), "border": number(0, 1)},
)
RICH_TEXT = shape({"elements": items(_RICH_PART, 1000)}, BASE)
RICH = tagged({"rich_text": RICH_TEXT})

_CELL = tagged(
    {
        "raw_text": shape({"type": anything, "text": string(20_000)}),
        "raw_number": shape(
            {"type": anything, "value": number(-1e300, 1e300)}, {"text": string(255)}
        ),
        "rich_text": RICH_TEXT,
    }
)
_HEADER_CELL = tagged(
    {"raw_text": shape({"type": anything, "text": string(20_000)}), "raw_number": anything}
)
_COLUMN = shape({}, {"align": choice("left", "center", "right"), "is_wrapped": flag})


def _column(value: Any, at: str, problems: Problems) -> None:
    if value is not None:
        _COLUMN(value, at, problems)


def _header_cells(block: dict[str, Any]) -> str:
    problems: Problems = []
    rows = block.get("rows")
    if isinstance(rows, list) and rows:
        items(_HEADER_CELL, 20)(rows[0], "", problems)
    return "header cells can't be rich_text" if problems else ""


def _same_width(block: dict[str, Any]) -> str:
    rows = block.get("rows")
    widths = (
        {len(row) for row in rows if isinstance(row, list)} if isinstance(rows, list) else set()
    )
    return "all rows must have the same number of cells" if len(widths) > 1 else ""


def _cell_text(block: dict[str, Any]) -> str:
    return "" if words(block.get("rows")) <= 20_000 else "must be less than 20001 characters"  # noqa: PLR2004 - Slack's limit for one table


def words(value: Any) -> int:
    """How many characters of text a block holds, wherever they stand."""
    if isinstance(value, dict):
        own = value.get("text")
        return (length(own) if isinstance(own, str) else 0) + sum(
            words(v) for k, v in value.items() if k != "text" or not isinstance(v, str)
        )
    return sum(words(v) for v in value) if isinstance(value, list) else 0


_POINT = shape({"label": string(20), "value": number(-1e300, 1e300)})
_SLICE = shape({"label": string(20), "value": number(1e-300, 1e300)})
_SERIES = shape({"name": string(20), "data": items(_POINT, 20)})
_AXES: dict[str, Check] = {
    "categories": items(string(20), 20),
    "x_label": string(50),
    "y_label": string(50),
}
CHART = tagged(
    {
        "pie": shape({"type": anything, "segments": items(_SLICE, 12)}),
        **{
            kind: shape(
                {"type": anything, "series": items(_SERIES, 12)}, {"axis_config": shape({}, _AXES)}
            )
            for kind in ("line", "bar", "area")
        },
    }
)


TABLE = shape(
    {"rows": items(items(_CELL, 20), 100)}, {**BASE, "column_settings": items(_column, 20)}
)
DATA_TABLE = every(
    shape(
        {"rows": items(items(_CELL, 20), 201, 2), "caption": string(255)},
        {**BASE, "page_size": number(1, 100), "row_header_column_index": number(0, 19)},
    ),
    rule(_header_cells),
    rule(_same_width),
    rule(_cell_text),
)
