"""What was decided before a match was interrupted, put to its players again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.errors import BadReplay
from engine.fault import Cause, Fault
from engine.game import Ask
from engine.replays.reading import Replay
from engine.replays.resuming import require_continuable
from engine.replays.writing import Continued, ContinuedAside, Deviation, FaultAside
from tests.engine.interrupted_matches import GoneOn, RestoredSeat, cut_before, record
from tests.engine.recorded import read_lines, write
from tests.engine.seats import Answer
from tests.engine.toys import Cards, Numbers, Toy, a_spec

TURN_3 = b'["stage",3'


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    for toy in (Numbers(), Cards()):
        monkeypatch.setitem(GAMES, toy.name, toy)


def counts(*, step: int = 1) -> Answer:
    """A player that says how often it was asked: one with a memory."""
    said = 0

    def answer(ask: Ask, state: Any) -> int:
        nonlocal said
        said += step
        return said

    return answer


def seats(*answers: Answer) -> list[RestoredSeat]:
    return [RestoredSeat(answer) for answer in answers]


def always(value: Any) -> Answer:
    return lambda ask, state: value


def in_turn(turn: int, value: Any, otherwise: Any = 1) -> Answer:
    return lambda ask, state: value if state.turn == turn else otherwise


class Cut:
    """A match of four turns, recorded whole and interrupted before its third."""

    def __init__(
        self, folder: Path, *answers: Answer, game: Toy | None = None, asks_each: int = 1
    ) -> None:
        self.game = game or Numbers()
        self.spec = a_spec(self.game, last_turn=4, asks_each=asks_each)
        self.path = folder / "whole"
        self.seats = seats(*answers)
        self.fingerprint = record(self.path, self.game, self.spec, self.seats)
        self.replay = cut_before(self.path, TURN_3)

    def goes_on(self, *answers: Answer, before_turn: int | None = None) -> GoneOn:
        return GoneOn(self.replay, seats(*answers), before_turn)


@pytest.mark.parametrize("game", [Numbers(), Cards()], ids=["open", "hidden"])
@pytest.mark.parametrize("asks_each", [1, 3])
def test_players_that_do_the_same_make_the_match_it_would_have_been(
    tmp_path: Path, game: Toy, asks_each: int
) -> None:
    cut = Cut(tmp_path, counts(), counts(step=2), game=game, asks_each=asks_each)
    gone_on = cut.goes_on(counts(), counts(step=2))
    assert gone_on.fingerprint == cut.fingerprint
    assert gone_on.continued == Continued(turn=2, deviation=None)
    assert list(gone_on.replay.record()) == list(Replay(cut.path).record())


def test_every_team_is_told_what_it_would_have_been_told(tmp_path: Path) -> None:
    cut = Cut(tmp_path, counts(), counts(), game=Cards())
    again = seats(counts(), counts())
    GoneOn(cut.replay, again)
    assert [seat.told for seat in again] == [seat.told for seat in cut.seats]
    assert [seat.state for seat in again] == [seat.state for seat in cut.seats]


def test_recorded_orders_count_and_after_them_those_of_the_players(tmp_path: Path) -> None:
    cut = Cut(tmp_path, always(1), always(10))
    gone_on = cut.goes_on(always(5), always(10))
    assert gone_on.outcome.scores == (2 * 1 + 2 * 5, 4 * 10)


def test_the_first_answer_that_differs_is_told_and_no_other(tmp_path: Path) -> None:
    cut = Cut(tmp_path, always(1), always(10), asks_each=2)

    def changed(ask: Ask, state: Any) -> int:
        return 7 if (state.turn, ask.piece_id) == (2, 1) else 10

    deviation = Deviation(turn=2, team=2, piece_id=1, recorded="10", now="7")
    gone_on = cut.goes_on(always(1), changed)
    assert gone_on.continued == Continued(turn=2, deviation=deviation)
    earlier = cut.goes_on(always(0), changed).continued.deviation
    assert earlier == Deviation(turn=1, team=1, piece_id=0, recorded="1", now="0")


def test_an_answer_after_the_cut_differs_from_nothing(tmp_path: Path) -> None:
    cut = Cut(tmp_path, always(1), always(10))
    assert cut.goes_on(in_turn(3, 99), always(10)).continued.deviation is None


def test_it_is_told_that_it_went_on_between_the_last_recorded_order_and_the_next(
    tmp_path: Path,
) -> None:
    gone_on = Cut(tmp_path, always(1), always(2)).goes_on(always(1), always(2))
    assert gone_on.ends == [gone_on.continued]
    assert gone_on.asked_at_end == [2, 2]
    assert ContinuedAside(gone_on.continued) in gone_on.replay.asides


def test_a_match_may_go_on_from_an_earlier_turn(tmp_path: Path) -> None:
    cut = Cut(tmp_path, always(1), always(10))
    gone_on = GoneOn(Replay(cut.path), seats(always(5), always(10)), before_turn=4)
    assert gone_on.continued.turn == 4
    assert gone_on.outcome.scores == (3 * 1 + 5, 4 * 10)


@pytest.mark.parametrize(
    ("was", "now", "parts"),
    [
        (Fault(Cause.TIMEOUT, "late"), 1, ("timeout: late", "1")),
        (1, Fault(Cause.EXIT, "gone"), ("1", "exit: gone")),
        (1, "FLY", ("1", "illegal order: 'FLY' is no number")),
        (Fault(Cause.TIMEOUT, "late"), Fault(Cause.TIMEOUT, "later"), None),
        ("FLY", "HOP", None),
        (
            Fault(Cause.TIMEOUT, "late"),
            Fault(Cause.SLEPT, "late"),
            ("timeout: late", "slept: late"),
        ),
    ],
)
def test_what_a_player_says_is_compared_but_for_the_words_of_a_fault(
    tmp_path: Path, was: Any, now: Any, parts: tuple[str, str] | None
) -> None:
    cut = Cut(tmp_path, in_turn(2, was), always(1))
    gone_on = cut.goes_on(in_turn(2, now), always(1))
    deviation = gone_on.continued.deviation
    assert (deviation and (deviation.recorded, deviation.now)) == parts
    assert gone_on.outcome.scores[0] == (3 if isinstance(was, Fault | str) else 4)


def test_recorded_faults_count_with_their_words_and_do_to_the_bot_what_they_did(
    tmp_path: Path,
) -> None:
    out = Fault(Cause.OUT, "exit: gone")
    crash = Fault(Cause.EXIT, "gone")

    def crashing(ask: Ask, state: Any) -> Any:
        seat = whole[1]
        seat.restarts, seat.out = state.turn, out if state.turn == 2 else None
        return crash

    whole = seats(always(1), crashing)
    path, game, spec = tmp_path / "whole", Numbers(), a_spec(Numbers(), last_turn=4)
    record(path, game, spec, whole)
    again = seats(always(1), always(5))
    gone_on = GoneOn(cut_before(path, TURN_3), again)
    assert again[1].restored == [(1, None), (2, out)]
    faults = [aside for aside in gone_on.replay.asides if isinstance(aside, FaultAside)]
    assert [(aside.turn, aside.cause, aside.detail) for aside in faults] == [
        (1, Cause.EXIT, "gone"),
        (2, Cause.EXIT, "gone"),
    ]
    assert gone_on.outcome.scores == (4, 10)


def test_what_a_player_loses_in_the_past_is_no_fault_of_the_match(tmp_path: Path) -> None:
    cut = Cut(tmp_path, always(1), always(1))
    gone_on = cut.goes_on(in_turn(1, Fault(Cause.TIMEOUT)), always(1))
    assert not [aside for aside in gone_on.replay.asides if isinstance(aside, FaultAside)]


def test_a_match_goes_on_from_every_byte_at_which_its_file_may_end(tmp_path: Path) -> None:
    whole = Cut(tmp_path, in_turn(2, Fault(Cause.TIMEOUT, "late")), counts(), game=Cards())
    content = whole.path.read_bytes()
    seen: dict[int, int] = {}
    for size in range(len(content)):
        cut = tmp_path / "bytes"
        cut.write_bytes(content[:size])
        try:
            replay = Replay(cut)
        except BadReplay as refused:
            assert not seen, f"at {size}: {refused}"  # noqa: PT017 - nearly all are read
            continue
        if replay.line_count not in seen:
            again = seats(in_turn(2, Fault(Cause.TIMEOUT, "late")), counts())
            assert GoneOn(replay, again).fingerprint == whole.fingerprint, f"at {size}"
        seen[replay.line_count] = size
    assert len(seen) > 4


# -- what cannot be resumed ---------------------------------------------------------------------


def replacing(old: bytes, new: bytes) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [line.replace(old, new) for line in lines]


@pytest.mark.parametrize(
    ("spoil", "before_turn", "message"),
    [
        (lambda lines: lines, None, "is complete: there is nothing to continue"),
        (lambda lines: lines, 9, "has turns 1 to 4, not 9"),
        (
            replacing(b'"rules_version":1', b'"rules_version":7'),
            None,
            "under version 7 of the rules",
        ),
        (replacing(b'"digest":"bot 1"', b'"digest":"bot 9"'), None, "are not those of its match"),
        (replacing(b'["!",1,10]', b'["!",2,10]'), None, "be resumed: from turn 1 on it is not"),
    ],
    ids=["complete", "no such turn", "other rules", "other bots", "forged"],
)
def test_a_replay_that_cannot_go_on_is_refused_with_the_reason(
    tmp_path: Path,
    spoil: Callable[[list[bytes]], list[bytes]],
    before_turn: int | None,
    message: str,
) -> None:
    cut = Cut(tmp_path, always(1), always(10))
    replay = Replay(write(tmp_path / "spoilt", spoil(read_lines(cut.path))))
    with pytest.raises(BadReplay, match=f"spoilt: .*{message}"):
        require_continuable(replay, before_turn)


def test_a_match_that_was_cut_off_can_go_on_and_one_that_was_never_filed_too(
    tmp_path: Path,
) -> None:
    cut = Cut(tmp_path, always(1), always(10))
    require_continuable(cut.replay, None)
    require_continuable(Replay(cut.path), 2)
    saved = tmp_path / "interrupted" / "0123" / "replay"
    saved.parent.mkdir(parents=True)
    cut.path.rename(saved)
    require_continuable(Replay(saved), None)
    gone_on = GoneOn(Replay(saved), seats(always(1), always(10)))
    assert gone_on.fingerprint == cut.fingerprint
