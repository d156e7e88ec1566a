"""Numbers and names as every way of watching writes them."""

from math import inf

from engine.game import Outcome
from engine.replays.reading import Replay
from engine.replays.writing import Contestant
from visualizer.scene import Fact

SCORE_DECIMALS = 1
THOUSANDS = " "
"""What separates thousands."""
CPU_UNITS = ((1_000, 1, "us", 0), (1_000_000, 1_000, "ms", 0), (None, 1_000_000, "s", 2))
"""The units of CPU time: below how many microseconds, how many it is, its name, decimals."""
CPU, WINNER, DRAW = "CPU", "winner", "draw"


def score(points: float) -> str:
    return f"{points:,.{SCORE_DECIMALS}f}".replace(",", THOUSANDS)


def speed(times: float) -> str:
    return "max" if times == inf else f"{times:g}x"


def cpu(us: int) -> str:
    """Return CPU time in a fitting unit."""
    _, divisor, name, decimals = next(unit for unit in CPU_UNITS if unit[0] is None or us < unit[0])
    return f"{us / divisor:.{decimals}f} {name}"


def fact(value: Fact) -> str:
    """Return a value of a thing or a team."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


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
    """Return who won: `player_six won`, `teams 1 and 3 won`."""
    winners = outcome.winners
    if len(winners) > 1:
        return f"teams {' and '.join(map(str, winners))} won"
    return f"{name(replay, winners[0])} won" if winners else f"a {DRAW}"


def ending(replay: Replay, outcome: Outcome) -> str:
    """Return why and when a match ended: `ended: elimination, in turn 246`."""
    return f"ended: {outcome.reason}, in turn {replay.last_turn}"
