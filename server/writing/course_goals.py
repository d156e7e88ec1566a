"""What a step of a course counts in a match: read off its record, as the rules have made it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.replays.decisions import Decision
from engine.replays.reading import Replay
from engine.replays.writing import FaultAside

MINE = 1
"""The team of the draft."""
Counts = Counter[str]


class _SlimeMind:
    """Counts what the slimes of a team do; a piece is known by the event that placed it."""

    def __init__(self) -> None:
        self.counts: Counts = Counter()
        self._team_of: dict[int, int] = {}
        self._level_of: dict[int, int] = {}
        self._plants: set[int] = set()

    def take(self, event: Any) -> None:
        counts = self.counts
        match type(event).__name__:
            case "SlimePlaced":
                self._add(event.slime)
            case "PlantPlaced":
                self._plants.add(event.plant.id)
            case "Moved" if self._is_mine(event.slime):
                counts["moves"] += 1
            case "Bitten" if self._is_mine(event.slime) and event.target in self._plants:
                counts["bites"] += 1
            case "Levelled":
                self._level_of[event.slime] = event.level
                if self._is_mine(event.slime):
                    counts["highest_level"] = max(counts["highest_level"], event.level)
            case "Split":
                self._split(event)
            case "Merged" if self._is_mine(event.slime):
                counts["merges"] += 1
            case "Died":
                self._died(event)

    def _add(self, slime: Any) -> None:
        self._team_of[slime.id] = slime.team
        self._level_of[slime.id] = slime.level

    def _split(self, event: Any) -> None:
        """Count a split by the level before it; what the slime has afterwards comes later."""
        self._add(event.child)
        if not self._is_mine(event.slime):
            return
        level = self._level_of[event.slime]
        counts = self.counts
        counts["lowest_split_level"] = min(counts["lowest_split_level"] or level, level)
        counts["splits"] += 1

    def _died(self, event: Any) -> None:
        if not self._is_mine(event.by):
            return
        if event.piece in self._plants:
            self.counts["plants_eaten"] += 1
        elif event.piece in self._team_of and not self._is_mine(event.piece):
            self.counts["kills"] += 1

    def _is_mine(self, slime: int) -> bool:
        return self._team_of.get(slime) == MINE


class _Smack:
    """Counts the moves of a team, and what they take."""

    def __init__(self) -> None:
        self.counts: Counts = Counter()

    def take(self, event: Any) -> None:
        if type(event).__name__ == "Moved" and event.team == MINE:
            self.counts["moves"] += 1
            self.counts["taken"] += len(event.captured)
            self.counts["points"] += event.points


COUNTERS: dict[str, Callable[[], _SlimeMind | _Smack]] = {"slime_mind": _SlimeMind, "smack": _Smack}
"""What counts, of the games that have a course."""
KNOWN = frozenset(
    {
        *("moves", "bites", "plants_eaten", "highest_level", "splits", "lowest_split_level"),
        *("merges", "kills", "taken", "points", "faults", "wins"),
    }
)
"""What a goal may name."""


def counts_of(replay: Replay) -> Counts:
    """Return what team 1 has done in a match that is over. Raises: BadReplay."""
    counter = COUNTERS[replay.game.name]()
    for entry in replay.entries():
        if not isinstance(entry, Decision):
            counter.take(entry)
    counts = counter.counts
    counts["faults"] = sum(
        isinstance(aside, FaultAside) and aside.team == MINE for aside in replay.asides
    )
    if replay.outcome is not None and replay.outcome.winner == MINE:
        counts["wins"] = 1
    return counts
