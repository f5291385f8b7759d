"""One harmless SELECT passes; whatever else people have tried does not."""

import contextlib

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from connectors.sql_guard import UnsafeSql, column_name, one_select, table_name

DIALECTS = ("postgres", "duckdb")
GOOD = [
    "select dau from fct_daily_active_users where day = :day",
    "select count(*) from raw_sessions where started_at::date = :day",
    "SELECT sum(amount) FILTER (WHERE ok) FROM s.orders WHERE day = :day",
    "with d as (select * from t where day = :day) select count(distinct user_id) from d",
    "select count(*) from a left join b using (id) where b.id is null and a.day = :day",
    "select avg(x) from (select sum(y) as x from t where day between :day - 7 and :day group by z) q",
    "select count(*)::numeric / nullif(sum(n), 0) from t where lower(name) like 'a%'",
    "select coalesce(max(x), 0) from t where day >= :day and day < :day + interval '1 day'",
    "select percentile_cont(0.5) within group (order by x) from t where day = :day",
    "select case when count(*) > 0 then 1 else 0 end from t -- a note\n;",
    "select 1 /* /* what looks like more is a comment */ ; drop table t -- */",
]
BAD = [
    # more than one statement, or none
    "select 1; drop table t",
    "select 1; select 2",
    "",
    ";",
    "-- only a comment",
    # not a SELECT
    "insert into t values (1)",
    "update t set a = 1",
    "delete from t",
    "truncate t",
    "drop table t",
    "create table x as select 1",
    "copy t to '/tmp/x'",
    "copy t from program 'id'",
    "call refresh()",
    "do $$ begin perform 1; end $$",
    "explain analyze delete from t",
    "set transaction read write",
    "begin",
    "vacuum t",
    "listen x",
    "prepare p as select 1",
    "values (1)",
    "table t",
    "select 1 union select 2",
    # a SELECT that changes something
    "with d as (delete from t returning *) select count(*) from d",
    "with d as (insert into t values (1) returning 1 as a) select a from d",
    "with d as (update t set a = 1 returning a) select a from d",
    "select 1 into x from t",
    "select a into temporary x from t",
    "select a from t for update",
    "select a from t for share skip locked",
    # functions that act, reveal or sleep
    "select pg_terminate_backend(1)",
    "select pg_catalog.pg_terminate_backend(1)",
    'select "pg_terminate_backend"(1)',
    "select pg_cancel_backend(pid) from pg_stat_activity",
    "select pg_sleep(60)",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select lo_import('/etc/passwd')",
    "select lo_unlink(1)",
    "select dblink('host=evil', 'select 1')",
    "select dblink_exec('drop table t')",
    "select set_config('a', 'b', false)",
    "select current_setting('data_directory')",
    "select setval('s', 1)",
    "select nextval('s')",
    "select pg_notify('a', 'b')",
    "select pg_advisory_lock(1)",
    "select query_to_xml('delete from t', true, true, '')",
    "select pg_switch_wal()",
    "select pg_reload_conf()",
    "select current_user",
    "select version()",
    "select my_function(1)",
    "select count(*) from t where pg_sleep(1) is null",
    "select count(*) from t order by pg_sleep(1)",
    "select case when true then pg_sleep(1) end",
    "select count(*) filter (where pg_sleep(1) is null) from t",
    "select 1 where exists (select pg_sleep(1))",
    # functions that give rows
    "select * from generate_series(1, 1000000000)",
    "select generate_series(1, 1000000000)",
    "select unnest(array[1, 2])",
    "select count(*) from unnest(array[1, 2]) u",
    "select count(*) from t, lateral (select 1) l",
    "select count(*) from pg_ls_dir('/') d",
    # files, addresses and other databases
    "select count(*) from read_csv('/etc/passwd')",
    "select count(*) from read_csv_auto('https://evil.example.com/x')",
    "select count(*) from read_parquet('s3://b/x')",
    "select count(*) from read_json('x')",
    "select count(*) from read_text('/etc/passwd')",
    "select count(*) from read_blob('/etc/passwd')",
    "select count(*) from glob('/*')",
    "select count(*) from '/etc/passwd'",
    "select count(*) from 'x.csv'",
    'select count(*) from "x.csv"',
    'select count(*) from "https://evil.example.com/x.parquet"',
    "select count(*) from sqlite_scan('a', 'b')",
    "select count(*) from postgres_scan('a', 'b', 'c')",
    "select count(*) from query('select 1')",
    "select getenv('HOME')",
    "attach 'x.db' as x",
    "install httpfs",
    "load httpfs",
    "export database 'x'",
    "pragma database_list",
    # tables of the system
    "select count(*) from pg_shadow",
    "select count(*) from pg_catalog.pg_authid",
    "select count(*) from information_schema.tables",
    'select count(*) from "PG_SHADOW"',
    "select count(*) from duckdb_settings()",
    "select count(*) from duckdb_secrets",
    # rows instead of a number, and what can't be bounded
    "select * from t",
    "select t.* from t",
    "select a, b from t",
    "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r",
    "select columns('a.*') from t",
    # parameters that are not the day
    "select a from t where b = :other",
    "select a from t where b = $1",
    "select a from t where b = ?",
    "select a from t where b = %(day)s and c = %s",
    # casts that look things up, and odd syntax
    "select 'pg_shadow'::regclass",
    "select a::my_type from t",
    "select (t).secret from t",
    "select a operator(pg_catalog.+) b from t",
    "select U&'\\0061'",
    "select array[1]",
    "select a[1] from t",
    "select row(1, 2)",
    "select $$x$$; drop table t",
    "select 'it''s' ; drop table t --'",
    "select(" * 2000 + "1" + ")" * 2000,
    "select 1 where a = '" + "x" * 30_000 + "'",
]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", GOOD)
def test_a_plain_select_passes_and_passes_again_as_written(sql: str, dialect: str) -> None:
    written = one_select(sql, dialect)
    assert written.startswith(("SELECT", "WITH"))
    assert ":day" not in written
    assert one_select(written.replace("$1", ":day"), dialect) == written.replace(
        "CAST($1 AS DATE)", "CAST(CAST($1 AS DATE) AS DATE)"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", BAD)
def test_an_attack_does_not_pass(sql: str, dialect: str) -> None:
    with pytest.raises(UnsafeSql, match=r"Nothing was sent"):
        one_select(sql, dialect)


def test_the_refusal_names_what_stands_in_the_way() -> None:
    with pytest.raises(UnsafeSql, match="function PG_SLEEP is not on the list"):
        one_select("select pg_sleep(1)", "postgres")


def test_the_day_is_bound_not_written_in() -> None:
    written = one_select("select a from t where b = :day or c = :day", "postgres")
    assert written == "SELECT a FROM t WHERE b = CAST($1 AS DATE) OR c = CAST($1 AS DATE)"


def test_comments_do_not_reach_the_database() -> None:
    assert one_select("select /* x */ 1 -- y", "duckdb") == "SELECT 1"


FRAGMENTS = st.sampled_from(
    [
        "select",
        "count(*)",
        "from t",
        "where",
        ";",
        "--",
        "/*",
        "*/",
        "'",
        '"',
        "$$",
        "(",
        ")",
        "1",
        "pg_sleep(1)",
        "drop table t",
        "delete from t",
        "union",
        ":day",
        "into x",
        "\\",
        "E'",
        "U&'",
        "with d as (",
        "returning *",
        "'x.csv'",
        "::",
        "[",
        "]",
        ",",
        "=",
        "or",
        "for update",
        "\x00",
    ]
)


@given(st.lists(FRAGMENTS, max_size=12).map(" ".join), st.sampled_from(DIALECTS))
def test_whatever_passes_is_one_select_without_side_effects(sql: str, dialect: str) -> None:
    with contextlib.suppress(UnsafeSql):
        assert_harmless(one_select(sql, dialect), dialect)


@given(st.text(max_size=60), st.sampled_from(DIALECTS))
def test_any_text_is_refused_or_harmless(text: str, dialect: str) -> None:
    with contextlib.suppress(UnsafeSql):
        assert_harmless(one_select(text, dialect), dialect)


@given(st.text(max_size=40), st.sampled_from(DIALECTS))
def test_a_text_in_quotes_stays_a_text(text: str, dialect: str) -> None:
    quoted = text.replace("'", "''")
    with contextlib.suppress(UnsafeSql):
        written = one_select(f"select count(*) from t where a = '{quoted}'", dialect)
        [literal] = sqlglot.parse_one(written, dialect=dialect).find_all(exp.Literal)
        assert literal.this == text
        assert_harmless(written, dialect)


@given(st.sampled_from(GOOD), st.sampled_from(BAD), st.sampled_from(DIALECTS))
def test_an_attack_added_to_a_good_query_does_not_ride_along(
    good: str, bad: str, dialect: str
) -> None:
    for sql in (f"{good.removesuffix(';')}; {bad}", f"{good} {bad}"):
        with contextlib.suppress(UnsafeSql):
            assert_harmless(one_select(sql, dialect), dialect)


@given(st.text(max_size=70))
def test_a_table_name_is_plain_or_refused(name: str) -> None:
    with contextlib.suppress(UnsafeSql):
        assert table_name(name) == ".".join(f'"{part}"' for part in name.split("."))
        assert all(part.isidentifier() and part.isascii() for part in name.split("."))


@pytest.mark.parametrize(
    "name", ['t"; drop table x', "a b", "a.b.c.d", "", "a.", "x.csv'", "ä", "t\n"]
)
def test_a_name_that_is_not_plain_is_refused(name: str) -> None:
    with pytest.raises(UnsafeSql):
        table_name(name)
    with pytest.raises(UnsafeSql):
        column_name(name)


def assert_harmless(written: str, dialect: str) -> None:
    [tree] = sqlglot.parse(written, dialect=dialect)
    assert isinstance(tree, exp.Select)
    changes = (exp.Insert, exp.Update, exp.Delete, exp.Into, exp.Command, exp.Anonymous, exp.Create)
    assert not list(tree.find_all(*changes))
