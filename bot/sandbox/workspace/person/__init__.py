"""The people's side of the workspace: the JSON API the page uses, and a driver that reads as sentences for tests."""
