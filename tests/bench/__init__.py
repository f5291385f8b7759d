"""Figures as ratios: `python -m tests.bench` measures and writes docs/bench.md."""
