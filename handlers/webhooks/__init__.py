"""Webhooks in: who sends is proven, what is sent is read by its kind, and it is stored before the answer."""

from handlers.webhooks.receiving import Doors
from handlers.webhooks.tally import Tally

__all__ = ["Doors", "Tally"]
