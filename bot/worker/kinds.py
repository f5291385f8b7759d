"""Every kind of work and the function that does it. The list is the registration."""

from collections.abc import Mapping
from typing import Final

from bot.worker import (
    acting,
    asking,
    catching_up,
    closing,
    following,
    intake,
    investigating,
    joining,
    levelling,
    mailing,
    noticing,
    observing,
    polling,
    refreshing,
    replying,
    showing,
    sourcing,
    stepping,
)
from bot.worker.loop import Work

KINDS: Final[Mapping[str, Work]] = {
    "intake": intake.intake,
    "diagnose": investigating.diagnose,
    "plan": investigating.plan,
    "ask": asking.ask,
    "remind": asking.remind,
    "expire": asking.expire,
    "steps": stepping.steps,
    "act": acting.act,
    "follow": following.follow,
    "watch": following.watch,
    "verify": closing.verify,
    "receipt": closing.receipt,
    "anchor": closing.anchor,
    "level": levelling.tell,
    "show": showing.show,
    "homes": showing.homes,
    "shadow": observing.shadow,
    "whisper": showing.whisper,
    "mail": mailing.mail,
    "reply": replying.reply,
    "join": joining.join,
    "poll": polling.poll,
    "sighting": sourcing.sighting,
    "notice": noticing.notice,
    "refresh": refreshing.refresh_all,
    "catch_up": catching_up.catch_up,
}
