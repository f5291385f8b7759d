"""What a login lends is as secret as what it was lent for."""

import httpx
import pytest
import respx

from connectors.airflow.api import Api
from connectors.airflow.doors import Password
from connectors.errors import Rejected
from connectors.http import Patience
from tests.connectors.airflow.fake_airflow import SECRET, URL, response


@respx.mock
async def test_a_token_that_comes_back_is_not_shown(respx_mock: respx.MockRouter) -> None:
    respx_mock.get(f"{URL}/api/v2/version").mock(return_value=response("v2_version"))
    respx_mock.post(f"{URL}/auth/token").mock(return_value=response("v2_token"))
    echo = httpx.Response(422, json={"detail": f"odd: planted-jwt for {SECRET}"})
    respx_mock.get(f"{URL}/api/v2/dags").mock(return_value=echo)
    api = Api("airflow", URL, Password("airflow", URL, "ana", SECRET), patience=Patience(whole=2))
    with pytest.raises(Rejected, match=r"odd: \*\*\* for \*\*\*"):
        await api.get("dags")
    await api.close()
