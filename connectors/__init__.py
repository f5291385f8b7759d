"""Touches the data stack: readers look, actuators change."""
