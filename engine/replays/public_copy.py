"""What others may know of a match: the public, meanwhile and once it is over, and one team.

It is a replay like any other, which the rules make of its orders. What it lacks are the words of
bots and their authors: source, of which the hashes stand there, tracebacks, drawings, log lines.

What is hidden is not in it, so whatever is made of it can tell nothing: no sealed order, no private
event, no seed.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.errors import BadReplay, UsageError
from engine.fault import Fault
from engine.game import AnyGame, DesignPart, Event, Outcome, Stage, State
from engine.replays.decisions import Decision, encode
from engine.replays.reading import Replay, ReplayEntry
from engine.replays.writing import (
    Aside,
    Contestant,
    ContinuedAside,
    CpuAside,
    FaultAside,
    Header,
    NotesAside,
    PublicCopy,
    Recorder,
    ResultLine,
)
from engine.spec import MatchSpec, encode_spec

NO_SEED = 0
"""Stands for the seed, with which everything could be foreseen."""


def write_public_copy(replay: Replay, path: Path, teams: Collection[int] = ()) -> None:
    """Write what may be published of a match that is over.

    `teams` are those of whose bots the reader is the author: their source and their words are
    left in it, and the source that was disclosed to them. Raises: BadReplay.
    """
    if replay.outcome is None:
        raise BadReplay(f"{replay.path}: is not over: a copy would tell what is hidden")
    recorder = _CopyRecorder(replay.game, replay.spec, replay.bots, path)
    try:
        with replay.convert_errors():
            _copy_entries(replay, recorder, _readable_parts(replay, teams))
            asides = (_public_aside(aside, teams) for aside in replay.asides)
            recorder.end_copy(replay.outcome, original_fingerprint(replay), filter(None, asides))
    finally:
        recorder.close()


def original_fingerprint(replay: Replay) -> str:
    """Return the fingerprint of a match itself, of its record or of a copy."""
    return replay.fingerprint if replay.copy is None else replay.copy.original


def why_not_as_copied(replay: Replay) -> str | None:
    """Return why a file is not the copy that it says it is; None if nothing is wrong with it."""
    if replay.copy is None or replay.copy.fingerprint == replay.fingerprint:
        return None
    return (
        f"it was changed after it was made: its fingerprint is {replay.fingerprint}, "
        f"and it says {replay.copy.fingerprint}"
    )


class _CopyRecorder(Recorder):
    """Records what was recorded before."""

    def take(self, decision: Decision) -> None:
        self._entries.append(decision.to_record())

    def end_copy(self, outcome: Outcome, original: str, asides: Iterable[Aside]) -> None:
        """Add the rest; nothing comes after it."""
        self._write_entries()
        for aside in asides:
            self._write(encode(aside))
        copy = PublicCopy(fingerprint=self.fingerprint, original=original)
        self._write(encode(ResultLine(outcome, copy)))


def _readable_parts(replay: Replay, teams: Collection[int]) -> frozenset[DesignPart]:
    """Return whose source the authors of these teams may read."""
    if not teams:
        return frozenset()
    last = replay.state_at(replay.last_turn)
    return frozenset().union(*(replay.game.readable_parts(last, team) for team in teams))


def _copy_entries(replay: Replay, recorder: _CopyRecorder, readable: frozenset[DesignPart]) -> None:
    """Copy decisions and events; keyframes are made of what the events come to."""
    game = replay.game
    state = game.new(replay.spec.settings, len(replay.bots))
    recorder.on_start(state)
    for entry in replay.entries():
        if isinstance(entry, Decision):
            recorder.take(_public_decision(game, state, entry, readable))
        else:
            event = game.public_event(entry, readable)
            state.apply(event)
            recorder.on_event(event)


def _public_decision(
    game: AnyGame, state: State, decision: Decision, readable: frozenset[DesignPart]
) -> Decision:
    if not decision.orders:
        return decision
    asks = game.asks(state) if decision.ask is None else (decision.ask,)
    orders = (
        order if type(order) is Fault else game.public_order(order, ask.team, readable)
        for ask, order in zip(asks, decision.orders, strict=True)
    )
    return replace(decision, orders=tuple(orders))


def _public_aside(aside: Aside, teams: Collection[int]) -> Aside | None:
    """Return an aside without words that are not for the authors of these teams."""
    match aside:
        case CpuAside():
            return aside
        case FaultAside(team=team):
            out = None if aside.out is None else Fault(aside.out.cause, "")
            return aside if team in teams else replace(aside, detail="", out=out)
        case NotesAside(team=team):
            return aside if team in teams else None
        case ContinuedAside(continued=continued):
            deviation = continued.deviation
            if deviation is not None and deviation.team not in teams:
                deviation = replace(deviation, recorded="", now="")
            return ContinuedAside(replace(continued, deviation=deviation))


def write_team_view_replay(replay: Replay, team: int, path: Path) -> None:
    """Write what a team was told of a match, as a replay of its own that viewers can show.

    It has no orders, which are nobody else's business, and is no record: nothing plays it again.
    Raises: UsageError for a team that there is not, or where every team knows everything.
    """
    game, teams = replay.game, len(replay.bots)
    if not 1 <= team <= teams:
        raise UsageError(f"--as-team {team}: the match has teams 1 to {teams}")
    if game.open_information:
        raise UsageError(f"--as-team {team}: in {game.title} every team knows everything")
    state, known = (game.new(replay.spec.settings, teams) for _ in range(2))
    recorder = Recorder(game, replay.spec, replay.bots, path)
    recorder.on_start(known)
    try:
        for event in replay.entries():
            if isinstance(event, Decision):
                continue
            state.apply(event)
            observed = game.observed_event(state, event, team)
            if type(event) is Stage and observed is not None and type(observed) is not Stage:
                known.apply(event)  # viewers cut a match at its stages
                recorder.on_event(event)
            if observed is not None:
                known.apply(observed)
                recorder.on_event(observed)
        if replay.outcome is not None:
            recorder.on_end(replay.outcome)
    finally:
        recorder.close()


class PublicReplay(Replay):
    """What the public knows of a match, as a replay to which entries are added."""

    def __init__(self, spec: MatchSpec, bots: Sequence[Contestant]) -> None:
        self.path = Path("the public view")
        content = msgspec.Raw(encode_spec(replace(spec, seed=NO_SEED)))
        self._read_header(encode(Header(spec=content, bots=tuple(bots))))

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
            line.append(entry.to_record() if isinstance(entry, Decision) else entry)
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

    def public_entries(self, recorded: Iterable[ReplayEntry]) -> list[ReplayEntry]:
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
