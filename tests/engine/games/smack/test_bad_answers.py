"""What a bot's bad answer costs in a match: the half, with its reason, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.fault import Cause
from engine.game import Ask
from engine.games.smack.events import HalfEnded
from engine.games.smack.game import Smack
from engine.games.smack.rules import AGREEMENT, NO_PIECES, PLY_LIMIT
from engine.games.smack.settings import Settings
from engine.match import play_match
from engine.spec import MatchSpec
from tests.cases import for_each
from tests.engine.games.smack.test_position import a_position
from tests.engine.games.smack.test_rules import boards_at, find_ended, play
from tests.engine.seats import Recorder, ScriptedSeat

GAME = Smack()


def a_match(*answers: Callable[[Ask, Any], Any]) -> Recorder:
    """Play a match of four plies a half."""
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=Settings(ply_limit=4),
        limits=GAME.limits,
        bots=("0" * 16, "1" * 16),
        seed=1,
    )
    record = Recorder()
    play_match(GAME, spec, [ScriptedSeat(answer) for answer in answers], [record])
    return record


def sound(ask: Ask, boards: Any) -> Any:
    return str(boards.halves[ask.piece_id - 1].position.moves()[0])


NO_RETURN = "a way through decide ends without return"


@for_each(
    "answer, reason",
    [
        ("A6-Z9", "A6-Z9: there is no square Z9"),
        ("I6-A6", "I6-A6: there is no square I6"),
        ("H3-H4", "H3-H4: there is no piece on H3"),
        ("G8-G7", "G8-G7: the piece on G8 is not one of the nerds"),
        ("A6-C7", "A6-C7: C7 is not in a straight line from A6"),
        ("A6-A7", "A6-A7: one of the nerds stands on A7"),
        ("A6-A5", "A6-A5: there is no square A5"),
        ("A6-B6xH8", "A6-B6xH8: wrong captures; expected A6-B6"),
        ("pass", "'pass' is not a move; expected one such as F1-G2"),
        ("", "'' is not a move; expected one such as F1-G2"),
        (None, f"a move must be a string such as 'F1-G2', not None ({NO_RETURN})"),
        (["A6", "B6"], "a move must be a string such as 'F1-G2', not ['A6', 'B6']"),
        ({"end": True}, "an answer has a 'move' and may have an 'end', not {'end': True}"),
        ({"move": "A6-B6", "end": "yes"}, "'end' must be true or false, not 'yes'"),
    ],
)
def test_7_5_a_bad_answer_forfeits_its_half_alone(answer: Any, reason: str) -> None:
    record = a_match(lambda ask, boards: answer if ask.piece_id == 1 else sound(ask, boards), sound)
    assert [(ask.piece_id, fault.cause, fault.detail) for ask, fault in record.faults] == [
        (1, Cause.ILLEGAL, reason)
    ]
    assert find_ended(record.events) == [
        HalfEnded(1, "forfeit: illegal order", (0, 32)),
        HalfEnded(2, PLY_LIMIT, (0, 0)),
    ]
    assert record.outcome is not None
    assert record.outcome.scores == (0.0, 32.0)


@pytest.mark.parametrize("ply", range(4))
def test_6_1_an_offer_that_nobody_takes_up_changes_nothing(ply: int) -> None:
    """An offer is no more than that at the first move, behind or ahead."""

    def offers(ask: Ask, boards: Any) -> Any:
        half = boards.halves[ask.piece_id - 1]
        return {"move": sound(ask, boards), "end": half.ply == ply}

    events = a_match(offers, sound).events
    assert [end.reason for end in find_ended(events)] == [PLY_LIMIT] * 2


def test_6_1_an_offer_with_the_move_that_ends_the_half_anyway_is_harmless() -> None:
    boards = boards_at(a_position("F6", "G7"))
    last = {"move": "F6-G7", "end": True}
    orders: list[Any] = [GAME.check(boards, ask, last) for ask in GAME.asks(boards)]
    assert [end.reason for end in find_ended(play(boards, *orders))] == [NO_PIECES] * 2


def test_6_1_both_may_agree_at_once_and_score_nothing() -> None:
    both = lambda ask, boards: {"move": sound(ask, boards), "end": True}  # noqa: E731
    record = a_match(both, both)
    assert find_ended(record.events) == [
        HalfEnded(1, AGREEMENT, (0, 0)),
        HalfEnded(2, AGREEMENT, (0, 0)),
    ]
    assert record.outcome is not None
    assert record.outcome.winner is None
