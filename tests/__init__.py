"""The tests. A package, so that what they share (`tests.clock`) is imported by its full name."""
