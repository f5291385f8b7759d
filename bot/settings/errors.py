"""The one error of a configuration that can't be used: every mistake, each on a line of its own."""


class ConfigError(ValueError):
    """The configuration has mistakes. Nothing was started. Mend the lines named and start again."""

    def __init__(self, *lines: str) -> None:
        self.lines = lines
        super().__init__("\n".join(lines))
