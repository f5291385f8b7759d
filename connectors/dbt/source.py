"""A manifest in a file as a source of lineage. Read again only when the file has changed."""

import asyncio
from pathlib import Path

from connectors.dbt.artifacts import manifest
from connectors.dbt.lineage import lineage_of
from connectors.errors import NotFound
from policies.lineage import Lineage


class DbtManifest:
    """`path` is where dbt, or whatever copies its target folder, leaves manifest.json."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._lineage = Lineage()

    async def lineage(self) -> Lineage:
        """Everything in the file. `NotFound` when it can't be read, `Malformed` when it is no manifest."""
        try:
            found = await asyncio.to_thread(self._changed)
        except OSError as error:
            why = error.strerror or "it can't be read"
            raise NotFound(
                f"{self._path} could not be read: {why}. Check lineage in dw.yml"
            ) from error
        if found is not None:
            data, seen = found
            self._lineage, self._seen = lineage_of(manifest(data)), seen
        return self._lineage

    def _changed(self) -> tuple[bytes, tuple[int, int]] | None:
        found = self._path.stat()
        seen = (found.st_mtime_ns, found.st_size)
        return None if seen == self._seen else (self._path.read_bytes(), seen)
