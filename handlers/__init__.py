"""Speaks Slack: payload to command on the way in, incident to blocks on the way out."""
