"""What the operator decided: settings and secrets from the environment, rules from dw.yml.

Read once, at start, and passed on; nothing below `bot.main` imports this.
"""

from bot.settings.errors import ConfigError
from bot.settings.loading import load_rules, read_rules
from bot.settings.model import Settings, load_settings
from bot.settings.secrets import Secrets

__all__ = ["ConfigError", "Secrets", "Settings", "load_rules", "load_settings", "read_rules"]
