"""The doctor at Slack: tokens, the address, and whether both clocks agree."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx

from bot.cli.house import House
from bot.clock import Clock
from bot.health import Finding, Producer
from bot.settings import Settings
from policies.rules import Rules

AMBER, RED = timedelta(seconds=60), timedelta(seconds=300)
"""Slack's signatures are refused at five minutes of drift, and deadlines shown to people are wrong before."""


def producers(house: House, settings: Settings, rules: Rules | None) -> Mapping[str, Producer]:
    """Tokens and channels, address and clock."""
    channels = rules.alert_channels if rules else ()
    return {
        "slack tokens": partial(_tokens, house, settings, channels),
        "slack address": partial(_address, settings.slack_base_url),
        "clock": partial(_clock, settings.slack_base_url, house.clock),
    }


async def _tokens(house: House, settings: Settings, channels: Sequence[str]) -> Sequence[Finding]:
    missing = settings.missing()
    if missing:
        return [Finding(name="slack tokens", ok=False, says=says) for says in missing]
    return await house.slack(settings, channels)


async def _address(url: str) -> Sequence[Finding]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "http" and not _here(host):
        says = f"tokens travel unencrypted to {host} → set DW_SLACK_BASE_URL to an https address"
        return [Finding(name="slack address", ok=False, says=says)]
    if host == "slack.com" or host.endswith(".slack.com"):
        return [Finding(name="slack address", ok=True, says=url)]
    says = f"DW_SLACK_BASE_URL speaks to {host}, which is not Slack"
    return [Finding(name="slack address", ok=None, says=says)]


async def _clock(url: str, clock: Clock) -> Sequence[Finding]:
    before = clock.now()
    try:
        async with httpx.AsyncClient(timeout=10) as client:
            answer = await client.post(url + "api.test")
    except httpx.HTTPError as error:
        says = f"can't be compared: {url} was not reached ({type(error).__name__}: {error})"
        return [Finding(name="clock", ok=False, says=says)]
    middle = before + (clock.now() - before) / 2
    date = answer.headers.get("Date")
    if date is None:
        return [Finding(name="clock", ok=None, says=f"can't be compared: {url} tells no time")]
    return [drift(parsedate_to_datetime(date) - middle)]


def drift(ahead: timedelta) -> Finding:
    """What it means that Slack's clock is `ahead` of ours (or behind, when negative)."""
    seconds = abs(ahead.total_seconds())
    says = (
        f"this machine is {seconds:.0f} s {'behind' if ahead > timedelta() else 'ahead of'} Slack"
    )
    if seconds <= AMBER.total_seconds():
        return Finding(name="clock", ok=True, says=says)
    ok = None if seconds <= RED.total_seconds() else False
    return Finding(name="clock", ok=ok, says=f"{says} → set its clock (NTP)")


def _here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
