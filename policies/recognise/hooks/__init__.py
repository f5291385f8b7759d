"""Webhook → alerts, or the reason why there is none. Who sends decides how it is read; words never do.

To add a sender: see `policies.webhooks`. A reader is pure, and tested in tests/policies/hooks with its payloads.
"""

from collections.abc import Mapping, Sequence

from policies.recognise.hooks import (
    airflow,
    alertmanager,
    astro,
    dagster_plus,
    dbt_cloud,
    generic,
    monte_carlo,
    openlineage,
    pagerduty,
    prefect,
)
from policies.recognise.hooks.wire import Delivery, Found, Hook, Reader
from policies.webhooks import Webhook

__all__ = ["READERS", "Delivery", "Hook", "hook_of", "read"]

#: kind of sender → who reads what it sends
READERS: Mapping[str, Reader] = {
    "airflow": airflow.read,
    "alertmanager": alertmanager.read,
    "astro": astro.read,
    "dagsterplus": dagster_plus.read,
    "dbt_cloud": dbt_cloud.read,
    "generic": generic.read,
    "grafana": alertmanager.read,
    "monte_carlo": monte_carlo.read,
    "openlineage": openlineage.read,
    "pagerduty": pagerduty.read,
    "prefect": prefect.read,
}


def hook_of(name: str, webhook: Webhook) -> Hook:
    """What a reader must know of a webhook."""
    return Hook(
        name=name, system=webhook.kind, connection=webhook.connection, assets=webhook.assets
    )


def read(delivery: Delivery) -> Sequence[Found]:
    """What a delivery says. Raises `ValueError`, mostly pydantic's, when it is not of the sender's shape."""
    return READERS[delivery.hook.system](delivery)
