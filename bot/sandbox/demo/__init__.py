"""The demo stack: a real Dagster, a real PostgreSQL pair and a DuckDB warehouse, and one bad night."""
