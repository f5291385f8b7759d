"""dbt's own files, whoever ran dbt: the manifest as lineage, run_results as what failed.

Read with msgspec, not pydantic: a manifest of a large project is 70 MB, nine tenths of it never looked at.
Typed structs skip that part while they parse: a tenth of the time and a third of the memory. Parsing holds
up everything else in the process, so that time counts twice.
"""

from connectors.dbt.artifacts import Manifest, RunResults, manifest, run_results
from connectors.dbt.lineage import lineage_of
from connectors.dbt.results import Outcome, outcome_of
from connectors.dbt.source import DbtManifest

__all__ = [
    "DbtManifest",
    "Manifest",
    "Outcome",
    "RunResults",
    "lineage_of",
    "manifest",
    "outcome_of",
    "run_results",
]
