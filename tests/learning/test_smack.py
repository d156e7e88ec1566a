"""Smack! over arrays: the same matches as the engine's, event by event."""

import os
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.fault import Cause, Fault
from engine.game import Event
from engine.games.smack.game import Smack
from engine.games.smack.notation import position_text
from engine.games.smack.orders import Order
from engine.games.smack.position import Position, Side, squares_named
from engine.games.smack.rules import NO_MOVES, NO_PIECES, REPETITION
from engine.games.smack.settings import Pace, Settings
from engine.games.smack.squares import PLAYABLE, set_of, squares_in
from engine.games.smack.state import Half
from engine.streams import Streams
from learning.encodings.smack import PAIRS, MoveChoice, action_of, pairs_of
from learning.smack import layout
from learning.smack.bitboards import WORDS, words_of
from learning.smack.layout import NO_ORDER, ORDERS, WAIT
from learning.smack.log import ENDINGS
from learning.smack.matches import Matches
from learning.smack.play_out import play_out
from learning.smack.players import Player
from tests.learning.engine_events import applied

pytestmark = [
    pytest.mark.usefixtures("compiled_smack"),
    pytest.mark.timeout(1_800),
    pytest.mark.slow,  # the first one compiles
]

GAME = Smack()
MATCHES = "SMACK_SIMULATED_MATCHES"
"""The environment variable that says how many random matches are compared in the slow test."""
SHORT = Settings(opening_plies=4, ply_limit=40)


class EngineMatch:
    """A match of the engine, a round at a time."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.state = GAME.new(settings, 2)
        self._streams = Streams(seed)
        self.events = applied(self.state, GAME.start(self.state, self._streams))

    def play(self, orders: Sequence[int]) -> list[Event]:
        """Play an order on each board, as `Matches.play` does."""
        if not GAME.asks_are_separate(self.state):
            chosen = [order_of(half, orders[half.number - 1]) for half in self.state.open_halves]
            return applied(self.state, GAME.play(self.state, chosen, self._streams))
        happened = []
        for ask in sorted(GAME.asks(self.state), key=lambda ask: ask.piece_id):
            order = orders[ask.piece_id - 1]
            if order != WAIT:
                one = order_of(self.state.halves[ask.piece_id - 1], order)
                happened += applied(self.state, GAME.play_one(self.state, ask, one, self._streams))
        return happened


def order_of(half: Half, order: int) -> Order | Fault:
    """Return what the engine is given for an order of numbers."""
    choice = MoveChoice(half.position, offers=True)
    if not choice.allows(order):
        return Fault(Cause.ILLEGAL, "")
    taken = choice.take(order)
    assert isinstance(taken, Order)
    return taken


def odd_settings(dice: Random) -> Settings:
    """Return settings by which halves end in many ways."""
    no_capture_limit, ply_limit = dice.choice([3, 12, 100]), dice.choice([5, 60, 400])
    return Settings(
        pace=dice.choice([*Pace]),
        opening_plies=dice.randrange(min(no_capture_limit, ply_limit, 20)),
        no_capture_limit=no_capture_limit,
        repetition_limit=dice.choice([2, 3, 5]),
        ply_limit=ply_limit,
    )


class Chooser:
    """Draws orders for a half, by whose ways it ends in all the ways there are."""

    def __init__(self, dice: Random, *, is_free: bool) -> None:
        self._dice = dice
        self._is_free = is_free
        self._offers = dice.choice([0.0, 0.0, 0.05, 0.3])
        self._returns = dice.choice([0.0, 0.0, 0.5, 0.95])
        self._back = {Side.NERDS: NO_ORDER, Side.BULLIES: NO_ORDER}
        """The way back of the last move of each side, as an order."""

    def order(self, half: Half, legal: list[int]) -> int:
        dice, side = self._dice, half.position.side
        if half.ending or dice.random() < 0.001:
            return dice.choice([NO_ORDER, -1, dice.randrange(ORDERS), -(2**40), 2**40])
        if self._is_free and dice.random() < 0.1:
            return WAIT
        order = dice.choice(legal)
        if self._back[side] in legal and dice.random() < self._returns:
            order = self._back[side]
        source, target = divmod(order, 165)
        self._back[side] = target * 165 + source
        return order + PAIRS * (dice.random() < self._offers)


def compare(settings: Settings, seed: int) -> list[str]:
    """Play a random match in both, and compare all there is; return why its halves ended."""
    dice, is_free = Random(seed), settings.pace is Pace.FREE
    choosers = [Chooser(dice, is_free=is_free) for _ in range(2)]
    engine = EngineMatch(settings, seed)
    matches = Matches(settings, [seed], has_log=True)
    happened = matches.events(0)
    assert happened == engine.events
    while engine.state.ending is None:
        legal = [matches.legal(0, half.number).tolist() for half in engine.state.halves]
        for half, orders in zip(engine.state.halves, legal, strict=True):
            assert orders == ([] if half.ending else pairs_of(half.position).tolist())
        halves = zip(engine.state.halves, legal, choosers, strict=True)
        orders = [chooser.order(half, listed) for half, listed, chooser in halves]
        assert not matches.is_over[0]
        assert tuple(matches.scores[0]) == engine.state.scores
        assert matches.teams[0].tolist() == teams_of(engine)
        matches.play([orders])
        assert matches.events(0) == engine.play(orders)
        if dice.random() < 0.1:
            assert matches.board(0) == engine.state
    assert matches.board(0) == engine.state
    assert matches.is_over[0]
    assert tuple(matches.scores[0]) == engine.state.ending.scores
    return [half.ending for half in engine.state.halves]


def teams_of(engine: EngineMatch) -> list[int]:
    return [0 if half.ending else half.team_to_move for half in engine.state.halves]


def test_random_matches_are_the_engines_event_by_event() -> None:
    dice, endings = Random(0), set()
    for seed in range(int(os.environ.get(MATCHES, "60"))):
        usual = Settings(opening_plies=dice.choice([0, 4]))
        endings |= {*compare(usual if seed % 3 == 0 else odd_settings(dice), seed)}
    assert len(endings) >= 5
    assert endings < {*ENDINGS}


@pytest.mark.parametrize("bullies", [3, 8, 40])
@pytest.mark.parametrize("side", [*Side])
def test_legal_moves_of_any_position_are_the_engines(side: Side, bullies: int) -> None:
    dice, squares = Random(bullies), [*squares_in(PLAYABLE)]
    matches = Matches(Settings(), [1])
    for _ in range(40):
        pieces = dice.sample(squares, bullies + dice.choice([5, 32, 80]))
        position = Position(set_of(pieces[bullies:]), set_of(pieces[:bullies]), side)
        place(matches, position)
        legal = matches.legal(0, 1).tolist()
        assert legal == pairs_of(position).tolist()
        for order in (*dice.sample(legal, 3), *(dice.randrange(PAIRS) for _ in range(60))):
            place(matches, position)
            matches.play([[order, NO_ORDER]])
            ending = matches.rows[0, layout.FIRST_HALF + layout.ENDING]
            assert (ending == layout.FORFEIT) == (order not in legal)


def place(matches: Matches, position: Position) -> None:
    """Put a position on board 1 of the first match, which begins anew."""
    matches.begin(0, 1)
    half = matches.rows[0, layout.FIRST_HALF :]
    half[layout.NERDS : layout.NERDS + WORDS] = words_of(position.nerds)
    half[layout.BULLIES : layout.BULLIES + WORDS] = words_of(position.bullies)
    half[layout.PLY] = position.side is Side.BULLIES


@pytest.mark.parametrize(
    ("nerds", "bullies", "side", "move", "ending"),
    [
        ("A9 B9 B11 D10", "A10", Side.NERDS, "D10-B10", NO_MOVES),
        ("A9 B9", "A10", Side.NERDS, "A9-A10", NO_PIECES),
        ("A9 B9", "C11", Side.BULLIES, "C11-B10", NO_PIECES),
        ("A9 B9 K1", "C11", Side.BULLIES, "C11-B10", ""),
        ("A10", "A9 B9 B10 B11 K1", Side.BULLIES, "K1-K2", ""),  # the nerd can only capture
    ],
)
def test_a_half_ends_without_moves_or_pieces(
    nerds: str, bullies: str, side: Side, move: str, ending: str
) -> None:
    position = Position(squares_named(nerds), squares_named(bullies), side)
    assert ending_after(position, [move], Settings()) == ending


def ending_after(position: Position, moves: Sequence[str], settings: Settings) -> str:
    """Play these moves on board 1 in both, and compare them; return why the half is over."""
    matches, engine = Matches(settings, [1], has_log=True), EngineMatch(settings, 1)
    place(matches, position)
    half = engine.state.halves[0]
    half.position, half.text = position, position_text(position)
    half.seen = {half.text: 1}
    for move in moves:
        orders = [action_of(Order(move)), NO_ORDER]
        matches.play([orders])
        assert matches.events(0) == engine.play(orders)
    return half.ending


def test_pieces_that_stand_as_before_are_another_position_with_the_other_side_to_move() -> None:
    position = Position(squares_named("A7"), squares_named("P9"), Side.NERDS)
    settings = Settings(repetition_limit=2)
    there = ["A7-B7", "P9-P10", "B7-A6", "P10-P9", "A6-A7"]  # three moves, and two
    assert ending_after(position, there, settings) == ""
    back = ["P9-P10", "A7-B7", "P10-P9", "B7-A6", "P9-P8", "A6-A7", "P8-P9"]
    assert ending_after(position, [*there, *back], settings) == REPETITION


def test_who_captures_beats_who_does_not() -> None:
    matches = Matches(Settings(opening_plies=4), range(6))
    assert play_out(matches, Player.GREEDY, Player.RANDOM) > 6 * 50
    assert matches.is_over.all()
    greedy, others = matches.scores.sum(axis=0)
    assert greedy > 3 * others


def test_matches_between_compiled_players_are_the_same_on_any_number_of_threads() -> None:
    one, other = (Matches(SHORT, range(5)) for _ in range(2))
    orders = play_out(one, Player.RANDOM, Player.GREEDY)
    assert play_out(other, Player.RANDOM, Player.GREEDY, threads=3) == orders
    assert np.array_equal(one.rows, other.rows)


def test_many_matches_at_once_are_played_as_each_alone() -> None:
    seeds = [3, 2**128 - 1, 77]
    together = Matches(SHORT, seeds)
    alone = [Matches(SHORT, [seed]) for seed in seeds]
    dice = Random(1)
    while not together.is_over.all():
        orders = [
            [some_order(together, number, board, dice) for board in (1, 2)]
            for number in range(len(seeds))
        ]
        together.play(orders)
        for match, given in zip(alone, orders, strict=True):
            match.play([given])
    for row, match in zip(together.rows, alone, strict=True):
        assert np.array_equal(row, match.rows[0])
    assert not together.teams.any()


def some_order(matches: Matches, number: int, board: int, dice: Random) -> int:
    legal = matches.legal(number, board).tolist()
    return dice.choice(legal) if legal else NO_ORDER


def test_a_copied_row_is_a_copied_match() -> None:
    matches = Matches(SHORT, [5, 6])
    assert matches.board(0) != matches.board(1)
    matches.rows[1] = matches.rows[0]
    dice = Random(2)
    for _ in range(10):
        orders = [some_order(matches, 0, board, dice) for board in (1, 2)]
        matches.play([orders, orders])
    assert matches.board(0) == matches.board(1)


def test_no_seed_is_too_large() -> None:
    seed = 2**128 - 1
    assert Matches(SHORT, [seed], has_log=True).events(0) == EngineMatch(SHORT, seed).events


@pytest.mark.parametrize("orders", [[1, 2], [[1, 2]], [[1, 2, 3], [1, 2, 3]], 7])
def test_orders_are_two_for_each_match(orders: Any) -> None:
    with pytest.raises(ValueError, match="orders: expected two for each of 2 matches"):
        Matches(SHORT, [1, 2]).play(orders)


def test_there_are_two_boards() -> None:
    with pytest.raises(ValueError, match="board = 3: expected 1 or 2"):
        Matches(SHORT, [1]).legal(0, 3)
