"""A postman who says what a test tells him to, and keeps what he was given."""

from bot.ports import Letter


class Letterbox:
    """`says` are problems, one for each email; None where it goes out."""

    def __init__(self, *says: Exception | None) -> None:
        self.says, self.letters = list(says), list[Letter]()

    @property
    def names(self) -> list[str]:
        return [letter.name for letter in self.letters]

    def listed(self) -> list[list[str]]:
        """The requests in each email."""
        return [[state.request.id for _, state in letter.members] for letter in self.letters]

    async def send(self, letter: Letter) -> str:
        self.letters.append(letter)
        problem = self.says.pop(0) if self.says else None
        if problem:
            raise problem
        return letter.subject or f"about {letter.name}"
