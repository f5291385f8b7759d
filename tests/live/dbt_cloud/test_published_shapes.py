"""The stub of a dbt Cloud account against the shapes that dbt Labs publishes.

Their file carries no licence, so it is not kept here: put `openapi-v2.yaml` of dbt-labs/dbt-cloud-openapi-spec
at the place below to run this.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.building import NOW, a_plan, approved
from tests.connectors.contract import well
from tests.connectors.contract.doers import DOERS
from tests.connectors.contract.readers import KINDS
from tests.connectors.dbt_cloud.account import DAILY, ROOT, Account

pytestmark = pytest.mark.published
PUBLISHED = Path(__file__).parents[3] / ".live" / "dbt_cloud_openapi_v2.yaml"
RELATED = {"include_related": '["trigger","job","run_steps"]'}
ASKED = [
    ("GET", "/api/v2/accounts/{account_id}/runs/", "runs/", RELATED),
    ("GET", "/api/v2/accounts/{account_id}/runs/{id}/", "runs/70403110001/", RELATED),
    ("GET", "/api/v2/accounts/{account_id}/jobs/", "jobs/", {}),
    ("GET", "/api/v2/accounts/{account_id}/jobs/{id}/", f"jobs/{DAILY}/", {}),
    ("POST", "/api/v2/accounts/{account_id}/jobs/{job_id}/run/", f"jobs/{DAILY}/run/", {}),
]
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "number": (int, float),
}


@pytest.fixture(scope="module")
def published() -> Mapping[str, Any]:
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED.name} is not there; see the head of this file")
    found: Mapping[str, Any] = yaml.safe_load(PUBLISHED.read_text(encoding="utf-8"))
    assert "dbt" in found["info"]["title"]
    return found


@pytest.mark.parametrize(
    ("method", "path", "asked", "query"), ASKED, ids=lambda each: str(each)[:60]
)
def test_what_the_stub_answers_fits_what_is_published(
    published: Mapping[str, Any], method: str, path: str, asked: str, query: dict[str, str]
) -> None:
    account = Account()
    account.ran(20)
    status, body = account.answer(method, f"{ROOT}/{asked}", query, {"cause": "dw x"})
    answers = published["paths"][path][method.lower()]["responses"]
    schema = answers["200"]["content"]["application/json"]["schema"]
    assert status == 200
    assert [*misfits(published, schema, body, "")] == []


@pytest.mark.parametrize(
    "name", ["order_by", "status", "job_definition_id", "finished_at__range", "limit", "offset"]
)
def test_what_runs_are_asked_by_is_published(published: Mapping[str, Any], name: str) -> None:
    runs = published["paths"]["/api/v2/accounts/{account_id}/runs/"]["get"]
    assert name in {parameter["name"] for parameter in runs["parameters"]}


def test_a_trigger_takes_a_cause(published: Mapping[str, Any]) -> None:
    wanted = published["components"]["schemas"]["TriggerRunRequestRequest"]
    assert wanted["properties"]["cause"]["type"] == "string"


async def test_all_that_is_asked_and_sent_is_published(published: Mapping[str, Any]) -> None:
    """Each question of the reader, and a start: their paths, and what they are narrowed by."""
    kind, wire = KINDS["dbt cloud"], well.dbt_cloud()
    for ask in kind.asks().values():
        await ask(kind.reader(wire))
    doer = DOERS["dbt cloud"]
    await doer.build(wire).act(doer.step, approved(a_plan(doer.step)), key="DW-1:x:1", now=NOW)
    assert [*unpublished(published, wire)] == []


def unpublished(spec: Mapping[str, Any], wire: Account) -> Iterator[str]:
    for method, path, query in wire.asked:
        known = next((one for one in spec["paths"] if pattern(one).fullmatch(path)), None)
        if known is None or method.lower() not in spec["paths"][known]:
            yield f"{method} {path}"
            continue
        named = {each.get("name") for each in spec["paths"][known][method.lower()]["parameters"]}
        yield from (f"{path}?{name}" for name in query if name not in named)


def pattern(path: str) -> re.Pattern[str]:
    """The last part of a path may hold more than one: an artifact is a file in a folder."""
    return re.compile(re.sub(r"\\\{\w+\\\}", r"[^/]+", re.escape(path)))


def misfits(
    spec: Mapping[str, Any], schema: Mapping[str, Any], value: Any, at: str
) -> Iterator[str]:
    """Each field that is not published, or of another type than published."""
    schema = resolved(spec, schema)
    if value is None or "oneOf" in schema:
        return
    kind = TYPES.get(schema.get("type", ""))
    if kind and not isinstance(value, kind):
        yield f"{at}: {type(value).__name__} instead of {schema['type']}"
    if isinstance(value, list):
        for each in value:
            yield from misfits(spec, schema.get("items", {}), each, f"{at}[]")
    if isinstance(value, dict) and schema.get("properties"):
        for name, inner in value.items():
            known = schema["properties"].get(name)
            if known is None:
                yield f"{at}.{name}: not published"
            else:
                yield from misfits(spec, known, inner, f"{at}.{name}")


def resolved(spec: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema behind a reference; parts of an `allOf` as one."""
    while "$ref" in schema:
        schema = spec["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    parts = [resolved(spec, part) for part in schema.get("allOf", ())]
    if not parts:
        return schema
    properties = {k: v for part in parts for k, v in part.get("properties", {}).items()}
    return {"type": "object", "properties": properties}
