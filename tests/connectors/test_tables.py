"""An answer is one number or none: what could hold somebody's data is refused without showing it."""

from decimal import Decimal

import pytest

from connectors.errors import Rejected
from connectors.tables import number


@pytest.mark.parametrize(
    "rows",
    [[(1,), (2,)], [(1, 2)], [("ana@example.com",)], [(True,)], [("ana@example.com", 1), (2, 3)]],
)
def test_more_than_one_number_is_refused_and_none_of_it_is_shown(rows: list[tuple[object]]) -> None:
    with pytest.raises(Rejected) as refused:
        number(rows, "warehouse")
    assert "ana" not in str(refused.value)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], None),
        ([(None,)], None),
        ([(7,)], 7),
        ([(Decimal("7.0"),)], 7),
        ([(7.5,)], 7.5),
        ([(float("nan"),)], None),
    ],
)
def test_one_number_is_the_answer_and_no_row_or_null_is_none(
    rows: list[tuple[object]], expected: object
) -> None:
    assert number(rows, "warehouse") == expected
