"""What the parts of the store share: the database, and nothing else."""

from bot.store.engine import Database


class Part:
    """One port's share of the store."""

    def __init__(self, database: Database) -> None:
        self.database = database
