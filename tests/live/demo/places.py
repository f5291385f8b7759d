"""Where the checkout and Dagster's environment are (`make .venv-dagster/.ready`)."""

from pathlib import Path

ROOT = Path(__file__).parents[3]
DAGSTER = ROOT / ".venv-dagster"
