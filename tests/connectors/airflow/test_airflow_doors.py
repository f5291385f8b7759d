"""Each way an Airflow knows us, on the wire."""

import asyncio
import base64
import json

import httpx
import pytest
import respx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from connectors.airflow.api import Api
from connectors.airflow.doors import Bearer, Door, Password
from connectors.airflow.google import MACHINE, TOKEN_URL, Google
from connectors.airflow.mwaa import MwaaApi, Signer, WebLogin
from connectors.errors import Broken, Forbidden, Malformed, NotFound
from connectors.http import Patience
from tests.connectors.airflow.fake_airflow import SECRET, URL, response

PAIR = "AKIAPLANTED:planted-secret:planted-session"
AWS = "https://env.airflow.eu-west-1.amazonaws.com"
RUNS = {"dag_runs": [], "total_entries": 0}


def api(door: Door) -> Api:
    return Api("airflow", URL, door, patience=Patience(whole=2, pause=0.01))


async def ask(door: Door) -> object:
    asking = api(door)
    try:
        return await asking.get("dags/~/dagRuns", {"state": ["failed", "queued"]})
    finally:
        await asking.close()


def a_server(wire: respx.MockRouter, major: int) -> respx.Route:
    other = 3 - (major - 1)
    wire.get(f"{URL}/api/v{other}/version").mock(return_value=httpx.Response(404, text="<html>"))
    version = response(f"v{major - 1}_version")
    wire.get(f"{URL}/api/v{major - 1}/version").mock(return_value=version)
    return wire.get(url__startswith=f"{URL}/api/v{major - 1}/dags/~/dagRuns").mock(
        return_value=httpx.Response(200, json=RUNS)
    )


@respx.mock
async def test_a_password_goes_to_airflow_2_with_each_request(respx_mock: respx.MockRouter) -> None:
    runs = a_server(respx_mock, 2)
    assert await ask(Password("airflow", URL, "ana", SECRET)) == RUNS
    sent = runs.calls.last.request.headers["authorization"]
    assert base64.b64decode(sent.removeprefix("Basic ")) == b"ana:planted-secret"


@respx.mock
async def test_for_airflow_3_a_password_is_changed_into_a_token_once(
    respx_mock: respx.MockRouter,
) -> None:
    runs = a_server(respx_mock, 3)
    login = respx_mock.post(f"{URL}/auth/token").mock(return_value=response("v2_token"))
    asking = api(Password("airflow", URL, "ana", SECRET))
    await asyncio.gather(*(asking.get("dags/~/dagRuns") for _ in range(4)))
    assert login.call_count == 1
    assert json.loads(login.calls.last.request.content) == {"username": "ana", "password": SECRET}
    assert runs.calls.last.request.headers["authorization"] == "Bearer planted-jwt"
    await asking.close()


@pytest.mark.parametrize("ended", ["v2_expired", "v2_bad_token"])
@respx.mock
async def test_a_token_that_ended_is_renewed_once(respx_mock: respx.MockRouter, ended: str) -> None:
    runs = a_server(respx_mock, 3)
    runs.side_effect = [response(ended), httpx.Response(200, json=RUNS)]
    login = respx_mock.post(f"{URL}/auth/token").mock(return_value=response("v2_token"))
    assert await ask(Password("airflow", URL, "ana", SECRET)) == RUNS
    assert login.call_count == 2


@respx.mock
async def test_a_token_that_is_refused_again_is_not_renewed_for_ever(
    respx_mock: respx.MockRouter,
) -> None:
    a_server(respx_mock, 3).mock(return_value=response("v2_expired"))
    login = respx_mock.post(f"{URL}/auth/token").mock(return_value=response("v2_token"))
    with pytest.raises(Forbidden, match="Token Expired"):
        await ask(Password("airflow", URL, "ana", SECRET))
    assert login.call_count == 2


@respx.mock
async def test_a_missing_permission_is_no_reason_to_log_in_again(
    respx_mock: respx.MockRouter,
) -> None:
    a_server(respx_mock, 3).mock(return_value=response("v2_forbidden"))
    login = respx_mock.post(f"{URL}/auth/token").mock(return_value=response("v2_token"))
    with pytest.raises(Forbidden, match="may not do this"):
        await ask(Password("airflow", URL, "ana", SECRET))
    assert login.call_count == 1


@respx.mock
async def test_a_wrong_password_is_told_without_it(respx_mock: respx.MockRouter) -> None:
    a_server(respx_mock, 3)
    respx_mock.post(f"{URL}/auth/token").mock(return_value=response("v2_token_refused"))
    with pytest.raises(Forbidden, match="refused user ana") as caught:
        await ask(Password("airflow", URL, "ana", SECRET))
    assert SECRET not in str(caught.value)


@respx.mock
async def test_a_login_in_trouble_is_trouble_and_not_a_wrong_password(
    respx_mock: respx.MockRouter,
) -> None:
    a_server(respx_mock, 3)
    respx_mock.post(f"{URL}/auth/token").mock(return_value=httpx.Response(503))
    with pytest.raises(Broken):
        await ask(Password("airflow", URL, "ana", SECRET))


@respx.mock
async def test_airflow_2_calls_a_wrong_password_a_missing_permission(
    respx_mock: respx.MockRouter,
) -> None:
    a_server(respx_mock, 2).mock(return_value=response("v1_forbidden"))
    with pytest.raises(Forbidden, match="the same for a wrong user or password"):
        await ask(Password("airflow", URL, "ana", SECRET))


@pytest.mark.parametrize("major", [2, 3])
@respx.mock
async def test_a_token_of_astro_goes_along_as_it_is(
    respx_mock: respx.MockRouter, major: int
) -> None:
    runs = a_server(respx_mock, major)
    assert await ask(Bearer(SECRET)) == RUNS
    assert runs.calls.last.request.headers["authorization"] == f"Bearer {SECRET}"
    assert str(runs.calls.last.request.url).endswith("?state=failed&state=queued")


@respx.mock
async def test_where_even_the_version_needs_a_login_it_is_asked_with_one(
    respx_mock: respx.MockRouter,
) -> None:
    a_server(respx_mock, 3)
    version = respx_mock.get(f"{URL}/api/v2/version")
    version.side_effect = [httpx.Response(401), response("v2_version")]
    assert await ask(Bearer(SECRET)) == RUNS
    assert version.calls.last.request.headers["authorization"] == f"Bearer {SECRET}"


@respx.mock
async def test_google_lends_a_token_to_the_machine(respx_mock: respx.MockRouter) -> None:
    runs = a_server(respx_mock, 3)
    lender = respx_mock.get(MACHINE).mock(
        return_value=httpx.Response(200, json={"access_token": "planted-oauth"})
    )
    assert await ask(Google("airflow", None)) == RUNS
    assert lender.calls.last.request.headers["metadata-flavor"] == "Google"
    assert runs.calls.last.request.headers["authorization"] == "Bearer planted-oauth"


@respx.mock
async def test_google_lends_a_token_for_the_signed_word_of_a_service_account(
    respx_mock: respx.MockRouter,
) -> None:
    runs = a_server(respx_mock, 2)
    lender = respx_mock.post(TOKEN_URL).mock(
        return_value=httpx.Response(200, json={"access_token": "planted-oauth"})
    )
    assert await ask(Google("airflow", _service_account())) == RUNS
    form = dict(pair.split("=") for pair in lender.calls.last.request.content.decode().split("&"))
    claim = json.loads(base64.urlsafe_b64decode(form["assertion"].split(".")[1] + "=="))
    assert (claim["iss"], claim["aud"]) == ("dw@example.com", TOKEN_URL)
    assert runs.calls.last.request.headers["authorization"] == "Bearer planted-oauth"


def test_a_key_that_is_none_is_told_without_it() -> None:
    with pytest.raises(NotFound, match="JSON key of a service account") as caught:
        Google("airflow", "planted-secret")
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize(
    ("major", "path", "cookie"),
    [(2, "/aws_mwaa/login", "session"), (3, "/pluginsv2/aws_mwaa/login", "_token")],
)
@respx.mock
async def test_amazon_changes_a_signed_wish_into_a_session(
    respx_mock: respx.MockRouter, major: int, path: str, cookie: str
) -> None:
    runs = a_server(respx_mock, major)
    wish = respx_mock.post(f"{AWS}/webtoken/prod").mock(
        return_value=httpx.Response(200, json={"WebToken": "planted-web", "WebServerHostname": "x"})
    )
    login = respx_mock.post(URL + path).mock(
        return_value=httpx.Response(302, headers={"set-cookie": f"{cookie}=planted-cookie; Path=/"})
    )
    assert await ask(WebLogin(Signer("airflow", "eu-west-1", PAIR), URL, "prod")) == RUNS
    signed = wish.calls.last.request.headers
    assert "Credential=AKIAPLANTED/" in signed["authorization"]
    assert "/eu-west-1/airflow/aws4_request" in signed["authorization"]
    assert signed["x-amz-security-token"] == "planted-session"
    assert login.calls.last.request.content == b"token=planted-web"
    told = runs.calls.last.request.headers
    assert told.get("cookie", told.get("authorization", "")).endswith("planted-cookie")


@respx.mock
async def test_amazon_without_a_session_is_told(respx_mock: respx.MockRouter) -> None:
    a_server(respx_mock, 3)
    web = httpx.Response(200, json={"WebToken": "planted-web"})
    respx_mock.post(f"{AWS}/webtoken/prod").mock(return_value=web)
    respx_mock.post(f"{URL}/pluginsv2/aws_mwaa/login").mock(return_value=httpx.Response(403))
    with pytest.raises(Forbidden, match="gave no session"):
        await ask(WebLogin(Signer("airflow", "eu-west-1", PAIR), URL, "prod"))


@respx.mock
async def test_amazon_wraps_each_request_and_unwraps_the_answer(
    respx_mock: respx.MockRouter,
) -> None:
    def invoked(request: httpx.Request) -> httpx.Response:
        sent = json.loads(request.content)
        told = {"version": "3.0.6"} if sent["Path"] == "/version" else RUNS
        return httpx.Response(200, json={"RestApiStatusCode": 200, "RestApiResponse": told})

    route = respx_mock.post(f"{AWS}/restapi/prod").mock(side_effect=invoked)
    assert await ask(MwaaApi(Signer("airflow", "eu-west-1", PAIR), "prod")) == RUNS
    assert json.loads(route.calls.last.request.content) == {
        "Path": "/dags/~/dagRuns",
        "Method": "GET",
        "QueryParameters": {"state": ["failed", "queued"]},
    }
    assert "AWS4-HMAC-SHA256" in route.calls.last.request.headers["authorization"]


@respx.mock
async def test_what_airflow_refuses_behind_amazon_is_told_in_its_own_words(
    respx_mock: respx.MockRouter,
) -> None:
    said = {"RestApiStatusCode": 404, "RestApiResponse": {"detail": "no such run", "status": 404}}
    version = {"RestApiStatusCode": 200, "RestApiResponse": {"version": "2.10.3"}}
    respx_mock.post(f"{AWS}/restapi/prod").side_effect = [
        httpx.Response(200, json=version),
        httpx.Response(400, json=said),
    ]
    with pytest.raises(NotFound, match="no such run"):
        await ask(MwaaApi(Signer("airflow", "eu-west-1", PAIR), "prod"))


@respx.mock
async def test_what_amazon_itself_refuses_is_told(respx_mock: respx.MockRouter) -> None:
    denied = httpx.Response(403, json={"Message": "User is not authorized: airflow:InvokeRestApi"})
    respx_mock.post(f"{AWS}/restapi/prod").mock(return_value=denied)
    with pytest.raises(Forbidden):
        await ask(MwaaApi(Signer("airflow", "eu-west-1", PAIR), "prod"))


def test_a_pair_that_is_none_is_told_without_it() -> None:
    with pytest.raises(NotFound, match="KEY_ID:SECRET") as caught:
        Signer("airflow", "eu-west-1", "planted-secret")
    assert "planted" not in str(caught.value)


@respx.mock
async def test_a_login_that_gives_no_token_is_malformed(respx_mock: respx.MockRouter) -> None:
    a_server(respx_mock, 3)
    respx_mock.post(f"{URL}/auth/token").mock(return_value=httpx.Response(201, json={"token": "x"}))
    with pytest.raises(Malformed, match="without access_token"):
        await ask(Password("airflow", URL, "ana", SECRET))


def _service_account() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return json.dumps(
        {"client_email": "dw@example.com", "private_key": pem.decode(), "private_key_id": "1"}
    )


@respx.mock
async def test_a_key_that_can_not_sign_is_told_without_it(respx_mock: respx.MockRouter) -> None:
    a_server(respx_mock, 2)
    key = {"client_email": "dw@example.com", "private_key": "planted-secret"}
    with pytest.raises(NotFound, match="private_key in its token is none") as caught:
        await ask(Google("airflow", json.dumps(key)))
    assert "planted" not in str(caught.value)
