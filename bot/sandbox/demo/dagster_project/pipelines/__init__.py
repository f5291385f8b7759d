"""The pipelines of the growth team, as Dagster loads them."""
