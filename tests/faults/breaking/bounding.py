"""Breaks of promises 6, 7 and 10: read-only connections, the stop, and reads that are reads."""

from tests.faults.mutation import Edit, Mutation

_NO_ACTUATOR = "tests/connectors/test_no_actuator.py"
_AIRFLOW = "tests/connectors/test_airflow_is_never_triggered.py"
_CAN_RUN = "tests/connectors/airflow/test_airflow_can_run.py"
_STOP = "tests/bot/worker/test_stop.py"
_DECIDING = "tests/bot/worker/test_deciding.py"
_DESK = "tests/bot/test_desk.py"
_UNAVAILABLE = "tests/bot/store/test_unavailable.py"
_GUARD = "tests/connectors/test_sql_guard.py"
_GATE = "tests/connectors/dagster/test_dagster_gate.py"
_SESSIONS = "tests/connectors/test_read_only_sessions.py"
_TABLES = "tests/connectors/test_tables.py"
_OR_NONE = "\n    except StoreUnavailable:\n        {0} = None\n"

AIRFLOW = (
    Mutation(
        promise=5,
        breaks="an Airflow 3 gets an actuator",
        file="connectors/airflow/build.py",
        old="    if connection.version == _ACTS_ON:\n",
        new="    if connection.version:\n",
        caught_by=(f"{_AIRFLOW}::test_an_airflow_that_is_not_called_a_2_has_no_actuator",),
    ),
    Mutation(
        promise=5,
        breaks="an Airflow whose version nobody wrote down gets an actuator",
        file="connectors/airflow/build.py",
        old="    if connection.version == _ACTS_ON:\n",
        new="    if connection.version in (None, _ACTS_ON):\n",
        caught_by=(f"{_AIRFLOW}::test_an_airflow_that_is_not_called_a_2_has_no_actuator",),
    ),
    Mutation(
        promise=5,
        breaks="an Airflow 2 that was upgraded to 3 is still told to run",
        file="connectors/airflow/actuator.py",
        old="        if version.major != _OLD:\n",
        new="        if False:\n",
        caught_by=(
            f"{_AIRFLOW}::test_an_airflow_that_became_a_3_is_told_nothing_whatever_dw_yml_says",
        ),
    ),
    Mutation(
        promise=5,
        breaks="the owner's link opens a form that writes its defaults over what was drafted",
        file="connectors/airflow/pages.py",
        old='    return {"conf": json.dumps(config), **named}\n',
        new='    return {"conf": json.dumps(config)}\n',
        caught_by=(
            f"{_CAN_RUN}::test_the_form_of_airflow_2_is_filled_in_field_by_field_too[2.11]",
        ),
    ),
)

READ_ONLY = (
    Mutation(
        promise=6,
        breaks="a connection pinned read-only gets an actuator",
        file="connectors/catalogue.py",
        old='"dw.yml pins this connection read-only": connection.read_only,',
        new='"dw.yml pins this connection read-only": False,',
        caught_by=(f"{_NO_ACTUATOR}::test_no_actuator_exists_where_nothing_may_be_changed",),
    ),
    Mutation(
        promise=6,
        breaks="DW_ACTING=off is ignored",
        file="connectors/catalogue.py",
        old='"acting is switched off here (DW_ACTING=off)": not acting,',
        new='"acting is switched off here (DW_ACTING=off)": False,',
        caught_by=(f"{_NO_ACTUATOR}::test_no_actuator_exists_where_nothing_may_be_changed",),
    ),
    Mutation(
        promise=6,
        breaks="the token that reads is used to act",
        file="connectors/catalogue.py",
        old="(secret.token or secret.password) and not secret.act_token",
        new="False and not secret.act_token",
        caught_by=(f"{_NO_ACTUATOR}::test_no_actuator_exists_where_nothing_may_be_changed",),
    ),
)

STOP = (
    Mutation(
        promise=7,
        breaks="people can decide while everything is stopped",
        file="bot/worker/deciding.py",
        old="stop = await context.stopped(incident)",
        new="stop = None",
        caught_by=(f"{_DECIDING}::test_nobody_may_decide_while_everything_is_stopped",),
    ),
    Mutation(
        promise=7,
        breaks="steps get ready while everything is stopped",
        file="bot/worker/stepping.py",
        old="    stopped = await context.stopped(incident, step.connection)\n",
        new="    stopped = None\n",
        caught_by=(f"{_STOP}::test_an_approved_step_is_held_before_its_gate_and_says_by_what",),
    ),
    Mutation(
        promise=7,
        breaks="the last look before a call does not look for a stop",
        file="bot/worker/acting.py",
        old="    stopped = await context.stopped(incident, step.connection)\n",
        new="    stopped = None\n",
        caught_by=(f"{_STOP}::test_a_stop_that_comes_at_the_last_moment_still_holds_it",),
    ),
    Mutation(
        promise=7,
        breaks="a start that never arrived is sent again in spite of a stop",
        file="bot/worker/acting.py",
        old="    if await context.stopped(incident, step.connection) is not None:\n",
        new="    if False:\n",
        caught_by=(f"{_STOP}::test_a_start_that_never_arrived_is_not_sent_again_while_stopped",),
        also=(
            Edit(
                file="bot/worker/acting.py",
                old="    if stopped is not None:\n        return held_by(stopped), ()\n",
                new="",
            ),
        ),
    ),
    Mutation(
        promise=7,
        breaks="people are asked while everything is stopped",
        file="bot/worker/investigating.py",
        old="    if stopped:\n        come = Outcome(",
        new="    if False:\n        come = Outcome(",
        caught_by=(f"{_STOP}::test_while_stopped_nobody_is_asked_and_after_the_lift_they_are",),
    ),
    Mutation(
        promise=7,
        breaks="the time of a request runs out while everything is stopped",
        file="bot/worker/asking.py",
        old="    if await _was_stopped(context, incident, state):\n",
        new="    if False:\n",
        caught_by=(f"{_STOP}::test_time_that_a_stop_took_is_given_back",),
    ),
    Mutation(
        promise=7,
        breaks="a database that can't be read counts as no stop when somebody decides",
        file="bot/worker/deciding.py",
        old="    stop = await context.stopped(incident)\n",
        new="    from bot.ports import StoreUnavailable\n"
        "    try:\n        stop = await context.stopped(incident)" + _OR_NONE.format("stop"),
        caught_by=(
            f"{_STOP}::test_nothing_is_decided_while_nobody_can_tell_whether_it_is_stopped",
        ),
    ),
    Mutation(
        promise=7,
        breaks="a database that can't be read counts as no stop when a step would get ready",
        file="bot/worker/stepping.py",
        old="    stopped = await context.stopped(incident, step.connection)\n",
        new="    from bot.ports import StoreUnavailable\n"
        "    try:\n        stopped = await context.stopped(incident, step.connection)"
        + _OR_NONE.format("stopped"),
        caught_by=(f"{_STOP}::test_nothing_starts_while_nobody_can_tell_whether_it_is_stopped",),
    ),
    Mutation(
        promise=7,
        breaks="a database that can't be read counts as no stop just before the call",
        file="bot/worker/acting.py",
        old="    stopped = await context.stopped(incident, step.connection)\n",
        new="    from bot.ports import StoreUnavailable\n"
        "    try:\n        stopped = await context.stopped(incident, step.connection)"
        + _OR_NONE.format("stopped"),
        caught_by=(f"{_STOP}::test_a_step_that_is_ready_does_not_start_while_nobody_can_tell",),
    ),
    Mutation(
        promise=7,
        breaks="anybody lifts a stop",
        file="bot/desk.py",
        old="if person.barred() or not {person.id, person.email} & set(admins):",
        new="if person.barred():",
        caught_by=(f"{_DESK}::test_only_an_admin_named_in_dw_yml_lifts_a_stop",),
    ),
    Mutation(
        promise=7,
        breaks="a bot, a guest or somebody who left lifts a stop",
        file="bot/desk.py",
        old="if person.barred() or not {person.id",
        new="if not {person.id",
        caught_by=(f"{_DESK}::test_an_admin_who_may_not_decide_may_not_lift_either",),
    ),
    Mutation(
        promise=7,
        breaks="an outage of the database is not told as one",
        file="bot/store/engine.py",
        old='            raise StoreUnavailable("The store was closed. Nothing was stored. Start dw again.")',
        new="            return",
        caught_by=(f"{_UNAVAILABLE}::test_a_closed_store_is_unavailable",),
    ),
)

READS = (
    Mutation(
        promise=10,
        breaks="a second statement rides along",
        file="connectors/sql_guard.py",
        old="    if len(statements) != 1:\n",
        new="    if not statements:\n",
        caught_by=(f"{_GUARD}::test_an_attack_does_not_pass",),
    ),
    Mutation(
        promise=10,
        breaks="whatever the parser knows may stand in a query: writes, COPY, functions that act",
        file="connectors/sql_guard.py",
        old="    if type(node) not in _ALLOWED:\n",
        new="    if False:\n",
        caught_by=(
            f"{_GUARD}::test_an_attack_does_not_pass",
            f"{_GUARD}::test_the_refusal_names_what_stands_in_the_way",
        ),
    ),
    Mutation(
        promise=10,
        breaks="tables of the system may be read",
        file="connectors/sql_guard.py",
        old="        elif _SYSTEM.match(part.name):\n",
        new="        elif False:\n",
        caught_by=(f"{_GUARD}::test_an_attack_does_not_pass",),
    ),
    Mutation(
        promise=10,
        breaks="a whole row may be asked for",
        file="connectors/sql_guard.py",
        old="    if len(tree.selects) != 1 or tree.is_star:\n",
        new="    if False:\n",
        caught_by=(f"{_GUARD}::test_an_attack_does_not_pass",),
    ),
    Mutation(
        promise=10,
        breaks="many rows, or words, pass for a number",
        file="connectors/tables.py",
        old="    if len(rows) > 1 or (rows and len(rows[0]) != 1):\n",
        new="    if False:\n",
        also=(),
        caught_by=(f"{_TABLES}::test_more_than_one_number_is_refused_and_none_of_it_is_shown",),
    ),
    Mutation(
        promise=10,
        breaks="a reader's client lets a mutation through",
        file="connectors/dagster/graphql.py",
        old="known = READS | WRITES if writes else READS",
        new="known = READS | WRITES",
        caught_by=(f"{_GATE}::test_a_reader_can_not_send_the_launch_document",),
    ),
    Mutation(
        promise=10,
        breaks="the gate passes what is not ours",
        file="connectors/dagster/graphql.py",
        old='.get("query") in known',
        new='.get("query") in known or True',
        caught_by=(
            f"{_GATE}::test_a_reader_can_not_send_the_launch_document",
            f"{_GATE}::test_an_actuator_can_send_nothing_but_the_documents_of_this_house",
        ),
    ),
    Mutation(
        promise=10,
        breaks="a session of PostgreSQL may write",
        file="connectors/postgres.py",
        old='isolation="repeatable_read", readonly=True',
        new='isolation="repeatable_read", readonly=False',
        caught_by=(f"{_SESSIONS}::test_a_session_of_postgres_refuses_every_write",),
    ),
    Mutation(
        promise=10,
        breaks="a session of DuckDB may write",
        file="connectors/duckdb.py",
        old="read_only=True, config=_SAFE",
        new="read_only=False, config=_SAFE",
        caught_by=(f"{_SESSIONS}::test_a_session_of_duckdb_refuses_every_write",),
    ),
    Mutation(
        promise=10,
        breaks="a session of DuckDB may read files",
        file="connectors/duckdb.py",
        old='    "enable_external_access": "false",\n',
        new="",
        caught_by=(f"{_SESSIONS}::test_a_session_of_duckdb_reads_no_other_file",),
    ),
)
