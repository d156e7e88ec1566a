"""The formats of tournaments: functions from the results so far to the pairings known by now."""

from runners.formats.bracket import DoubleElimination, SingleElimination
from runners.formats.ladder import Ladder
from runners.formats.pairing import Format
from runners.formats.round_robin import Gauntlet, RoundRobin
from runners.formats.swiss import Swiss

FORMATS: dict[str, type[Format]] = {
    kind.name: kind
    for kind in (RoundRobin, Swiss, SingleElimination, DoubleElimination, Gauntlet, Ladder)
}
USUAL_FORMAT = RoundRobin.name
"""The format of a tournament for which none was named."""


def format_title(name: str) -> str:
    """Return what people read for the name of a format."""
    return "Swiss" if name == Swiss.name else name.replace("_", " ")
