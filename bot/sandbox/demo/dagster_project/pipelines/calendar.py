"""The days this pipeline knows."""

from datetime import UTC, date, datetime

import dagster as dg

FIRST_DAY = date(2026, 8, 24)
LAST_DAY = date(2026, 9, 28)


def _days_still_to_come() -> int:
    """The night is dated; on a clock that runs before it, its partition must exist all the same."""
    return max(0, (LAST_DAY - datetime.now(UTC).date()).days + 1)


daily = dg.DailyPartitionsDefinition(
    start_date=FIRST_DAY.isoformat(), end_offset=_days_still_to_come()
)
