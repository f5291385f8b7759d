"""A local Slack workspace."""
