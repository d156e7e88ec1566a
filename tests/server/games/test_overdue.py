"""Those who take too long: claims in Smack!, passed turns and substitutes in SMAC, restarts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import CLAIM_ACT, Act, Ask
from engine.replays.decisions import SeatChange
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from runners.storage.database import Stale
from server.games.clocks import LATE_S, read_control
from server.games.game_rows import Participant, Terms
from server.games.game_service import GameService
from server.games.game_sessions import BACK_MESSAGE
from server.games.positions import Position, make_position
from server.games.timekeeper import Timekeeper
from server.http.errors import ActionRefused
from tests.server.playing import Changed, Now, a_game_service, no_orders, start_game
from tests.shell import eventually

LIVE = Terms(clock=read_control("20+5"))
SUBSTITUTE = Participant(name="stand-in", digest="5" * 64, is_person=False)
BASE_S = 1200.0


@pytest.fixture
def game_service(path: Path, now: Now) -> GameService:
    return a_game_service(path, now=now)


@pytest.fixture
def smac(path: Path, now: Now) -> GameService:
    return a_game_service(path, no_orders, now)


def smac_terms(clock: str = "1d", substitute: Participant | None = SUBSTITUTE) -> Terms:
    return Terms(clock=read_control(clock), substitute=substitute)


def position(game_service: GameService, game: str, *teams: int) -> Position:
    with game_service.open_session(game) as session:
        return make_position(session, teams)


def clocks(game_service: GameService, game: str) -> dict[tuple[int, int], tuple[float, bool]]:
    """Return what is left, and whether it runs, by team and board."""
    shown = position(game_service, game).clocks
    return {(each.team, each.piece): (each.remaining_s, each.is_running) for each in shown}


def pass_time(game_service: GameService, now: Now, seconds: float) -> None:
    """Let time pass, and do what the timekeeper does."""
    now.seconds += seconds
    game_service.call_time()


def list_orders(game_service: GameService, game: str) -> list[list[object]]:
    """Return per decision what each team ordered: the cause of a fault, or None."""
    with game_service.open_session(game) as session:
        return [
            [order.cause if type(order) is Fault else None for order in decision.orders]
            for decision in session.decisions
            if decision.orders
        ]


def sitters(game_service: GameService, game: str) -> list[str | None]:
    return [seat.substitute for seat in position(game_service, game).seats]


def answer(
    game_service: GameService, game: str, team: int, order: Any = None, piece: int = 0
) -> None:
    with game_service.open_session(game) as session:
        step = session.ask_step(Ask(team, piece))
    game_service.answer(game, Ask(team, piece), step, {} if order is None else order)


# -- Smack! ---------------------------------------------------------------------------------------


def test_each_board_has_its_own_clocks_and_the_side_to_move_loses_time(
    game_service: GameService, now: Now
) -> None:
    game = start_game(game_service, terms=LIVE)
    now.seconds += 100
    answer(game_service, game, 1, "A6-B6", 1)
    now.seconds += 10
    assert clocks(game_service, game) == {
        (1, 1): (BASE_S + 5, False),  # the first move is free
        (2, 1): (BASE_S - 10, True),
        (1, 2): (BASE_S, False),
        (2, 2): (BASE_S - 110, True),
    }
    answer(game_service, game, 2, "H9-H10", 1)
    now.seconds += 30
    answer(game_service, game, 1, "A7-B7", 1)
    assert clocks(game_service, game)[1, 1] == (BASE_S + 5 - 30 + 5, False)


def test_both_boards_of_lockstep_share_a_clock(game_service: GameService, now: Now) -> None:
    game = start_game(game_service, terms=LIVE, pace="lockstep")
    now.seconds += 10
    assert clocks(game_service, game) == {(1, 0): (BASE_S - 10, True), (2, 0): (BASE_S - 10, True)}
    answer(game_service, game, 1, "A6-B6", 1)
    assert clocks(game_service, game)[1, 0] == (
        BASE_S - 10,
        False,
    )  # the other board waits for team 2


def test_without_a_clock_nobody_is_overdue(game_service: GameService, now: Now) -> None:
    game = start_game(game_service)
    now.seconds += 1e9
    shown = position(game_service, game, 2)
    assert (shown.clock, shown.clocks) == ("none", ())
    assert CLAIM_ACT not in [act.name for act in shown.acts]


def test_the_opponent_may_claim_a_half_only_when_it_is_overdue(
    game_service: GameService, now: Now
) -> None:
    game = start_game(game_service, terms=LIVE)
    claim = Act(2, 1, CLAIM_ACT)
    pass_time(game_service, now, BASE_S - 1)
    with pytest.raises(ActionRefused):
        game_service.perform_act(game, claim)
    pass_time(game_service, now, 1)
    assert position(game_service, game).step == 0  # the server claims nothing for people
    assert [each.is_overdue for each in position(game_service, game).clocks].count(True) == 2
    assert [
        (act.team, act.piece)
        for act in position(game_service, game, 1, 2).acts
        if act.name == CLAIM_ACT
    ]
    with pytest.raises(ActionRefused):
        game_service.perform_act(game, Act(1, 1, CLAIM_ACT))
    game_service.perform_act(game, claim)
    with game_service.open_session(game) as session:
        assert session.stepper.state.halves[0].ending == "forfeit: late"


def test_who_is_overdue_may_move_until_that_is_claimed(game_service: GameService, now: Now) -> None:
    game = start_game(game_service, terms=LIVE)
    pass_time(game_service, now, 2 * BASE_S)
    answer(game_service, game, 1, "A6-B6", 1)
    with pytest.raises(ActionRefused):
        game_service.perform_act(game, Act(2, 1, CLAIM_ACT))


def test_a_bot_claims_at_once(game_service: GameService, now: Now) -> None:
    game = start_game(game_service, who="pb", terms=LIVE)
    assert [each.team for each in position(game_service, game).clocks] == [1, 1]  # bots have none
    pass_time(game_service, now, BASE_S)
    outcome = position(game_service, game).outcome
    assert outcome is not None
    assert outcome.winner == 2


def test_a_bot_claims_after_a_restart_what_was_overdue_before(path: Path, now: Now) -> None:
    terms = Terms(clock=read_control("1d"))
    game = start_game(a_game_service(path, now=now), who="pb", terms=terms)
    now.seconds += 2 * 86_400
    again = a_game_service(path, now=now)
    again.go_on_with_all()
    assert position(again, game).outcome is not None


# -- SMAC -----------------------------------------------------------------------------------------


def test_a_late_turn_passes(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    answer(smac, game, 1, {"bid": 2})
    pass_time(smac, now, 86_399)
    assert list_orders(smac, game) == []
    pass_time(smac, now, 1)
    assert list_orders(smac, game) == [[None, Cause.LATE]]


def test_a_late_live_turn_leaves_some_seconds_for_the_next(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms("20+0"))
    answer(smac, game, 1)
    answer(smac, game, 2)
    pass_time(smac, now, BASE_S)
    assert list_orders(smac, game)[1:] == [[Cause.LATE, Cause.LATE]]
    assert clocks(smac, game) == {(1, 0): (LATE_S, True), (2, 0): (LATE_S, True)}


def test_an_order_that_waits_stops_the_clock_and_taking_it_back_starts_it(
    smac: GameService, now: Now
) -> None:
    game = start_game(smac, "smac", terms=LIVE)
    now.seconds += 10
    answer(smac, game, 1)
    now.seconds += 10
    assert clocks(smac, game)[1, 0] == (BASE_S - 10, False)
    smac.take_back_order(game, Ask(1), 0)
    now.seconds += 10
    assert clocks(smac, game)[1, 0] == (BASE_S - 20, True)


def test_a_turn_that_has_passed_is_not_given_back(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", who="ppp", terms=smac_terms("20+0"))
    for team in (1, 2, 3):
        answer(smac, game, team)
    now.seconds += 600
    answer(smac, game, 1)
    answer(smac, game, 2)
    with smac.open_session(game) as session:
        step = session.ask_step(Ask(3))
    now.seconds += 10
    smac.take_back_order(game, Ask(2), step)  # its clock has stood still: it is late after team 3
    now.seconds += 590
    smac.call_time()
    with pytest.raises(ActionRefused, match="your time for this turn is over"):
        answer(smac, game, 3)
    with pytest.raises(ActionRefused, match="your time for this turn is over"):
        smac.take_back_order(game, Ask(3), step)


def be_away(smac: GameService, now: Now, game: str, turns: int = 3) -> None:
    """Let team 2 miss turns; team 1 orders nothing in time."""
    for _ in range(turns):
        answer(smac, game, 1)
        pass_time(smac, now, 86_400)


def test_a_substitute_plays_for_who_was_late_three_times_in_a_row(
    smac: GameService, now: Now
) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game, 2)
    assert sitters(smac, game) == [None, None]
    be_away(smac, now, game, 1)
    assert sitters(smac, game) == [None, "stand-in"]
    answer(smac, game, 1)  # the turn is run at once: the substitute has ordered
    assert list_orders(smac, game) == [[None, Cause.LATE]] * 3 + [[None, None]]
    seat = position(smac, game).seats[1]
    assert (seat.name, seat.kind, seat.substitute) == ("Ann 2", "person", "stand-in")


def test_a_turn_in_time_begins_the_count_anew(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game, 2)
    answer(smac, game, 1)
    answer(smac, game, 2)
    be_away(smac, now, game, 2)
    assert sitters(smac, game) == [None, None]


def test_the_number_of_missed_turns_is_chosen_with_the_game(smac: GameService, now: Now) -> None:
    terms = Terms(clock=read_control("1d"), absent_turns=1, substitute=SUBSTITUTE)
    game = start_game(smac, "smac", terms=terms)
    be_away(smac, now, game, 1)
    assert sitters(smac, game) == [None, "stand-in"]


def test_without_a_substitute_an_empty_seat_gives_no_orders(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms(substitute=None))
    be_away(smac, now, game)
    answer(smac, game, 1)
    assert list_orders(smac, game)[3:] == [[None, Cause.ABSENT]]
    assert sitters(smac, game) == [None, "nobody"]


def test_a_person_who_is_back_plays_again(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    assert BACK_MESSAGE not in [act.name for act in position(smac, game, 2).acts]
    be_away(smac, now, game)
    assert BACK_MESSAGE in [act.name for act in position(smac, game, 2).acts]
    smac.perform_act(game, Act(2, 0, BACK_MESSAGE))
    assert sitters(smac, game) == [None, None]
    with smac.open_session(game) as session:
        assert Ask(2) not in session.waiting  # what the substitute had ordered is dropped
    assert clocks(smac, game)[2, 0] == (86_400, True)
    answer(smac, game, 1)
    answer(smac, game, 2)
    assert list_orders(smac, game)[3:] == [[None, None]]


def test_any_order_of_theirs_brings_them_back(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    with pytest.raises(ActionRefused):
        answer(smac, game, 2, {"orders": 1})
    assert sitters(smac, game) == [None, "stand-in"]  # what is no order brings nobody back
    answer(smac, game, 2)
    assert sitters(smac, game) == [None, None]


def test_who_is_back_and_away_again_is_missed_again(smac: GameService, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    smac.perform_act(game, Act(2, 0, BACK_MESSAGE))
    be_away(smac, now, game, 2)
    assert sitters(smac, game) == [None, None]
    be_away(smac, now, game, 1)
    assert sitters(smac, game) == [None, "stand-in"]


def test_a_bot_whose_answer_comes_when_the_person_is_back_is_not_heard(
    smac: GameService, now: Now
) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    smac.perform_act(game, Act(2, 0, BACK_MESSAGE))
    with smac.open_session(game) as session, pytest.raises(Stale):
        session.order_of_bot(Ask(2), session.ask_step(Ask(2)), Fault(Cause.TIMEOUT))


def test_who_sits_is_kept_over_a_restart(smac: GameService, path: Path, now: Now) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    again = a_game_service(path, no_orders, now)
    again.go_on_with_all()
    assert sitters(again, game) == [None, "stand-in"]
    again.perform_act(game, Act(2, 0, BACK_MESSAGE))
    assert sitters(a_game_service(path, no_orders, now), game) == [None, None]


def test_who_sits_is_recorded_in_the_replay_which_stays_true(
    smac: GameService, tmp_path: Path, now: Now
) -> None:
    game = start_game(smac, "smac", terms=smac_terms())
    be_away(smac, now, game)
    smac.perform_act(game, Act(2, 0, BACK_MESSAGE))
    answer(smac, game, 1)
    answer(smac, game, 2)
    with smac.open_session(game) as session:
        session.record(tmp_path / "replay")
    replay = Replay(tmp_path / "replay")
    assert [sits for entry in replay.entries() if (sits := getattr(entry, "sits", None))] == [
        SeatChange(2, "stand-in", SUBSTITUTE.digest),
        SeatChange(2, "Ann 2", "person:2"),
    ]
    assert verify(replay) is None


# -- the server -----------------------------------------------------------------------------------


def test_time_in_which_the_server_was_down_is_not_used_in_live_games(
    game_service: GameService, path: Path, now: Now
) -> None:
    live = start_game(game_service, terms=LIVE)
    days = start_game(game_service, terms=Terms(clock=read_control("3d")))
    now.seconds += 100
    game_service.keep_alive()
    now.seconds += 50_000
    again = a_game_service(path, now=now)
    again.go_on_with_all()
    assert clocks(again, live)[1, 1] == (BASE_S - 100, True)
    assert clocks(again, days)[1, 1] == (3 * 86_400 - 50_100, True)


def test_a_clock_goes_on_after_a_restart_where_it_was(
    game_service: GameService, path: Path, now: Now
) -> None:
    game = start_game(game_service, terms=LIVE)
    answer(game_service, game, 1, "A6-B6", 1)
    now.seconds += 7
    before = clocks(game_service, game)
    assert clocks(a_game_service(path, now=now), game) == before


def test_the_timekeeper_finds_who_is_overdue(smac: GameService, path: Path) -> None:
    import time

    game_service = a_game_service(path, no_orders)
    game = start_game(game_service, "smac", terms=smac_terms("20+0"))
    answer(game_service, game, 1)
    answer(game_service, game, 2)
    with game_service.open_session(game) as session:
        for key, clock in list(session.clocks.items()):
            session.clocks = {
                **session.clocks,
                key: type(clock)(remaining_s=0.05, since=time.time()),
            }
    changed = Changed(game_service)

    async def run() -> bool:
        keeper = asyncio.create_task(Timekeeper(game_service).run())
        game_service.go_on(game)
        passed = await asyncio.to_thread(
            eventually, lambda: len(list_orders(game_service, game)) == 2
        )
        keeper.cancel()
        return bool(passed)

    assert asyncio.run(run())
    assert list_orders(game_service, game)[1] == [Cause.LATE, Cause.LATE]
    assert eventually(lambda: changed.games == [game])
