"""When nothing is proposed: what is known, what was not done, and what a person can do now."""

from policies.diagnosis import changes
from policies.figures import count, listed
from policies.playbook.case import Case, NoPlan
from policies.run import label_of


def source(case: Case) -> NoPlan:
    """The source is short: loading again brings the same."""
    return NoPlan(
        why=(
            f"{_says(case)}. Loading it again would bring the same rows, so nothing was started. "
            f"Ask whoever owns the source, then backfill {case.facts.asset}{case.for_day}."
        )
    )


def code(case: Case) -> NoPlan:
    """The code changed: mend it or take it back."""
    return NoPlan(
        why=(
            f"{_says(case)}. Running the same code again would fail again, so nothing was started. "
            f"Look at what was merged since the last good run{_merged(case)}: mend it or revert it."
        )
    )


def _merged(case: Case) -> str:
    """Their ids only: who wrote what, and in which words, stands on the card with the evidence."""
    known = changes.read(case.facts)
    ids = [str(one.get("id"))[:7] for one in known.commits[: changes.TOLD]] if known else []
    more = known.counted - len(ids) if known else 0
    return f" ({listed([*ids, *([f'{count(more)} more'] if more > 0 else [])])})" if ids else ""


def failed(case: Case) -> NoPlan:
    """No cause that the bot may act on, and no named job to run again."""
    return NoPlan(
        why=f"{_says(case)}. {_unknown(case)}Nothing was started: {_no_job(case)}. {_look(case)}"
    )


def blocked(case: Case, job: str, why: str) -> NoPlan:
    """There is a job to run again, and it would not start, or not be the same run."""
    return NoPlan(
        why=(
            f"{_says(case)}. {job} could be run again, but not now: {why}. Nothing was started. "
            f"{_look(case)}"
        )
    )


def going(case: Case) -> NoPlan:
    """It has not ended: a second run beside it would make it worse."""
    return NoPlan(
        why=(
            f"{case.facts.job or 'The run'} has not ended yet, so nothing is started beside it. "
            f"{_look(case)}"
        )
    )


def retrying(case: Case) -> NoPlan:
    """Its system starts it again by itself: a run of ours beside that would be a second one."""
    told = case.facts.run.get("retry")
    which = "" if told == "pending" else f" (run {label_of(str(told))})"
    return NoPlan(
        why=(
            f"{_says(case)}. {case.connection} starts {case.facts.job or 'it'} again by itself{which}, so "
            f"nothing is started beside it. If that fails too it is told here. {_look(case)}"
        )
    )


def nobody(case: Case, what: str) -> NoPlan:
    """There is something to do, and nobody who could say yes to it."""
    return NoPlan(
        why=(
            f"{_says(case)}. Nobody can be asked: dw.yml names no owner for {what} and nobody else in "
            f"the chain of {case.domain_name}. Nothing was started. Name an owner there."
        )
    )


def _no_job(case: Case) -> str:
    if case.facts.job:
        return f"{case.facts.job} is not among the jobs that dw.yml lets the bot run"
    if case.facts.asset:
        return f"no job that dw.yml lets the bot run builds {case.facts.asset}"
    return "nothing tells which job it was"


def _says(case: Case) -> str:
    said = case.cause.says if case.cause else "no cause fits what could be read"
    return said[0].upper() + said[1:]


def _unknown(case: Case) -> str:
    diagnosis = case.facts.incident.diagnosis
    return f"Not known: {'; '.join(diagnosis.unknown)}. " if diagnosis and diagnosis.unknown else ""


def _look(case: Case) -> str:
    url = case.facts.alert.url
    return f"Look at {url}" if url else f"Look for it in {case.connection}."
