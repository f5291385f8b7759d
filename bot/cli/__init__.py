"""The commands of `dw`, one module each. They print; nothing below them does."""
