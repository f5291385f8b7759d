"""Remembers and drives: use cases, store, worker, and the one place where everything is wired."""
