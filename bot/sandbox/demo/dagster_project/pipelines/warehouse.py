"""The warehouse as the pipeline sees it: one DuckDB file, opened for as long as a statement takes."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

PATIENCE_S = 20


@contextmanager
def warehouse() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that may write. Other processes read the same file, so it waits its turn."""
    connection = _open(os.environ["DW_DEMO_WAREHOUSE"], time.monotonic() + PATIENCE_S)
    try:
        yield connection
    finally:
        connection.close()


def _open(path: str, until: float) -> duckdb.DuckDBPyConnection:
    while True:
        try:
            return duckdb.connect(path)
        except duckdb.IOException:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
