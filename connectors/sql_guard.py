"""Lets exactly one harmless SELECT through, by a list of what is allowed; the rest is refused.

What runs is written anew from the parsed tree, so nothing reaches a database that was not looked at:
no comment, no second statement, no quoting trick. The database's own guards come on top (a read-only
session, a role without grants, time-outs): none of them is enough alone, for `SELECT` can call
functions that change things.
"""

import re
from collections.abc import Iterator
from typing import Literal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from connectors.errors import Rejected

Dialect = Literal["postgres", "duckdb"]
_LONGEST = 20_000
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_SYSTEM = re.compile(r"^(pg_|duckdb_|sqlite_|information_schema$|system$)", re.IGNORECASE)
_DAY = "day"

_CLAUSES = frozenset(
    {
        exp.Select,
        exp.Subquery,
        exp.Union,
        exp.Intersect,
        exp.Except,
        exp.With,
        exp.CTE,
        exp.From,
        exp.Join,
        exp.Where,
        exp.Group,
        exp.Having,
        exp.Order,
        exp.Ordered,
        exp.Limit,
        exp.Offset,
        exp.Distinct,
        exp.Table,
        exp.TableAlias,
        exp.Alias,
        exp.Window,
        exp.WindowSpec,
        exp.Filter,
        exp.WithinGroup,
    }
)
_VALUES = frozenset(
    {
        exp.Identifier,
        exp.Column,
        exp.Star,
        exp.Literal,
        exp.Null,
        exp.Boolean,
        exp.Paren,
        exp.Tuple,
        exp.Interval,
        exp.Var,
        exp.Placeholder,
        exp.DataType,
        exp.DataTypeParam,
        exp.Neg,
        exp.Not,
        exp.Add,
        exp.Sub,
        exp.Mul,
        exp.Div,
        exp.Mod,
        exp.EQ,
        exp.NEQ,
        exp.LT,
        exp.LTE,
        exp.GT,
        exp.GTE,
        exp.Is,
        exp.In,
        exp.Between,
        exp.Like,
        exp.ILike,
    }
)
_FUNCTIONS = frozenset(
    {
        exp.And,
        exp.Or,
        exp.Exists,
        exp.Case,
        exp.If,
        exp.Cast,
        exp.Coalesce,
        exp.Nullif,
        exp.Greatest,
        exp.Least,
        exp.Count,
        exp.Sum,
        exp.Avg,
        exp.Min,
        exp.Max,
        exp.Stddev,
        exp.StddevPop,
        exp.StddevSamp,
        exp.Variance,
        exp.VariancePop,
        exp.Median,
        exp.PercentileCont,
        exp.PercentileDisc,
        exp.Abs,
        exp.Round,
        exp.Floor,
        exp.Ceil,
        exp.Extract,
        exp.DateTrunc,
        exp.TimestampTrunc,
        exp.Date,
        exp.Lower,
        exp.Upper,
        exp.Length,
        exp.Trim,
        exp.RowNumber,
    }
)
_ALLOWED = _CLAUSES | _VALUES | _FUNCTIONS
_TYPES = frozenset(
    {
        *exp.DataType.NUMERIC_TYPES,
        *exp.DataType.TEXT_TYPES,
        *exp.DataType.TEMPORAL_TYPES,
        exp.DataType.Type.BOOLEAN,
        exp.DataType.Type.INTERVAL,
        exp.DataType.Type.UUID,
    }
)


class UnsafeSql(Rejected):
    """This SQL is not one plain SELECT. Nothing was sent. Change it in dw.yml."""


def one_select(sql: str, dialect: Dialect) -> str:
    """The same SELECT, written anew, with `:day` as the first bound parameter, of type date.

    Raises `UnsafeSql`, which says what stands in the way.
    """
    tree = _parsed(sql, dialect)
    if not isinstance(tree, exp.Select):
        raise UnsafeSql(f"only SELECT may be asked, not {_name(tree)}. Nothing was sent.")
    if len(tree.selects) != 1 or tree.is_star:
        raise UnsafeSql("ask for exactly one column, a number. Nothing was sent.")
    for node in tree.walk():
        reason = next(_objections(node), None)
        if reason:
            raise UnsafeSql(f"{reason}. Nothing was sent.")
    return _written(_bound(tree), dialect)


def table_name(name: str) -> str:
    """`schema.table`, each part checked and quoted. Raises `UnsafeSql` for anything but plain names."""
    parts = name.split(".")
    if len(parts) > 3 or not all(_PLAIN_NAME.fullmatch(part) for part in parts):  # noqa: PLR2004 - catalog.schema.table
        raise UnsafeSql(f"{name[:80]!r} is not the name of a table. Nothing was sent.")
    return ".".join(f'"{part}"' for part in parts)


def column_name(name: str) -> str:
    """A column, checked and quoted."""
    if not _PLAIN_NAME.fullmatch(name):
        raise UnsafeSql(f"{name[:80]!r} is not the name of a column. Nothing was sent.")
    return f'"{name}"'


def _parsed(sql: str, dialect: Dialect) -> exp.Expr:
    if len(sql) > _LONGEST:
        raise UnsafeSql(f"it is longer than {_LONGEST} characters. Nothing was sent.")
    try:
        statements = [each for each in sqlglot.parse(sql, dialect=dialect) if each is not None]
    except (SqlglotError, RecursionError):
        says = f"it can't be understood as {dialect} SQL. Nothing was sent."
        statements = []
    else:
        says = f"it holds {len(statements)} statements, not one. Nothing was sent."
    if len(statements) != 1:
        raise UnsafeSql(says)
    return statements[0]


def _objections(node: exp.Expr) -> Iterator[str]:
    """Why this node may not stand in the query."""
    if type(node) not in _ALLOWED:
        what = "function" if isinstance(node, exp.Func) else "construct"
        yield f"the {what} {_name(node)} is not on the list of allowed ones"
    if isinstance(node, exp.Table):
        yield from _about_table(node)
    if isinstance(node, exp.With) and node.args.get("recursive"):
        yield "a recursive WITH may run for ever"
    if isinstance(node, exp.DataType) and node.this not in _TYPES:
        yield f"a cast to {node.sql()[:40]} is not allowed"
    if isinstance(node, exp.Placeholder) and node.this != _DAY:
        yield "only :day may be filled in"


def _about_table(node: exp.Table) -> Iterator[str]:
    """Plain names only: a quoted one may be a file or an address to some engines."""
    for part in node.parts:
        if not isinstance(part, exp.Identifier) or not _PLAIN_NAME.fullmatch(part.name):
            yield f"{part.sql()[:60]} is not the name of a table"
        elif _SYSTEM.match(part.name):
            yield f"{part.name} is a table of the system"


def _bound(tree: exp.Select) -> exp.Expr:
    def bind(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Placeholder):
            return exp.cast(exp.Parameter(this=exp.Literal.number(1)), "date")
        return node

    return tree.transform(bind)


def _written(tree: exp.Expr, dialect: Dialect) -> str:
    """The tree as text that, read again, says the same: else text and tree may mean different things."""
    try:
        text = tree.sql(dialect=dialect, comments=False)
        again = [each.sql(dialect=dialect) for each in sqlglot.parse(text, dialect=dialect) if each]
    except (SqlglotError, RecursionError):
        text, again = "", []
    if again == [text]:
        return text
    raise UnsafeSql(f"it can't be written as {dialect} SQL without a doubt. Nothing was sent.")


def _name(node: exp.Expr) -> str:
    return (node.name if isinstance(node, exp.Anonymous) else node.key).upper()[:60]
