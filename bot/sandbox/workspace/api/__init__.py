"""Slack's Web API: one function a method, one table of them in `front`."""
