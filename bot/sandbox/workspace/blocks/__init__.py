"""Block Kit's rules: what Slack accepts as blocks, attachments and views, and what it says when it does not."""
