"""What the parts of the store share: the database, and the journals read lately."""

from bot.store.engine import Database
from bot.store.remembered import Remembered


class Part:
    """One port's share of the store."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.remembered = Remembered()
