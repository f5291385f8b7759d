"""Whatever address people copy, the API is asked and the page is shown."""

import pytest

from connectors.errors import NotFound
from connectors.prefect.address import Address

ACCOUNT, SPACE = "0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-000000000002"
CLOUD_API = f"https://api.prefect.cloud/api/accounts/{ACCOUNT}/workspaces/{SPACE}"
CLOUD_PAGES = f"https://app.prefect.cloud/account/{ACCOUNT}/workspace/{SPACE}"


@pytest.mark.parametrize(
    ("url", "api", "pages"),
    [
        ("http://host:4200", "http://host:4200/api", "http://host:4200"),
        ("http://host:4200/api/", "http://host:4200/api", "http://host:4200"),
        ("https://host/prefect/api", "https://host/prefect/api", "https://host/prefect"),
        (CLOUD_API, CLOUD_API, CLOUD_PAGES),
        (f"{CLOUD_PAGES}/dashboard", CLOUD_API, CLOUD_PAGES),
    ],
)
def test_both_addresses_come_from_either(url: str, api: str, pages: str) -> None:
    found = Address.of(url, "prefect")
    assert (found.api, found.pages) == (api, pages)
    assert found.run("r") == f"{pages}/runs/flow-run/r"


@pytest.mark.parametrize("url", ["", "host:4200", "ftp://host", "https://app.prefect.cloud/"])
def test_what_is_no_address_says_how_to_write_one(url: str) -> None:
    with pytest.raises(NotFound, match="write it as http"):
        Address.of(url, "prefect")
