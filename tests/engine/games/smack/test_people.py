"""Smack! as people play it: at their own pace, with offers, resignations and claims."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.errors import BadReplay
from engine.fault import Cause, Fault
from engine.game import CLAIM_ACT, Act, Ask, MatchEnded, Outcome, Stage
from engine.games.smack import rules
from engine.games.smack.events import Declined, HalfEnded, Moved, Offered
from engine.games.smack.game import Smack
from engine.games.smack.orders import Order
from engine.games.smack.player import BasePlayer, Board
from engine.games.smack.settings import Pace, Settings
from engine.limits import Limits
from engine.match import play_match
from engine.replays.decisions import Decision, SeatChange
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import Contestant, Recorder
from engine.spec import MatchSpec
from engine.stepper import Stepper
from tests.engine.recorded import read_lines, write
from tests.engine.seats import Recorder as Notes
from tests.engine.seats import ScriptedSeat

GAME = Smack()
PEOPLE = ("person:one", "person:two")


def a_spec(pace: Pace = Pace.FREE, **settings: Any) -> MatchSpec:
    return MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=Settings(pace=pace, **settings),
        limits=Limits(),
        bots=PEOPLE,
        seed=1,
    )


def start_match(*observers: Any, **settings: Any) -> Stepper[Any, Any, Any]:
    stepper = Stepper[Any, Any, Any](GAME, a_spec(**settings), observers)
    stepper.start()
    return stepper


def move(stepper: Stepper[Any, Any, Any], half: int, text: str, *, end: bool = False) -> None:
    ask = next(ask for ask in stepper.asks if ask.piece_id == half)
    stepper.take(ask, Order(text, end))


def act_names(stepper: Stepper[Any, Any, Any], team: int, half: int) -> list[str]:
    acts = GAME.legal_acts(stepper.state, team)
    return [act.name for act in acts if act.piece_id == half]


def test_7_7_a_ply_is_played_when_its_side_orders_it() -> None:
    notes = Notes()
    stepper = start_match(notes)
    for text in ("A6-B6", "H9-H10", "B6-A6"):
        move(stepper, 1, text)
    assert [half.ply for half in stepper.state.halves] == [3, 0]
    assert sorted((ask.team, ask.piece_id) for ask in stepper.asks) == [(2, 1), (2, 2)]
    assert [event for event in notes.events if isinstance(event, Stage)] == [
        Stage(turn, "ply") for turn in (1, 2, 3, 4)
    ]


def test_7_7_bots_that_play_so_bring_both_boards_forward() -> None:
    def first_move(ask: Ask, state: Any) -> str:
        return str(state.halves[ask.piece_id - 1].position.moves()[0])

    notes = Notes()
    spec = a_spec(ply_limit=5)
    play_match(GAME, spec, [ScriptedSeat(first_move), ScriptedSeat(first_move)], [notes])
    moved = [event.half for event in notes.events if isinstance(event, Moved)]
    assert moved == [1, 2] * 5
    assert notes.outcome == Outcome((0.0, 0.0), rules.BOTH_OVER)


def test_7_7_lockstep_is_what_bots_play() -> None:
    assert Settings().pace is Pace.LOCKSTEP


def test_7_8_an_offer_can_be_made_and_accepted_at_any_time() -> None:
    notes = Notes()
    stepper = start_match(notes)
    assert act_names(stepper, 2, 1) == [rules.RESIGN, rules.OFFER, CLAIM_ACT]
    stepper.act(Act(2, 1, rules.OFFER))  # while team 1 is to move there
    assert notes.events[-1:] == [Offered(1, 2)]
    assert rules.ACCEPT in act_names(stepper, 1, 1)
    assert act_names(stepper, 1, 2) == [rules.RESIGN, rules.OFFER, CLAIM_ACT]
    stepper.act(Act(1, 1, rules.ACCEPT))
    assert notes.events[-1:] == [HalfEnded(1, rules.AGREEMENT, (0, 0))]
    assert [ask.piece_id for ask in stepper.asks] == [2]


def test_7_8_who_moves_on_declines_and_who_offers_may_move() -> None:
    stepper = start_match()
    stepper.act(Act(1, 1, rules.OFFER))
    move(stepper, 1, "A6-B6")
    assert rules.ACCEPT in act_names(stepper, 2, 1)
    move(stepper, 1, "H9-H10")
    assert rules.ACCEPT not in act_names(stepper, 2, 1)


@pytest.mark.parametrize("comes_with_a_move", [False, True])
def test_7_8_an_offer_is_declined_and_can_be_made_again(comes_with_a_move: bool) -> None:
    notes = Notes()
    stepper = start_match(notes)
    if comes_with_a_move:
        move(stepper, 1, "A6-B6", end=True)
    else:
        stepper.act(Act(1, 1, rules.OFFER))
    assert rules.DECLINE in act_names(stepper, 2, 1)
    assert rules.DECLINE not in act_names(stepper, 1, 1)
    stepper.act(Act(2, 1, rules.DECLINE))
    assert notes.events[-1:] == [Declined(1, 2)]
    assert not {rules.ACCEPT, rules.DECLINE}.intersection(act_names(stepper, 2, 1))
    assert rules.OFFER in act_names(stepper, 1, 1)


def test_7_8_an_offer_that_came_with_a_move_is_accepted_at_once() -> None:
    stepper = start_match()
    move(stepper, 1, "A6-B6", end=True)
    assert rules.OFFER not in act_names(stepper, 1, 1)
    stepper.act(Act(2, 1, rules.ACCEPT))
    assert stepper.state.halves[0].ending == rules.AGREEMENT


def test_7_8_a_move_that_offers_accepts_an_offer_made_before_it() -> None:
    stepper = start_match()
    stepper.act(Act(2, 1, rules.OFFER))
    move(stepper, 1, "A6-B6", end=True)
    assert stepper.state.halves[0].ending == rules.AGREEMENT


@pytest.mark.parametrize("team", [1, 2])
def test_7_8_resigning_forfeits_the_half_in_either_sides_turn(team: int) -> None:
    stepper = start_match()
    stepper.act(Act(team, 1, rules.RESIGN))
    half = stepper.state.halves[0]
    assert half.ending == "forfeit: resigned"
    assert half.points == ((0, 32) if team == 1 else (32, 0))


def test_7_8_only_the_opponent_of_who_is_to_move_claims_an_overdue_half() -> None:
    stepper = start_match()
    assert CLAIM_ACT not in act_names(stepper, 1, 1)
    stepper.act(Act(2, 1, CLAIM_ACT))
    half = stepper.state.halves[0]
    assert (half.ending, half.points) == ("forfeit: late", (0, 32))


def test_7_8_a_match_is_over_when_the_second_half_is_given_up() -> None:
    notes = Notes()
    stepper = start_match(notes)
    stepper.act(Act(1, 1, rules.RESIGN))
    stepper.act(Act(1, 2, rules.RESIGN))
    assert notes.events[-1] == MatchEnded((0.0, 64.0), rules.BOTH_OVER)
    assert stepper.outcome == Outcome((0.0, 64.0), rules.BOTH_OVER)
    assert GAME.legal_acts(stepper.state, 2) == []


def test_an_act_in_lockstep_plays_a_round_that_waited_for_that_half_alone() -> None:
    stepper = start_match(pace=Pace.LOCKSTEP)
    move(stepper, 2, "A6-B6")
    assert stepper.state.halves[1].ply == 0
    stepper.act(Act(1, 1, rules.RESIGN))
    assert stepper.state.halves[1].ply == 1
    assert [ask.piece_id for ask in stepper.asks] == [2]


def test_a_bot_is_told_of_an_offer_made_besides_the_moves() -> None:
    seen: list[Board] = []

    class Player(BasePlayer):
        def decide(self, board: Board) -> str:
            seen.append(board)
            return "A6-B6"

    stepper = start_match()
    stepper.act(Act(2, 1, rules.OFFER))
    GAME.host(Player, stepper.state, 1, Limits()).decide(1, None)
    assert seen[0].wants_end


@pytest.mark.parametrize("seed", range(3))
def test_7_7_whoever_copies_each_move_on_the_other_board_draws_at_a_free_pace(seed: int) -> None:
    settings, dice = Settings(pace=Pace.FREE, ply_limit=40), Random(seed)
    stepper = Stepper[Any, Any, Any](GAME, replace(a_spec(), settings=settings))
    stepper.start()
    while stepper.outcome is None:
        ask = dice.choice([ask for ask in stepper.asks if ask.team == 1])
        made = str(dice.choice(stepper.state.halves[ask.piece_id - 1].position.moves()))
        stepper.take(ask, Order(made))
        stepper.take(Ask(2, 3 - ask.piece_id), Order(made))
    assert sum(stepper.state.halves[0].points) > 0
    assert stepper.outcome.scores[0] == stepper.outcome.scores[1]
    assert "always draws" in str(GAME.why_not_rated(settings))
    assert GAME.why_not_rated(Settings()) is None


def play_like_people(stepper: Stepper[Any, Any, Any], dice: Random) -> None:
    """Play to the end with moves, offers, faults and acts drawn at random."""
    while stepper.outcome is None:
        acts = [act for team in (1, 2) for act in GAME.legal_acts(stepper.state, team)]
        usual = [act for act in acts if act.name not in (rules.RESIGN, CLAIM_ACT)]
        if dice.random() < 0.1:
            stepper.act(dice.choice(acts if dice.random() < 0.1 else usual or acts))
            continue
        ask = dice.choice(stepper.open_asks)
        moves = stepper.state.halves[ask.piece_id - 1].position.moves()
        order: Order | Fault = Order(str(dice.choice(moves)), dice.random() < 0.1)
        stepper.take(ask, Fault(Cause.LATE) if dice.random() < 0.005 else order)
    stepper.end()


def record(path: Path, seed: int, pace: Pace = Pace.FREE) -> Notes:
    notes, spec = Notes(), a_spec(pace)
    contestants = [Contestant(name=name, digest=name) for name in PEOPLE]
    recorder = Recorder(GAME, spec, contestants, path)
    stepper = Stepper[Any, Any, Any](GAME, spec, [recorder, notes])
    stepper.start()
    play_like_people(stepper, Random(seed))
    recorder.close()
    return notes


@pytest.mark.parametrize("pace", Pace)
@pytest.mark.parametrize("seed", range(5))
def test_what_people_did_is_recorded_and_verified(tmp_path: Path, seed: int, pace: Pace) -> None:
    notes = record(tmp_path / "replay", seed, pace)
    replay = Replay(tmp_path / "replay")
    assert verify(replay) is None
    assert replay.outcome == notes.outcome
    decisions = [entry for entry in replay.entries() if isinstance(entry, Decision)]
    assert any(decision.act is not None for decision in decisions)
    assert [decision.ask for decision in decisions if decision.ask] == (
        [ask for ask, _ in notes.orders] if pace is Pace.FREE else []
    )


def change_entry(path: Path, old: bytes, new: bytes) -> Replay:
    """Return a replay in which the first such entry is another one."""
    lines = read_lines(path)
    number = next(number for number, line in enumerate(lines) if old in line)
    lines[number] = lines[number].replace(old, new, 1)
    write(path, lines)
    return Replay(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'["!act",1', b'["!act",2'),
        (b'"offer to end"]', b'"bribe"]'),
        (b'["!one",1,1', b'["!one",2,1'),
        (b'["!one",1,1', b'["!one",1,2'),
    ],
)
def test_acts_and_orders_that_were_not_open_do_not_verify(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    path = tmp_path / "replay"
    record(path, 3)
    assert verify(change_entry(path, old, new)) is not None


def test_who_sits_is_recorded_and_changes_nothing(tmp_path: Path) -> None:
    spec, path = a_spec(), tmp_path / "replay"
    contestants = [Contestant(name=name, digest=name) for name in PEOPLE]
    recorder = Recorder(GAME, spec, contestants, path)
    stepper = Stepper[Any, Any, Any](GAME, spec, [recorder])
    stepper.start()
    sits = Decision((), sits=SeatChange(2, "stand-in", "5" * 64))
    stepper.play(sits)
    move(stepper, 1, "A6-B6")
    recorder.close()
    replay = Replay(path)
    assert next(entry for entry in replay.entries() if isinstance(entry, Decision)) == sits
    assert verify(replay) is None
    # It may be anywhere: the rules know nothing of who sits.
    assert verify(change_entry(path, b'["!sits",2,', b'["!sits",1,')) is None


UNTRUSTED = [
    b'["!act",3,1,"resign"]',
    b'["!act",1,1]',
    b'["!act",1,1,7]',
    b'["!one",1,1]',
    b'["!one",0,1,{"move":"A6-B6"}]',
    b'["!two",1,1,"resign"]',
    b'["!sits",3,"stand-in","5"]',
    b'["!sits",1,"stand-in"]',
    b'["!sits",1,2,"5"]',
]


@pytest.mark.parametrize("entry", UNTRUSTED, ids=bytes.decode)
def test_entries_that_no_recorder_wrote_are_damage(tmp_path: Path, entry: bytes) -> None:
    path = tmp_path / "replay"
    record(path, 3)
    lines = read_lines(path)
    number = next(n for n, line in enumerate(lines) if b'["!one"' in line)
    entries = msgspec.json.decode(lines[number], type=list[msgspec.Raw])
    place = next(p for p, raw in enumerate(entries) if bytes(raw).startswith(b'["!one"'))
    entries[place] = msgspec.Raw(entry)
    lines[number] = msgspec.json.encode(entries)
    write(path, lines)
    with pytest.raises(BadReplay, match="is damaged"):
        list(Replay(path).entries())
