"""The closing record: what it says, how it is chained, and what it says in short."""

from policies.receipt.body import body
from policies.receipt.chain import GENESIS, Broken, Receipt, canonical, seal, verify
from policies.receipt.summary import sealed_at, summary

__all__ = [
    "GENESIS",
    "Broken",
    "Receipt",
    "body",
    "canonical",
    "seal",
    "sealed_at",
    "summary",
    "verify",
]
