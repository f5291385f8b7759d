"""What lets the bot be tried without a company around it: a local Slack workspace and a demo stack."""
