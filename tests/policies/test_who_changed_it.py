"""What the commits between two runs amount to: a cause, words about it, and whom it is blamed on."""

from dataclasses import replace
from typing import Any

import pytest

from policies.authors import addresses, blame, whom
from policies.bans import bans, quorum, untold
from policies.diagnosis import code
from policies.evidence import Diagnosis
from policies.facts import Facts
from policies.playbook import NoPlan, draft
from policies.seats import Bans
from policies.standing import ban
from tests.building import a_person, a_plan, a_request
from tests.policies import blamed, night
from tests.policies.blamed import ANA, FAILED, GOOD, KIM, MENDED, image

ON = Bans()


def diagnosis(said: night.Answer | None = None, **repository: Any) -> Diagnosis:
    found, _ = night.think(night.incident(), blamed.answers(said), blamed.rules(repository))
    return found


def says(found: Diagnosis, name: str = "code_changed") -> list[str]:
    cause = next(one for one in found.causes if one.name == name)
    return [finding.says for finding in (*cause.for_, *cause.against)]


def test_the_card_says_what_came_in_by_whom_and_how_long_before() -> None:
    found = diagnosis()
    assert found.cause is not None
    assert (found.cause.name, found.cause.confidence) == ("code_changed", 0.75)
    assert says(found) == [
        "changed since the last good run (28 Sep 00:41 UTC): `1bbbbbb` *fewer columns* by Ana Ortiz, 2 h before",
        "step raw_sessions raised KeyError: 'plan'",
    ]


def test_several_are_told_newest_first_and_the_rest_is_counted() -> None:
    five = [blamed.commit(n, authors=[ANA, KIM]) for n in range(1, 6)]
    found = says(diagnosis(blamed.changes(ANA, KIM, between=7, commits=five)))
    assert found[0].endswith("`1bbbbbb` *fewer columns* by Ana Ortiz and Kim Roe, 2 h before")
    assert [line[:13] for line in found[1:3]] == ["and `2bbbbbb`", "and `3bbbbbb`"]
    assert found[3] == "and 4 more before these"


def test_formatting_in_foreign_words_is_none() -> None:
    evil = blamed.commit(subject="*x* `y`\n*Approved* by <@U0DEE>", authors=[{"name": "*E*`v`e"}])
    found = says(diagnosis(blamed.changes(ANA, commits=[evil])))[0]
    assert found.count("*") == 2
    assert found.count("`") == 2


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-09-29T00:10:00+00:00", ", 20 min before"),
        ("2026-09-20T00:30:00+00:00", ", 9 days before"),
        ("2026-09-29T00:31:00+00:00", ""),
        ("no time", ""),
    ],
)
def test_how_long_before_is_told_in_the_unit_that_fits(at: str, told: str) -> None:
    found = says(diagnosis(blamed.changes(ANA, commits=[blamed.commit(at=at)])))[0]
    assert found.endswith(f"by Ana Ortiz{told}")


def test_the_same_commit_is_said_to_be_no_change_and_nobody_is_asked() -> None:
    told = blamed.answers() | {("dagster", "last_success"): blamed.last_success(commit=FAILED[:8])}
    found, evidence = night.think(night.incident(), told, blamed.rules())
    assert says(found) == ["the code did not change: commit bbbbbbb, as in the last good run"]
    assert [piece for piece in evidence if piece.probe.name == "changes"] == []


def test_commits_that_touch_nothing_of_what_failed_rule_the_code_out() -> None:
    elsewhere = blamed.changes(between=3, paths=["models/raw.py"], touching=0, commits=[])
    found = diagnosis(elsewhere, paths={"raw_*": ["models/raw.py"]})
    assert found.cause is not None
    assert found.cause.name == "step_error"
    assert says(found) == [
        "no commit since the last good run (28 Sep 00:41 UTC) in models/raw.py; 3 elsewhere in the repository"
    ]


def test_a_repository_is_asked_for_the_paths_of_what_failed_only() -> None:
    known = blamed.rules(
        {"paths": {"raw_*": ["models/raw.py"], "sessions_job": ["jobs"], "x": ["y"]}}
    )
    _, evidence = night.think(night.incident(), blamed.answers(), known)
    [asked] = [piece.probe for piece in evidence if piece.probe.name == "changes"]
    assert (asked.connection, dict(asked.params)) == (
        "pipelines",
        {"good": GOOD, "failed": FAILED, "paths": ["models/raw.py", "jobs"], "limit": 20},
    )


def test_equal_versions_and_other_commits_leave_open_what_of_them_counts() -> None:
    told = blamed.answers(blamed.changes(ANA, between=4)) | {
        ("dagster", "last_success"): blamed.last_success(code_version=image(FAILED))
    }
    found, _ = night.think(night.incident(), told, blamed.rules())
    assert found.cause is not None
    assert found.cause.name == "step_error"
    assert (
        "whether the 4 commits since the last good run touch sessions_job: dw.yml names no paths for it"
        in found.unknown
    )


def test_code_that_went_back_has_no_author_and_says_so() -> None:
    back = blamed.changes(between=0, taken_back=2, commits=[])
    assert says(diagnosis(back))[0] == (
        "the code went back: 2 of the last good run's commits are not in this one"
    )
    incident = blamed.incident(back)
    assert bans(incident, a_plan(), ON) == ()
    assert untold(incident, a_plan(), ON)[-1] == (
        "whoever wrote the change that broke it: the code went back, and git does not tell who took it back"
    )


def test_what_is_missing_to_name_somebody_is_said_and_nobody_is_guessed() -> None:
    untagged = blamed.answers() | {("dagster", "last_success"): blamed.last_success(commit=None)}
    found, _ = night.think(night.incident(), untagged, blamed.rules())
    assert "who changed the code: dagster tells no commit of both runs" in found.unknown
    found, _ = night.think(night.incident(), blamed.answers(), night.rules(assets={}))
    assert any(
        "dw.yml names no repository with the code of dagster" in line for line in found.unknown
    )
    gone = "pipelines: it does not have commit aaaaaaaaaaaa"
    found = diagnosis(gone)
    assert f"who changed the code: pipelines could not tell ({gone})" in found.unknown
    said = untold(blamed.incident(gone), a_plan(), ON)[-1]
    assert said == f"whoever wrote the change that broke it: {gone}"


def test_whoever_wrote_it_is_kept_out_by_their_slack_id() -> None:
    [found] = bans(blamed.incident(), a_plan(), ON)
    assert (found.who, found.name, found.by_name) == ("U0ANA", "Ana Ortiz", False)
    assert found.because == "you wrote the change that broke it (bbbbbbb)"
    assert untold(blamed.incident(), a_plan(), ON)[2:] == ()
    assert bans(blamed.incident(), a_plan(), Bans(author=False)) == ()


def test_of_several_changes_each_author_is_kept_out_and_told_that_it_may_be_another() -> None:
    found = bans(blamed.incident(blamed.changes(ANA, KIM, between=4)), a_plan(), ON)
    assert [one.name for one in found] == ["Ana Ortiz", "Kim Roe"]
    assert found[0].because == (
        "you wrote one of the 4 changes since the last good run (bbbbbbb), and one of them broke it"
    )


def test_an_author_whom_slack_does_not_know_is_kept_out_by_name_and_the_rule_says_so() -> None:
    incident = blamed.incident(blamed.changes(KIM))
    [found] = bans(incident, a_plan(), ON)
    request = a_request(a_plan())
    rule = replace(request.rule, banned=(found,))
    for person, kept in (
        (a_person("U0KIM", name="kim", full_name="Kim  ROE"), True),
        (a_person("U0KIM", name="Kim Roe"), True),
        (a_person("U0KIM", email="Kim@old.example.com"), True),
        (a_person("U0KIM", name="Kim Roeder"), False),
    ):
        assert (ban(rule, person) is not None) is kept
    assert (
        "nobody by the address that git has of Kim Roe, so only people called so are kept out"
        in (untold(incident, a_plan(), ON)[-1])
    )


def test_of_very_many_authors_those_not_looked_up_are_counted_as_such_and_not_called_unknown() -> (
    None
):
    crowd = [{"name": f"P{n}", "email": f"p{n}@example.com", "commits": []} for n in range(30)]
    change = blamed.changes(*crowd)
    asked = addresses(blamed.read(change))
    incident = blamed.incident(change, people=dict.fromkeys(asked))
    said = untold(incident, a_plan(), ON)
    assert said[-2].endswith(
        "5 of 30 people were not looked up in Slack, so only people called so are kept out"
    )
    assert "has of P0, P1, P2, P3, P4 and 20 more, so only" in said[-1]
    assert len(bans(incident, a_plan(), ON)) == 30, "each is kept out, looked up or not"


def test_two_people_must_say_yes_where_dw_yml_wants_it_and_an_author_is_not_found() -> None:
    strict = Bans(unmatched_author="two_people")
    unknown, known = blamed.incident(blamed.changes(KIM)), blamed.incident()
    assert (quorum(unknown, strict, 1), quorum(unknown, ON, 1), quorum(known, strict, 1)) == (
        2,
        1,
        1,
    )
    assert quorum(unknown, strict, 3) == 3
    assert quorum(blamed.incident("gone"), strict, 1) == 2
    assert "two people must say yes" in untold(unknown, a_plan(), strict)[-1]


def test_a_name_without_an_address_and_nobody_at_all_keep_out_nobody_else() -> None:
    nameless = {"name": "", "email": "", "commits": []}
    [found] = bans(blamed.incident(blamed.changes(nameless)), a_plan(), ON)
    assert not found.keeps_out(a_person("U0ANA", name="", email=None))


def test_commits_that_carry_another_address_are_somebodys_where_dw_yml_says_whose() -> None:
    known = blamed.rules({"authors": {"Kim@Old.example.com": "U0BO"}})
    assert whom(known, "dagster", KIM["email"]) == "U0BO"
    assert whom(known, "dagster", "x@example.com") == "x@example.com"


def test_nobody_is_blamed_while_something_else_is_likelier() -> None:
    assert blame(night.diagnosed()) is None


def test_the_same_code_is_not_run_again_and_code_that_was_mended_since_is() -> None:
    incident = night.with_radius(blamed.incident())
    same = draft(incident, blamed.rules(), night.lineage(), {"sessions_job": image(FAILED)})
    assert isinstance(same, NoPlan)
    assert "Running the same code again would fail again" in same.why
    assert "since the last good run (1bbbbbb): mend it or revert it" in same.why
    for untellable in (None, "snapshot 1", "commit ccc"):
        plan = draft(incident, blamed.rules(), night.lineage(), {"sessions_job": untellable})
        assert isinstance(plan, NoPlan)
    plan = draft(incident, blamed.rules(), night.lineage(), {"sessions_job": image(MENDED)})
    assert not isinstance(plan, NoPlan)
    [step] = plan.steps
    assert (step.action, step.params["job"], step.code_version) == (
        "run_job",
        "sessions_job",
        image(MENDED),
    )
    assert (
        step.why
        == f"the code was changed again since it failed: a run would use {image(MENDED)} now"
    )


@pytest.mark.parametrize(
    ("failed", "now", "moved"),
    [
        ("version 3 (a1b2c3d)", "version 4 (b2c3d4e)", True),  # Airflow 3
        ("version 3 (a1b2c3d)", "version 3 (a1b2c3d)", False),
        ("a1b2c3d4", "b2c3d4e5", True),  # Prefect
        (
            "image x:1",
            "commit b2c3d4e",
            False,
        ),  # Dagster+ tells a run's image, and a location's commit
        ("a1b2c3d4", None, False),
        (None, "b2c3d4e5", False),
    ],
)
def test_only_versions_of_one_kind_tell_that_code_is_other_code(
    failed: str | None, now: str | None, moved: bool
) -> None:
    run = night.answers() | {("dagster", "run_failure"): night.failed_run(code_version=failed)}
    assert code.moved_on(Facts.of(night.diagnosed(run)), now) is moved
