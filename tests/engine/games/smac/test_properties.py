"""What holds in any match, after every event and every stage."""

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Ask, Event, Stage
from engine.games.smac import events as ev
from engine.games.smac.game import Smac
from engine.games.smac.orders import ORDERS
from engine.games.smac.settings import MILLI, Settings, compute_levels
from engine.games.smac.state import Dish
from engine.games.smac.terrain import DIP, HILL
from engine.match import play_match
from engine.observer import Observer
from engine.spec import MatchSpec
from tests.engine.games.smac.strategies import an_answer, seeds, settings_of_short_matches
from tests.engine.seats import Answer, ScriptedSeat, copy_over_wire
from tests.examples import examples

GAME = Smac()
boards = settings_of_short_matches()
few = settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])


def play(board: Settings, seed: int, teams: int, watcher: Observer) -> None:
    def answering(team: int) -> Answer:
        dice = Random(f"{seed}/{team}")
        return lambda ask, known: an_answer(known, ask, dice)

    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=GAME.limits,
        bots=("bot",) * teams,
        seed=seed,
    )
    play_match(GAME, spec, [ScriptedSeat(answering(team)) for team in range(teams)], [watcher])


class Inspector(Observer):
    """An observer that checks the dish after every event."""

    def on_start(self, state: Any) -> None:
        self.dish: Dish = state

    def on_event(self, event: Event) -> None:
        dish = self.dish
        self.look(event)
        for team, layer in zip(dish.teams, dish.heights, strict=True):
            assert max(layer) <= team.levels.stacking
            assert team.bank is None or team.bank >= 0
            assert team.points is None or compute_levels(team.points) >= (0,) * 7
        if type(event) is Stage and event.name in ("death", "production", "victory", ORDERS):
            self.look_between_fights()

    def look(self, event: Event) -> None:
        """Check more, in subclasses."""

    def look_between_fights(self) -> None:
        """Check that a cell has an owner if and only if it has a stack, of which it has one."""
        for cell, owner in enumerate(self.dish.owners):
            assert list(self.dish.stacks_in(cell)) == ([owner] if owner else [])


@few
@given(board=boards, seed=seeds, teams=st.integers(2, 4))
def test_stacks_owners_and_banks_are_sound_after_every_event(
    board: Settings, seed: int, teams: int
) -> None:
    play(board, seed, teams, Inspector())


@few
@given(board=boards, seed=seeds, teams=st.integers(2, 4))
def test_levels_are_the_roots_of_the_points_and_rise_by_one_a_turn(
    board: Settings, seed: int, teams: int
) -> None:
    class Levels(Inspector):
        before: Sequence[Any] = ()
        looks = 0

        def look(self, event: Event) -> None:
            if type(event) is Stage and event.name in (ORDERS, "growth"):
                levels = [team.levels for team in self.dish.teams]
                for old, new in zip(self.before, levels, strict=bool(self.before)):
                    rises = [b - a for a, b in zip(old, new, strict=True)]
                    assert set(rises) <= {0, 1}
                self.before = levels
                self.looks += 1
                assert levels == [
                    compute_levels(team.points) for team in self.dish.teams if team.points
                ]

    play(board, seed, teams, levels := Levels())
    assert levels.looks


class Bookkeeper(Inspector):
    """Every point that comes or goes is accounted for, counted another way than the rules do."""

    def on_start(self, state: Any) -> None:
        super().on_start(state)
        self.money = [state.settings.start_points * MILLI] * len(state.teams)
        self.start: Dish = copy_over_wire(state)

    def look(self, event: Event) -> None:
        match event:
            case Stage(_, name) if name == ORDERS:
                self._compare()
                self.start = copy_over_wire(self.dish)
            case ev.Bid(team, points, _):
                self.money[team - 1] -= points * MILLI
            case ev.Invested(team, points):
                before = self.start.team(team).points
                assert before is not None
                self.money[team - 1] -= (sum(points) - sum(before)) * MILLI
            case ev.Placed(team, cells, heights, _):
                for cell, height in zip(cells, heights, strict=True):
                    clicks = height - self.start.layer(team)[cell]
                    self.money[team - 1] -= clicks * (1 + self._distance(team, cell)) * MILLI
            case ev.Produced(production):
                for team in self.dish.playing:
                    is_halved = self.dish.team(team).blighted_in == self.dish.turn
                    own = production[team - 1]
                    self.money[team - 1] += own // 2 if is_halved else own

    def _compare(self) -> None:
        for number, team in enumerate(self.dish.teams):
            assert team.bank == self.money[number]

    def _distance(self, team: int, cell: int) -> int:
        side = self.dish.side
        y, x = divmod(cell, side)
        occupied = [divmod(c, side) for c, height in enumerate(self.start.layer(team)) if height]
        return min(max(abs(x - other_x), abs(y - other_y)) for other_y, other_x in occupied)


@few
@given(board=boards, seed=seeds, teams=st.integers(2, 4))
def test_no_point_is_lost_or_made(board: Settings, seed: int, teams: int) -> None:
    play(board, seed, teams, Bookkeeper())


def around(dish: Dish, layer: bytearray, cell: int) -> int:
    """Return the stacks on the neighbors, counted one by one."""
    side = dish.side
    y, x = divmod(cell, side)
    return sum(
        bool(layer[row * side + column])
        for row in range(max(0, y - 1), min(side, y + 2))
        for column in range(max(0, x - 1), min(side, x + 2))
        if (column, row) != (x, y)
    )


class Gardener(Inspector):
    """An observer that counts growth and death cell by cell, from the dish before the stage."""

    stage = ""

    def on_start(self, state: Any) -> None:
        super().on_start(state)
        self.before_stage: Dish = copy_over_wire(state)
        self.grown: dict[int, set[int]] = {}

    def look(self, event: Event) -> None:
        if type(event) is ev.Grown and self.stage == "growth":
            self.grown[event.team] = set(event.cells)
        elif type(event) is Stage:
            if self.stage == "growth":
                self._compare_growth(self.before_stage)
            elif self.stage == "death":
                self._compare_deaths(self.before_stage)
            self.stage, self.before_stage = event.name, copy_over_wire(self.dish)
            self.grown.clear()

    def _compare_growth(self, dish: Dish) -> None:
        for team, layer in enumerate(dish.heights, 1):
            cells = range(len(dish.owners))
            expected = {cell for cell in cells if self._grows(dish, team, layer, cell)}
            assert self.grown.get(team, set()) == expected

    def _grows(self, dish: Dish, team: int, layer: bytearray, cell: int) -> bool:
        board, owner, terrain = dish.settings, dish.owners[cell], dish.terrain[cell]
        if owner == team or (not owner and layer[cell]):
            return False
        need = board.growth_need
        if terrain & DIP:
            need = board.growth_need_dip
        elif terrain & HILL:
            need = board.growth_need_hill
        has_room = layer[cell] < dish.team(team).levels.stacking
        return has_room and around(dish, layer, cell) >= need

    def _compare_deaths(self, before: Dish) -> None:
        for layer, after in zip(before.heights, self.dish.heights, strict=True):
            for cell, height in enumerate(layer):
                lives = around(before, layer, cell) >= before.settings.min_support
                assert after[cell] == (height if lives else 0)


@few
@given(board=boards, seed=seeds, teams=st.integers(2, 4))
def test_growth_and_death_are_those_counted_cell_by_cell(
    board: Settings, seed: int, teams: int
) -> None:
    play(board, seed, teams, Gardener())


@few
@given(board=boards, seed=seeds)
def test_no_stack_stands_two_above_a_neighbor_at_the_end_of_a_turn(
    board: Settings, seed: int
) -> None:
    class Surveyor(Inspector):
        looks = 0

        def look(self, event: Event) -> None:
            if type(event) is Stage and event.name == "production":
                self.looks += 1
                for layer in self.dish.heights:
                    self._survey(layer)

        def _survey(self, layer: bytearray) -> None:
            side = self.dish.side
            for cell, height in enumerate(layer):
                y, x = divmod(cell, side)
                for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if 0 <= x + dx < side and y + dy < side:
                        assert abs(height - layer[cell + dy * side + dx]) <= 1

    play(board, seed, 2, surveyor := Surveyor())
    assert surveyor.looks


def test_a_sample_match_has_combat_growth_death_and_specials() -> None:
    """The properties above are not empty: such matches have growth, combat and death."""

    class Counter(Observer):
        seen: set[type] = set()  # noqa: RUF012

        def on_event(self, event: Event) -> None:
            self.seen.add(type(event))

    board = Settings(side=12, specials_from_turn=1, victory_from_turn=30, last_turn=30)
    for seed in range(4):
        play(board, seed, 2, Counter())
    wanted = {ev.Fought, ev.Grown, ev.Died, ev.Reduced, ev.SpecialUsed, ev.Claimed, ev.Rose}
    assert wanted <= Counter.seen


def test_asks_name_the_teams_that_are_in_the_match() -> None:
    dish = GAME.new(Settings(), 3)
    dish.apply(ev.WentOut(2))
    assert GAME.asks(dish) == [Ask(1), Ask(3)]
