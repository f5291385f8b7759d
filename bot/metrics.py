"""What can be counted from outside (`/metrics`): figures, never names of people or of data."""
