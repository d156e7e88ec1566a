"""Numbers and names as they are written in the window."""

from math import inf

from engine.game import Outcome
from engine.record import Contestant
from engine.replay import Replay


def score(points: float) -> str:
    return f"{points:.1f}"


def speed(times: float) -> str:
    return "max" if times == inf else f"{times:g}x"


def cpu(us: int) -> str:
    """Return CPU time in a fitting unit."""
    if us < 1_000:
        return f"{us} us"
    return f"{us / 1e3:.0f} ms" if us < 1_000_000 else f"{us / 1e6:.2f} s"


def title(bot: Contestant) -> str:
    """Return the title and version of a bot, if it states them."""
    return " ".join(part for part in (bot.title, bot.version) if part)


def by(bot: Contestant) -> str:
    """Return the author of a bot, to follow the title."""
    if not bot.author:
        return ""
    return f" by {bot.author}" if title(bot) else f"by {bot.author}"


def name(replay: Replay, team: int) -> str:
    """Return the name of a team's bot, with the team if another bot has the same name."""
    bot = replay.bots[team - 1]
    is_alone = sum(other.name == bot.name for other in replay.bots) == 1
    return bot.name if is_alone else f"{bot.name} ({team})"


def result(replay: Replay, outcome: Outcome) -> str:
    """Return who won: `player_six won`."""
    winner = outcome.winner
    return "a draw" if winner is None else f"{name(replay, winner)} won"


def ending(replay: Replay, outcome: Outcome) -> str:
    """Return why and when a match ended: `elimination, in turn 246`."""
    return f"{outcome.reason}, in turn {replay.last_turn}"
