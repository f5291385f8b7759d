"""The edge: what Slack sends, checked and turned into commands of the desk."""
