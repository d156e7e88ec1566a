"""A slime's round (docs/rules/slime_mind.md 5)."""

import pytest

from engine.fault import Cause, Fault
from engine.game import Refusal, Stage
from engine.games.slime_mind.events import (
    Bitten,
    Died,
    Levelled,
    Moved,
    Queued,
    ReadyEnded,
    RoundLost,
)
from engine.games.slime_mind.orders import Command, parse
from engine.games.slime_mind.pieces import Slime
from engine.games.slime_mind.rules import update_level
from tests.cases import for_each
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime, an_enemy, play

NEXT_TURN = [Stage(3, "plants"), Stage(3, "slimes"), Queued((1, 2))]
LATE = Fault(Cause.TIMEOUT)


def test_5_1_readiness_ends_when_the_slimes_own_round_begins() -> None:
    board = a_board("A . B", A=a_slime(ready=True), queue=[2])
    assert play(board, "LEFT") == [Moved(2, 1, 0), *NEXT_TURN, ReadyEnded(1)]
    assert not board.slimes[1].ready_to_merge


def test_5_1_readiness_lasts_while_others_act() -> None:
    board = a_board("A . B", A=a_slime(ready=True), queue=[2, 2])
    assert play(board, "LEFT") == [Moved(2, 1, 0)]
    assert board.slimes[1].ready_to_merge


@pytest.mark.parametrize(
    ("slime", "levelled"),
    [
        (a_slime(xp=15, level=3, hp=10), Levelled(1, level=4, attack=10, max_hp=22, hp=13)),
        (a_slime(xp=695, level=1, hp=1), Levelled(1, level=12, attack=43, max_hp=97, hp=9)),
    ],
    ids=["10.2-one-level", "10.2-many-levels"],
)
def test_10_2_hp_keeps_its_share(slime: Slime, levelled: Levelled) -> None:
    assert list(update_level(slime)) == [levelled]


@pytest.mark.parametrize(
    ("slime", "levelled"),
    [
        (a_slime(xp=5, level=4, hp=20), Levelled(1, level=2, attack=4, max_hp=13, hp=13)),
        (a_slime(xp=5, level=4, hp=12), Levelled(1, level=2, attack=4, max_hp=13, hp=12)),
        (a_slime(xp=6, level=2), Levelled(1, level=3, attack=7, max_hp=17, hp=17)),
        (a_slime(xp=0, level=2), Levelled(1, level=1, attack=3, max_hp=11, hp=11)),
    ],
    ids=["above the new most is lost", "below it is kept", "full stays full", "without xp"],
)
def test_5_2_the_level_follows_xp(slime: Slime, levelled: Levelled) -> None:
    assert list(update_level(slime)) == [levelled]


def test_5_2_a_slime_whose_level_is_right_stays_as_it_is() -> None:
    assert list(update_level(a_slime(xp=14, hp=1))) == []


def test_5_2_the_next_slimes_level_is_settled_before_it_is_asked() -> None:
    board = a_board("A . B", B=an_enemy(xp=2, level=1))
    assert play(board, "RIGHT") == [Moved(1, 1, 0), Levelled(2, 2, 4, 13, 13)]
    assert board.slimes[2] == Slime(2, 2, 2, 0, 2, 2, 12, 13, 13, 4, False)


def test_10_1_the_level_comes_a_round_later() -> None:
    board = a_board("A p B", A=a_slime(xp=5), p=a_plant(hp=6), queue=[1])
    assert play(board, "BITERIGHT") == [
        Bitten(1, 3, target_hp=2, hp=13, xp=6),
        *NEXT_TURN,
        Levelled(1, level=3, attack=7, max_hp=17, hp=17),
    ]


def test_10_1_until_then_the_slime_keeps_its_level() -> None:
    board = a_board("A p B", A=a_slime(xp=5), p=a_plant(hp=6))
    play(board, "BITERIGHT")
    assert board.slimes[1] == Slime(1, 1, 0, 0, 6, 2, 12, 13, 13, 4, False)


@for_each("word", list(Command))
def test_5_3_each_of_the_ten_words_is_a_command(word: str) -> None:
    assert parse(str(word)) is Command(word)


def test_5_3_there_are_ten_commands() -> None:
    assert [str(command) for command in Command] == [
        *("LEFT", "RIGHT", "UP", "DOWN"),
        *("BITELEFT", "BITERIGHT", "BITEUP", "BITEDOWN"),
        *("SPLIT", "MERGE"),
    ]


@pytest.mark.parametrize(
    "answer", ["BITE", "FLY", "LEF\N{CYRILLIC CAPITAL LETTER TE}", "LEFT" * 10]
)
def test_5_3_any_other_word_is_refused(answer: str) -> None:
    assert parse(answer) == Refusal(
        f"{answer!r} is not a valid command; expected one of LEFT, RIGHT, UP, DOWN, "
        "BITELEFT, BITERIGHT, BITEUP, BITEDOWN, SPLIT, MERGE"
    )


@pytest.mark.parametrize(
    ("answer", "meant"),
    [
        ("left", "LEFT"),
        ("LEFT ", "LEFT"),
        (" LEFT", "LEFT"),
        ("LEFT\n", "LEFT"),
        ("BITE_LEFT", "BITELEFT"),
        ("bite up", "BITEUP"),
        ("Command.SPLIT", "SPLIT"),
    ],
)
def test_5_3_a_command_in_other_letters_is_refused_with_the_one_that_is_meant(
    answer: str, meant: str
) -> None:
    assert parse(answer) == Refusal(
        f"{answer!r} is not a valid command; expected one of LEFT, RIGHT, UP, DOWN, "
        f"BITELEFT, BITERIGHT, BITEUP, BITEDOWN, SPLIT, MERGE; did you mean '{meant}'?"
    )


@pytest.mark.parametrize("answer", ["WAIT", "pass", "Command.STAY", "no_op", ""])
def test_5_3_a_word_for_doing_nothing_is_refused_with_what_has_no_effect(answer: str) -> None:
    assert parse(answer) == Refusal(
        f"{answer!r} is not a valid command; expected one of LEFT, RIGHT, UP, DOWN, "
        "BITELEFT, BITERIGHT, BITEUP, BITEDOWN, SPLIT, MERGE; none does nothing, but one that "
        "cannot be carried out is no fault (rules 6)"
    )


@pytest.mark.parametrize("answer", [["LEFT"], ("LEFT", "UP")])
def test_5_3_several_commands_are_refused_as_each_call_is_about_one(answer: object) -> None:
    assert parse(answer) == Refusal(
        f"an answer must be a string such as 'LEFT', not {answer!r} (one command for each call)"
    )


@pytest.mark.parametrize("answer", [1, True, 0.5, b"LEFT", {"LEFT": 1}])
def test_5_3_what_is_no_word_is_refused(answer: object) -> None:
    assert parse(answer) == Refusal(f"an answer must be a string such as 'LEFT', not {answer!r}")


def test_5_3_nothing_is_refused_with_what_mostly_is_its_reason() -> None:
    assert parse(None) == Refusal(
        "an answer must be a string such as 'LEFT', not None (a way through decide ends without "
        "return)"
    )


def test_5_3_a_refusal_quotes_no_more_than_a_line() -> None:
    for answer in ("X" * 10_000, ["X" * 10_000]):
        refusal = parse(answer)
        assert isinstance(refusal, Refusal)
        assert len(refusal.reason) < 200


@pytest.mark.parametrize("cause", [Cause.TIMEOUT, Cause.EXCEPTION, Cause.ILLEGAL, Cause.SIGNAL])
def test_5_3_a_fault_costs_the_round_and_nothing_else(cause: Cause) -> None:
    board = a_board("A p B")
    before = board.slimes[1]
    assert play(board, Fault(cause, "why")) == [RoundLost(1, team=1, turn=2, reason=str(cause))]
    assert (board.slimes[1], board.queue) == (before, [2])


def test_5_3_a_lost_round_has_still_begun() -> None:
    board = a_board("A . B", A=a_slime(xp=2, level=1, ready=True), queue=[2])
    assert play(board, "LEFT", LATE) == [
        Moved(2, 1, 0),
        *NEXT_TURN,
        ReadyEnded(1),
        Levelled(1, 2, 4, 13, 13),
        RoundLost(1, team=1, turn=3, reason="timeout"),
    ]


def test_5_5_a_command_takes_effect_before_the_next_slime_acts() -> None:
    board = a_board(
        """
        A B
        . .
        """
    )
    assert play(board, "DOWN", "LEFT")[:2] == [Moved(1, 0, 1), Moved(2, 0, 0)]


@pytest.mark.parametrize(
    ("hp", "left", "dies"), [(4, 1, False), (3, 0, True), (2, 0, True), (1, 0, True)]
)
def test_5_6_what_has_no_hp_left_is_removed(hp: int, left: int, dies: bool) -> None:
    for target in (a_plant(3, hp=hp), an_enemy(3, hp=hp)):
        board = a_board("A t B", t=target)
        bitten = Bitten(1, 3, target_hp=left, hp=11, xp=2)
        assert play(board, "BITERIGHT") == [bitten, *([Died(3, by=1)] if dies else [])]
        assert ((1, 0) in board.at) is not dies
        assert (3 in board.slimes or 3 in board.plants) is not dies
