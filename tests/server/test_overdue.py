"""Those who take too long: claims in Smack!, passed turns and substitutes in SMAC, restarts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import CLAIM, Act, Ask
from engine.replays.decisions import SeatChange
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from runners.storage.database import Stale
from server.games.clocks import LATE_S, read_control
from server.games.game_service import Lobby
from server.games.game_sessions import BACK, Refused
from server.games.game_storage import SeatedOne, Terms
from server.games.positions import Position, position_of
from server.games.timekeeper import Timekeeper
from tests.server.playing import Now, a_lobby, begin, no_orders
from tests.shell import eventually

LIVE = Terms(clock=read_control("20+5"))
SUBSTITUTE = SeatedOne(name="stand-in", digest="5" * 64, is_person=False)
BASE_S = 1200.0


@pytest.fixture
def lobby(path: Path, now: Now) -> Lobby:
    return a_lobby(path, now=now)


@pytest.fixture
def smac(path: Path, now: Now) -> Lobby:
    return a_lobby(path, no_orders, now)


def smac_terms(clock: str = "1d", substitute: SeatedOne | None = SUBSTITUTE) -> Terms:
    return Terms(clock=read_control(clock), substitute=substitute)


def position(lobby: Lobby, game: str, *teams: int) -> Position:
    with lobby.room(game) as room:
        return position_of(room, teams)


def clocks(lobby: Lobby, game: str) -> dict[tuple[int, int], tuple[float, bool]]:
    """Return what is left, and whether it runs, by team and board."""
    shown = position(lobby, game).clocks
    return {(each.team, each.piece): (each.remaining_s, each.is_running) for each in shown}


def pass_time(lobby: Lobby, now: Now, seconds: float) -> None:
    """Let time pass, and do what the timekeeper does."""
    now.seconds += seconds
    lobby.call_time()


def orders_of(lobby: Lobby, game: str) -> list[list[object]]:
    """Return per decision what each team ordered: the cause of a fault, or None."""
    with lobby.room(game) as room:
        return [
            [order.cause if type(order) is Fault else None for order in decision.orders]
            for decision in room.decisions
            if decision.orders
        ]


def sitters(lobby: Lobby, game: str) -> list[str | None]:
    return [seat.substitute for seat in position(lobby, game).seats]


def answer(lobby: Lobby, game: str, team: int, order: Any = None, piece: int = 0) -> None:
    with lobby.room(game) as room:
        step = room.step_of(Ask(team, piece))
    lobby.answer(game, Ask(team, piece), step, {} if order is None else order)


# -- Smack! ---------------------------------------------------------------------------------------


def test_each_board_has_its_own_clocks_and_the_side_to_move_loses_time(
    lobby: Lobby, now: Now
) -> None:
    game = begin(lobby, terms=LIVE)
    now.seconds += 100
    answer(lobby, game, 1, "A6-B6", 1)
    now.seconds += 10
    assert clocks(lobby, game) == {
        (1, 1): (BASE_S + 5, False),  # the first move is free
        (2, 1): (BASE_S - 10, True),
        (1, 2): (BASE_S, False),
        (2, 2): (BASE_S - 110, True),
    }
    answer(lobby, game, 2, "H9-H10", 1)
    now.seconds += 30
    answer(lobby, game, 1, "A7-B7", 1)
    assert clocks(lobby, game)[1, 1] == (BASE_S + 5 - 30 + 5, False)


def test_both_boards_of_lockstep_share_a_clock(lobby: Lobby, now: Now) -> None:
    game = begin(lobby, terms=LIVE, pace="lockstep")
    now.seconds += 10
    assert clocks(lobby, game) == {(1, 0): (BASE_S - 10, True), (2, 0): (BASE_S - 10, True)}
    answer(lobby, game, 1, "A6-B6", 1)
    assert clocks(lobby, game)[1, 0] == (BASE_S - 10, False)  # the other board waits for team 2


def test_without_a_clock_nobody_is_overdue(lobby: Lobby, now: Now) -> None:
    game = begin(lobby)
    now.seconds += 1e9
    shown = position(lobby, game, 2)
    assert (shown.clock, shown.clocks) == ("none", ())
    assert CLAIM not in [act.name for act in shown.acts]


def test_the_opponent_may_claim_a_half_only_when_it_is_overdue(lobby: Lobby, now: Now) -> None:
    game = begin(lobby, terms=LIVE)
    claim = Act(2, 1, CLAIM)
    pass_time(lobby, now, BASE_S - 1)
    with pytest.raises(Refused):
        lobby.act(game, claim)
    pass_time(lobby, now, 1)
    assert position(lobby, game).step == 0  # the server claims nothing for people
    assert [each.is_overdue for each in position(lobby, game).clocks].count(True) == 2
    assert [(act.team, act.piece) for act in position(lobby, game, 1, 2).acts if act.name == CLAIM]
    with pytest.raises(Refused):
        lobby.act(game, Act(1, 1, CLAIM))
    lobby.act(game, claim)
    with lobby.room(game) as room:
        assert room.stepper.state.halves[0].ending == "forfeit: late"


def test_who_is_overdue_may_move_until_that_is_claimed(lobby: Lobby, now: Now) -> None:
    game = begin(lobby, terms=LIVE)
    pass_time(lobby, now, 2 * BASE_S)
    answer(lobby, game, 1, "A6-B6", 1)
    with pytest.raises(Refused):
        lobby.act(game, Act(2, 1, CLAIM))


def test_a_bot_claims_at_once(lobby: Lobby, now: Now) -> None:
    game = begin(lobby, who="pb", terms=LIVE)
    assert [each.team for each in position(lobby, game).clocks] == [1, 1]  # bots have none
    pass_time(lobby, now, BASE_S)
    outcome = position(lobby, game).outcome
    assert outcome is not None
    assert outcome.winner == 2


def test_a_bot_claims_after_a_restart_what_was_overdue_before(path: Path, now: Now) -> None:
    terms = Terms(clock=read_control("1d"))
    game = begin(a_lobby(path, now=now), who="pb", terms=terms)
    now.seconds += 2 * 86_400
    again = a_lobby(path, now=now)
    again.go_on_with_all()
    assert position(again, game).outcome is not None


# -- SMAC -----------------------------------------------------------------------------------------


def test_a_late_turn_passes(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    answer(smac, game, 1, {"bid": 2})
    pass_time(smac, now, 86_399)
    assert orders_of(smac, game) == []
    pass_time(smac, now, 1)
    assert orders_of(smac, game) == [[None, Cause.LATE]]


def test_a_late_live_turn_leaves_some_seconds_for_the_next(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms("20+0"))
    answer(smac, game, 1)
    answer(smac, game, 2)
    pass_time(smac, now, BASE_S)
    assert orders_of(smac, game)[1:] == [[Cause.LATE, Cause.LATE]]
    assert clocks(smac, game) == {(1, 0): (LATE_S, True), (2, 0): (LATE_S, True)}


def test_an_order_that_waits_stops_the_clock_and_taking_it_back_starts_it(
    smac: Lobby, now: Now
) -> None:
    game = begin(smac, "smac", terms=LIVE)
    now.seconds += 10
    answer(smac, game, 1)
    now.seconds += 10
    assert clocks(smac, game)[1, 0] == (BASE_S - 10, False)
    smac.take_back(game, Ask(1), 0)
    now.seconds += 10
    assert clocks(smac, game)[1, 0] == (BASE_S - 20, True)


def test_a_turn_that_has_passed_is_not_given_back(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", who="ppp", terms=smac_terms("20+0"))
    for team in (1, 2, 3):
        answer(smac, game, team)
    now.seconds += 600
    answer(smac, game, 1)
    answer(smac, game, 2)
    with smac.room(game) as room:
        step = room.step_of(Ask(3))
    now.seconds += 10
    smac.take_back(game, Ask(2), step)  # its clock has stood still: it is late after team 3
    now.seconds += 590
    smac.call_time()
    with pytest.raises(Refused, match="your time for this turn is over"):
        answer(smac, game, 3)
    with pytest.raises(Refused, match="your time for this turn is over"):
        smac.take_back(game, Ask(3), step)


def be_away(smac: Lobby, now: Now, game: str, turns: int = 3) -> None:
    """Let team 2 miss turns; team 1 orders nothing in time."""
    for _ in range(turns):
        answer(smac, game, 1)
        pass_time(smac, now, 86_400)


def test_a_substitute_plays_for_who_was_late_three_times_in_a_row(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game, 2)
    assert sitters(smac, game) == [None, None]
    be_away(smac, now, game, 1)
    assert sitters(smac, game) == [None, "stand-in"]
    answer(smac, game, 1)  # the turn is run at once: the substitute has ordered
    assert orders_of(smac, game) == [[None, Cause.LATE]] * 3 + [[None, None]]
    seat = position(smac, game).seats[1]
    assert (seat.name, seat.kind, seat.substitute) == ("Ann 2", "person", "stand-in")


def test_a_turn_in_time_begins_the_count_anew(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game, 2)
    answer(smac, game, 1)
    answer(smac, game, 2)
    be_away(smac, now, game, 2)
    assert sitters(smac, game) == [None, None]


def test_the_number_of_missed_turns_is_chosen_with_the_game(smac: Lobby, now: Now) -> None:
    terms = Terms(clock=read_control("1d"), absent_turns=1, substitute=SUBSTITUTE)
    game = begin(smac, "smac", terms=terms)
    be_away(smac, now, game, 1)
    assert sitters(smac, game) == [None, "stand-in"]


def test_without_a_substitute_an_empty_seat_gives_no_orders(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms(substitute=None))
    be_away(smac, now, game)
    answer(smac, game, 1)
    assert orders_of(smac, game)[3:] == [[None, Cause.ABSENT]]
    assert sitters(smac, game) == [None, "nobody"]


def test_a_person_who_is_back_plays_again(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    assert BACK not in [act.name for act in position(smac, game, 2).acts]
    be_away(smac, now, game)
    assert BACK in [act.name for act in position(smac, game, 2).acts]
    smac.act(game, Act(2, 0, BACK))
    assert sitters(smac, game) == [None, None]
    with smac.room(game) as room:
        assert Ask(2) not in room.waiting  # what the substitute had ordered is dropped
    assert clocks(smac, game)[2, 0] == (86_400, True)
    answer(smac, game, 1)
    answer(smac, game, 2)
    assert orders_of(smac, game)[3:] == [[None, None]]


def test_any_order_of_theirs_brings_them_back(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    with pytest.raises(Refused):
        answer(smac, game, 2, {"orders": 1})
    assert sitters(smac, game) == [None, "stand-in"]  # what is no order brings nobody back
    answer(smac, game, 2)
    assert sitters(smac, game) == [None, None]


def test_who_is_back_and_away_again_is_missed_again(smac: Lobby, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    smac.act(game, Act(2, 0, BACK))
    be_away(smac, now, game, 2)
    assert sitters(smac, game) == [None, None]
    be_away(smac, now, game, 1)
    assert sitters(smac, game) == [None, "stand-in"]


def test_a_bot_whose_answer_comes_when_the_person_is_back_is_not_heard(
    smac: Lobby, now: Now
) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    smac.act(game, Act(2, 0, BACK))
    with smac.room(game) as room, pytest.raises(Stale):
        room.order_of_bot(Ask(2), room.step_of(Ask(2)), Fault(Cause.TIMEOUT))


def test_who_sits_is_kept_over_a_restart(smac: Lobby, path: Path, now: Now) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    again = a_lobby(path, no_orders, now)
    again.go_on_with_all()
    assert sitters(again, game) == [None, "stand-in"]
    again.act(game, Act(2, 0, BACK))
    assert sitters(a_lobby(path, no_orders, now), game) == [None, None]


def test_who_sits_is_recorded_in_the_replay_which_stays_true(
    smac: Lobby, tmp_path: Path, now: Now
) -> None:
    game = begin(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    smac.act(game, Act(2, 0, BACK))
    answer(smac, game, 1)
    answer(smac, game, 2)
    with smac.room(game) as room:
        room.record(tmp_path / "replay")
    replay = Replay(tmp_path / "replay")
    assert [sits for entry in replay.entries() if (sits := getattr(entry, "sits", None))] == [
        SeatChange(2, "stand-in", SUBSTITUTE.digest),
        SeatChange(2, "Ann 2", "person:2"),
    ]
    assert verify(replay) is None


# -- the server -----------------------------------------------------------------------------------


def test_time_in_which_the_server_was_down_is_not_used_in_live_games(
    lobby: Lobby, path: Path, now: Now
) -> None:
    live = begin(lobby, terms=LIVE)
    days = begin(lobby, terms=Terms(clock=read_control("3d")))
    now.seconds += 100
    lobby.keep_alive()
    now.seconds += 50_000
    again = a_lobby(path, now=now)
    again.go_on_with_all()
    assert clocks(again, live)[1, 1] == (BASE_S - 100, True)
    assert clocks(again, days)[1, 1] == (3 * 86_400 - 50_100, True)


def test_a_clock_goes_on_after_a_restart_where_it_was(lobby: Lobby, path: Path, now: Now) -> None:
    game = begin(lobby, terms=LIVE)
    answer(lobby, game, 1, "A6-B6", 1)
    now.seconds += 7
    before = clocks(lobby, game)
    assert clocks(a_lobby(path, now=now), game) == before


def test_the_timekeeper_finds_who_is_overdue(smac: Lobby, path: Path) -> None:
    import time

    lobby = a_lobby(path, no_orders)
    game = begin(lobby, "smac", terms=smac_terms("20+0"))
    answer(lobby, game, 1)
    answer(lobby, game, 2)
    with lobby.room(game) as room:
        for key, clock in list(room.clocks.items()):
            room.clocks = {**room.clocks, key: type(clock)(remaining_s=0.05, since=time.time())}
    changed = list[str]()
    lobby.on_change = changed.append

    async def run() -> bool:
        keeper = asyncio.create_task(Timekeeper(lobby).run())
        lobby.go_on(game)
        passed = await asyncio.to_thread(eventually, lambda: len(orders_of(lobby, game)) == 2)
        keeper.cancel()
        return bool(passed)

    assert asyncio.run(run())
    assert orders_of(lobby, game)[1] == [Cause.LATE, Cause.LATE]
    assert eventually(lambda: changed == [game])
