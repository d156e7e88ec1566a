"""How many teams a game can have: counting them, and refusing other counts."""

from engine.errors import UsageError
from engine.game import AnyGame


def fewest_teams(game: AnyGame, least: int = 1) -> int:
    """Return the smallest count that is no less than `least`."""
    return min(count for count in game.team_counts if count >= least)


def playable_counts(game: AnyGame, settings: object) -> list[int]:
    """Return the counts of teams that can play with these settings."""
    return [count for count in game.team_counts if game.why_not_played(settings, count) is None]


def require_playable_by(game: AnyGame, settings: object, count: int) -> None:
    """Raise a UsageError where so many cannot play it, or not with these settings."""
    require_teams(game, count)
    why = game.why_not_played(settings, count)
    if why is not None:
        raise UsageError(f"{game.title}: {why}")


def require_teams(game: AnyGame, count: int) -> None:
    """Raise a UsageError where so many cannot play it."""
    if count not in game.team_counts:
        raise UsageError(f"{game.title} is played by {counts_text(game)}, not by {count}")


def counts_text(game: AnyGame) -> str:
    """Return `2 teams`, `2 to 6 teams`, `2, 4 or 6 teams`."""
    counts = list(game.team_counts)
    if len(counts) == 1:
        return f"{counts[0]} team{'s' * (counts[0] != 1)}"
    if game.team_counts.step == 1:
        return f"{counts[0]} to {counts[-1]} teams"
    return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]} teams"
