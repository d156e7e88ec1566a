"""How many teams a game can have: counting them, and refusing other counts."""

from typing import Any

from engine.errors import UsageError
from engine.game import Game


def fewest_teams(game: Game[Any, Any, Any], least: int = 1) -> int:
    """Of those counts that are no less than `least`."""
    return min(count for count in game.team_counts if count >= least)


def require_teams(game: Game[Any, Any, Any], count: int) -> None:
    """Raises: UsageError where so many cannot play it."""
    if count not in game.team_counts:
        raise UsageError(f"{game.title} is played by {counts_text(game)}, not by {count}")


def counts_text(game: Game[Any, Any, Any]) -> str:
    """`2 teams`, `2 to 6 teams`, `2, 4 or 6 teams`."""
    counts = list(game.team_counts)
    if len(counts) == 1:
        return f"{counts[0]} team{'s' * (counts[0] != 1)}"
    if game.team_counts.step == 1:
        return f"{counts[0]} to {counts[-1]} teams"
    return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]} teams"
