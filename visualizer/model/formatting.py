"""Numbers and names as every way of watching writes them."""

from math import inf

from engine.replays.writing import Contestant
from visualizer.scene import Fact

CPU, WINNER, DRAW = "CPU", "winner", "draw"


def speed_text(times: float) -> str:
    return "max" if times == inf else f"{times:g}x"


def fact_text(value: Fact) -> str:
    """Return a value of a thing or a team."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def bot_title(bot: Contestant) -> str:
    """Return the file and version of a bot that states a title, which is its name."""
    return " ".join(part for part in (bot.name if bot.title else "", bot.version) if part)


def author_suffix(bot: Contestant) -> str:
    """Return the author of a bot, to follow the title."""
    if not bot.author:
        return ""
    return f" by {bot.author}" if bot_title(bot) else f"by {bot.author}"
