"""What draws matches: a window, pictures, web pages and terminals."""

from engine.errors import UsageError


class NoViewer(UsageError):
    """The match cannot be shown as asked; why, and what can be done."""
