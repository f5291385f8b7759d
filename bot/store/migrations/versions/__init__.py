"""One module per step, oldest first by number."""
