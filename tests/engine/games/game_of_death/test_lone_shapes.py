"""A process for each shape: messages are all that shapes share (rules 8.6)."""

import os
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.bots import lone_pieces
from engine.bots.forking import ForkLauncher
from engine.bots.lone_pieces import LonePiecesSeat, memory_mb
from engine.fault import Cause, Fault
from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.lone_shapes import LoneView, apply_lone_view, lone_board, lone_views
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.state import Battle
from engine.limits import Limits
from engine.match import play_match
from engine.stepper import Stepper
from tests import needs
from tests.contract.playing import a_spec as a_spec_of
from tests.contract.samples import an_army_or_an_act, grids_for_two_or_four
from tests.engine.games.game_of_death.test_army import (
    BOARD,
    GAME,
    LENIENT,
    a_spec,
    an_army,
    an_entry,
)
from tests.engine.games.game_of_death.test_army import Played as Together
from tests.engine.seats import Recorder
from tests.examples import examples

ALONE = msgspec.structs.replace(BOARD, isolated_shapes=True)
SHARING = """
import random

def tell(word):
    random.told = word  # of the standard library, of which shapes in one process have one

def told():
    return getattr(random, "told", "nothing")
"""


class Played:
    """A battle of an army against itself: its record, and the seat of team 1 after it."""

    def __init__(
        self,
        launcher: ForkLauncher,
        army: Path,
        board: Settings = ALONE,
        limits: Limits = LENIENT,
        break_in: Any = None,
    ) -> None:
        spec = a_spec(board, limits)
        entries = [an_entry(army, team, spec) for team in (1, 2)]
        self.seats = [Watched(entry, launcher, GAME) for entry in entries]
        if break_in is not None:
            break_in(self.seats[0])
        self.record = Recorder()
        try:
            self.outcome = play_match(GAME, spec, self.seats, [self.record])
        finally:
            for seat in self.seats:
                seat.close()
        self.log = entries[0].log

    def spoken_texts(self) -> set[str]:
        spoken = [event for event in self.record.events if isinstance(event, ev.Spoke)]
        return {text for event in spoken for text in event.texts}

    def causes(self, team: int) -> list[Cause]:
        return [fault.cause for ask, fault in self.record.faults if ask.team == team]


class Watched(LonePiecesSeat):
    """A seat that remembers the processes it had, and how many in each turn."""

    def __init__(self, *config: Any) -> None:
        super().__init__(*config)
        self.pids: dict[int, set[int]] = {}
        self.counts: list[int] = []

    def take(self) -> object:
        for piece, seat in self._seats.items():
            if seat.pid is not None:
                self.pids.setdefault(piece, set()).add(seat.pid)
        self.counts.append(len(self._seats))
        return super().take()


@pytest.mark.parametrize(
    ("is_isolated", "said"),
    [
        pytest.param(False, {"a secret"}, id="8.6 one process"),
        pytest.param(True, {"a secret", "nothing"}, id="8.6 a process each"),
    ],
)
def test_shapes_share_what_a_module_holds_only_in_one_process(
    launcher: ForkLauncher, tmp_path: Path, is_isolated: bool, said: set[str]
) -> None:
    lines = "if self.location()[1] < -4: tell('a secret')\nself.broadcast(told())"
    army = an_army(tmp_path, lines, top=SHARING)
    board = ALONE if is_isolated else BOARD
    played = Played(launcher, army) if is_isolated else Together(launcher, army, army, board=board)
    spoken = [event for event in played.record.events if isinstance(event, ev.Spoke)]
    assert {text for event in spoken[1:] for text in event.texts} == said


def test_8_6_each_shape_has_a_process_that_ends_with_it(
    launcher: ForkLauncher, tmp_path: Path
) -> None:
    army = an_army(tmp_path, "if self.now == 2 and self.location()[1] < -4: self.suicide()")
    played = Played(launcher, army)
    seat = played.seats[0]
    assert played.causes(1) == []
    assert {piece: len(pids) for piece, pids in seat.pids.items()} == {0: 1, 1: 1, 3: 1}
    assert len({pid for pids in seat.pids.values() for pid in pids}) == 3
    assert seat.counts[0] == 1  # the design
    assert seat.counts[-1] == 1  # the other shape is dead, and its process gone
    assert not any(Path(f"/proc/{pid}").exists() for pids in seat.pids.values() for pid in pids)


def test_8_6_its_chance_and_its_log_are_its_own(launcher: ForkLauncher, tmp_path: Path) -> None:
    army = an_army(
        tmp_path,
        "if self.now == 1: print('draws', random.random())\nself.rest()",
        top="import random",
    )
    played = Played(launcher, army)
    lines = played.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("--- ")] == [
        "--- turn 1, shape 1",
        "--- turn 1, shape 3",
    ]
    assert len({line for line in lines if line.startswith("draws")}) == 2


def test_8_6_the_bank_is_the_armys(launcher: ForkLauncher, tmp_path: Path) -> None:
    def spend(seat: LonePiecesSeat) -> None:
        seat._bank.left_ns = 30_000_000

    army = an_army(tmp_path, "sum(range(1_500_000))")
    played = Played(launcher, army, break_in=spend)
    assert Cause.BANK_EMPTY in played.causes(1)
    assert played.seats[0].out is not None
    assert played.causes(1)[-1] is Cause.BANK_EMPTY
    assert played.causes(2) == []


def test_8_6_processes_that_break_are_counted_together(
    launcher: ForkLauncher, tmp_path: Path
) -> None:
    army = an_army(tmp_path, "os._exit(3)", top="import os")
    played = Played(launcher, army, limits=msgspec.structs.replace(LENIENT, max_restarts=3))
    assert played.seats[0].restarts == 3
    assert played.seats[0].out is not None
    assert played.causes(1)[:4] == [Cause.EXIT] * 4
    assert set(played.causes(1)[4:]) == {Cause.OUT}


def test_8_6_memory_is_added_up(
    launcher: ForkLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lone_pieces, "TURNS_BETWEEN_LOOKS", 2)
    monkeypatch.setattr(lone_pieces, "memory_mb", lambda pid: 300.0)
    played = Played(launcher, an_army(tmp_path, "self.rest()"))
    assert played.causes(1).count(Cause.OUT_OF_MEMORY) == 3
    first = next(fault for ask, fault in played.record.faults if ask.team == 1)
    assert first.detail == "its processes used 600 MB together; 512 are allowed"


@pytest.mark.parametrize(("grown_mb", "is_seen"), [(300.0, True), (110.0, False)])
def test_8_6_memory_is_added_up_again_when_it_has_grown_enough(
    launcher: ForkLauncher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    grown_mb: float,
    is_seen: bool,
) -> None:
    own = iter([100.0] * 6)
    monkeypatch.setattr(lone_pieces, "TURNS_BETWEEN_LOOKS", 1)
    monkeypatch.setattr(lone_pieces, "LOOKS_BETWEEN_SUMS", 1_000)
    monkeypatch.setattr(lone_pieces, "memory_mb", lambda pid: 300.0)
    monkeypatch.setattr(lone_pieces, "own_memory_mb", lambda pid: next(own, grown_mb))
    played = Played(launcher, an_army(tmp_path, "self.rest()"))
    assert (Cause.OUT_OF_MEMORY in played.causes(1)) is is_seen


@needs.path("/proc/self/statm")
def test_the_memory_of_a_process_is_what_it_adds() -> None:
    assert 1 < memory_mb(os.getpid()) < 4_000
    assert memory_mb(2**22 + 1) == 0


def perceive(known: Battle, view: LoneView) -> TeamPerception:
    """What a shape's own process makes of its view."""
    decoded = msgspec.json.decode(msgspec.json.encode(lone_board(known)), type=Battle)
    team = known.piece_team(view.shape.id)
    perception = TeamPerception(decoded, team, Limits())
    again = msgspec.convert(msgspec.json.decode(msgspec.json.encode(view)), LoneView)
    apply_lone_view(decoded, again)
    perception.friendly = again.friendly
    perception.update()
    return perception


def all_it_knows(context: ShapeContext) -> list[Any]:
    names = ("turn", "corner", "anchor", "cells", "heading", "progress", "cooldown",
             "capture_progress", "has_flag")  # fmt: skip
    rows = context.look().rows
    u, v = context.anchor
    around = [context.see(u + du, v + dv) for du in range(-3, 4) for dv in range(-3, 4)]
    seen = [sorted(context.seen(what)) for what in "fhx"]
    facts = [getattr(context, name) for name in names] + [context.perception.enemy_home]
    return [*facts, context.perception.home, rows, around, seen, context.receive()]


@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.too_slow])
@given(grids_for_two_or_four(), st.integers(0, 2**32))
def test_8_6_alone_it_is_told_what_it_may_know_among_others(board: Settings, seed: int) -> None:
    teams = 4 if board.why_not_for(4) is None else 2  # grids for two may be square, too
    dice = Random(seed)
    news: list[Event] = []
    found: dict[int | None, Any] = dict.fromkeys(range(1, teams + 1), news.append)
    stepper: Any = Stepper(GAME, a_spec_of(GAME, board, seed, teams), (), found, None)
    stepper.start()
    together: TeamPerception | None = None
    contexts: dict[int, ShapeContext] = {}
    while stepper.outcome is None:
        known = stepper.known[1]
        if known.turn:
            together = together or TeamPerception(known, 1, Limits())
            together.update()
            views = lone_views(known)
            for shape_id, shape in known.shapes.items():
                context = contexts.setdefault(shape_id, ShapeContext(together, shape_id))
                context.start_turn(shape)
                alone = ShapeContext(perceive(known, views(shape_id)), shape_id)
                assert all_it_knows(alone) == all_it_knows(context)
        orders = [
            GAME.check(stepper.state, ask, an_army_or_an_act(stepper.known[ask.team], ask, dice))
            for ask in stepper.asks
        ]
        bad = Fault(Cause.ILLEGAL, "why")
        stepper.decide([bad if type(one).__name__ == "Refusal" else one for one in orders])
