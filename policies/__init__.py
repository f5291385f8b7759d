"""Decides: pure functions over frozen data. No clock, no network, no database, no logging."""
