"""How much the bot may do by itself, where, and who said so. Levels rise only by a person's entry."""
