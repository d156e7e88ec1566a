"""Show a running match as the public may know it: a replay that grows, by its own fold.

What is hidden is not in it, so whatever is made of it can tell nothing: no sealed order, no private
event, no seed.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.game import AnyGame, Event, Outcome, Stage
from engine.replays.decisions import Decision, encode
from engine.replays.reading import Replay, ReplayEntry
from engine.replays.writing import Contestant, Header, ResultLine
from engine.spec import MatchSpec, encode_spec

NO_SEED = 0
"""Stands for the seed, with which everything could be foreseen."""


class PublicReplay(Replay):
    """What the public knows of a match, as a replay to which entries are added."""

    def __init__(self, spec: MatchSpec, bots: Sequence[Contestant]) -> None:
        self.path = Path("the public view")
        content = msgspec.Raw(encode_spec(replace(spec, seed=NO_SEED)))
        self._begin(encode(Header(spec=content, bots=tuple(bots))))

    @property
    def is_growing(self) -> bool:  # type: ignore[override]
        return self.outcome is None

    def add(self, entries: Iterable[ReplayEntry]) -> None:
        """Add what happened: public events alone, and decisions only where nothing is hidden."""
        line: list[object] = []
        for entry in entries:
            if isinstance(entry, Stage):
                self._write(line)
                line = []
            line.append(entry.as_written() if isinstance(entry, Decision) else entry)
        self._write(line)

    def end(self, outcome: Outcome) -> None:
        """Add the result; nothing comes after it."""
        self._add([(0, encode(ResultLine(outcome)))])

    def _write(self, line: list[object]) -> None:
        if line:
            self._add([(0, encode(line))])


class PublicView:
    """Turns the entries of a whole record into those that the public may know."""

    def __init__(self, game: AnyGame, spec: MatchSpec, teams: int) -> None:
        self._game = game
        self._state = game.new(spec.settings, teams)

    def entries(self, recorded: Iterable[ReplayEntry]) -> list[ReplayEntry]:
        """Return what the public may know of the entries that come next."""
        game, known = self._game, list[ReplayEntry]()
        for entry in recorded:
            if isinstance(entry, Decision):
                if game.open_information:
                    known.append(entry)
                continue
            self._state.apply(entry)
            observed: Event | None = game.observed_event(self._state, entry, None)
            if observed is not None:
                known.append(observed)
        return known
