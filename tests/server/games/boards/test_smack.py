"""What a page is told of both boards of Smack!."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from engine.catalog import find_game
from engine.game import Act, Ask, MatchEnded, Stage
from engine.games.smack.events import Declined, HalfBegan, HalfEnded, Moved, Offered
from engine.games.smack.notation import position_text
from engine.games.smack.orders import Order
from engine.games.smack.position import Position, Side, parse_squares
from engine.games.smack.settings import Pace, Settings
from engine.games.smack.squares import SQUARE_OF
from engine.games.smack.state import Boards
from engine.limits import Limits
from engine.spec import MatchSpec
from engine.stepper import Stepper
from server.games.boards.smack import ShownHalf, board
from server.games.boards.smack import words as said_of

NO_HISTORY: tuple[tuple[str, ...], ...] = ((), ())


def start_match(listener: Callable[[Any], object] = said_of) -> Stepper[Any, Any, Any]:
    """Return a match of people before the first move."""
    game = find_game("smack")
    spec = MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=Settings(pace=Pace.FREE),
        limits=Limits(),
        bots=("person:one", "person:two"),
        seed=1,
    )
    stepper = Stepper[Any, Any, Any](game, spec, listeners={None: listener})
    stepper.start()
    return stepper


def show_halves(state: Boards, *teams: int) -> list[ShownHalf]:
    return board(state, teams, NO_HISTORY).halves


def set_up(nerds: str, bullies: str, side: Side) -> Boards:
    """Return boards with this position on board 1."""
    position = Position(parse_squares(nerds), parse_squares(bullies), side)
    boards = Boards(Settings())
    boards.apply(HalfBegan(1, position_text(position)))
    return boards


def test_the_viewer_is_told_the_moves_of_its_own_teams_alone() -> None:
    state = start_match().state
    assert [len(half.moves) for half in show_halves(state)] == [0, 0]
    assert [len(half.moves) for half in show_halves(state, 1)] == [32, 0]
    assert [len(half.moves) for half in show_halves(state, 2)] == [0, 32]
    assert [len(half.moves) for half in show_halves(state, 1, 2)] == [32, 32]


def test_the_moves_from_the_start_are_those_of_the_rules() -> None:
    """Rules 9.2."""
    first, _ = show_halves(start_match().state, 1)
    assert sum(len(targets) for targets in first.moves.values()) == 656
    assert {len(first.moves[source]) for source in ("A6", "F1", "P10")} == {21}


def test_a_move_says_what_it_captures() -> None:
    """Rules 9.3: S1, with the one shove, and W1."""
    state = set_up("F6 F7 F8 G8 H4", "E6", Side.BULLIES)
    first, _ = show_halves(state, 2)
    assert first.moves == {
        "E6": {"D5": [], "D6": [], "D7": [], "E5": ["F6"], "E7": ["F8", "F7", "F6"], "F5": ["F6"]}
    }
    first, _ = show_halves(set_up("H14", "G8 G9 G10", Side.BULLIES), 2)
    assert first.moves["G10"]["G13"] == ["H14"]


def test_a_half_tells_all_that_a_page_draws() -> None:
    state = set_up("H14 A6", "G8 G9 G10", Side.BULLIES)
    squares = (SQUARE_OF["G10"], SQUARE_OF["G13"], (SQUARE_OF["H14"],))
    state.apply(Moved(1, 2, *squares, points=1, ends=True))
    shown_boards = board(state, [2], [["G10-G13xH14"], []])
    assert msgspec.to_builtins(shown_boards.halves[0]) == {
        "number": 1,
        "nerds": ["A6"],
        "bullies": ["G13", "G9", "G8"],
        "side": "nerds",
        "team_to_move": 1,
        "nerds_team": 1,
        "ply": 1,
        "quiet": 0,
        "points": (0, 1),
        "last": ("G10", "G13"),
        "captured": ["H14"],
        "ending": "",
        "ended": "",
        "offered_by": [2],
        "moves": {},
        "history": ["G10-G13xH14"],
    }
    assert shown_boards.pace is Pace.LOCKSTEP


def test_an_offer_beside_the_moves_is_shown_too() -> None:
    stepper = start_match()
    stepper.act(Act(2, 1, "offer to end"))
    assert [half.offered_by for half in show_halves(stepper.state)] == [[2], []]


def test_a_half_that_is_over_has_no_moves_and_no_offers() -> None:
    stepper = start_match()
    stepper.act(Act(2, 1, "offer to end"))
    stepper.act(Act(1, 1, "accept the end"))
    first, second = show_halves(stepper.state, 1, 2)
    assert (first.ending, first.moves, first.offered_by) == ("agreement", {}, [])
    assert second.moves


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Moved(1, 1, SQUARE_OF["F1"], SQUARE_OF["G2"], (), 0, ends=False), "F1-G2"),
        (
            Moved(1, 2, SQUARE_OF["G7"], SQUARE_OF["F6"], (SQUARE_OF["E5"],), 1, ends=True),
            "G7-F6xE5",
        ),
        (Offered(1, 2), "offers to end the half"),
        (Declined(1, 1), "does not take the offer to end the half"),
        (HalfEnded(1, "repetition", (4, 9)), "the half is over: repetition, 4 : 9"),
        (MatchEnded((12.0, 9.0), "both halves are over"), "the match is over: 12 : 9"),
        (Stage(1, "ply"), None),
    ],
)
def test_what_happened_is_put_in_words(event: Any, text: str | None) -> None:
    assert said_of(event) == text


def test_the_words_of_a_move_are_an_order() -> None:
    said: list[str | None] = []
    stepper = start_match(lambda event: said.append(said_of(event)))
    text = "A6-B6"
    stepper.take(Ask(1, 1), Order(text))
    assert text in said
    assert stepper.check(Ask(2, 2), text) == Order(text)
