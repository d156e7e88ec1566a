"""What a team knows, and what never reaches its process (docs/rules/smac.md 7)."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.fault import Cause, Fault
from engine.game import Ask, Stage
from engine.games.smac import events as ev
from engine.games.smac.game import Smac
from engine.games.smac.orders import ORDERS, PLACEMENTS
from engine.games.smac.rules import TURN
from engine.games.smac.settings import Settings
from engine.games.smac.state import Dish
from engine.match import play_match
from engine.spec import MatchSpec
from tests.engine.games.smac.strategies import an_answer, seeds, settings_of_short_matches
from tests.engine.seats import Recorder, ScriptedSeat
from tests.examples import examples

GAME = Smac()
encode = msgspec.json.Encoder().encode
PRIVATE_FIELDS = ("points", "bank", "selection", "skips")
TURNS = 12

Plan = Mapping[str, Any]
"""What a team answers: by stage in the placement rounds, then by `orders`, the same each turn."""


class TappedSeat(ScriptedSeat):
    """A seat that keeps the bytes a worker would be sent: first the board, then news and asks."""

    def __init__(self, answer: Callable[[Ask, Any], Any]) -> None:
        super().__init__(answer)
        self.wire: list[bytes] = []
        self.boards: list[bytes] = []
        """Return what a restarted worker would be sent instead."""
        self._sent = 0

    def put(self, ask: Ask, view: Any) -> None:
        super().put(ask, view)
        news, self._sent = self.told[self._sent :], len(self.told)
        self.wire.append(encode((news, ask.piece_id, view)))
        self.boards.append(encode(self.state))


def play(*plans: Plan, seed: int = 5, **numbers: Any) -> tuple[list[TappedSeat], Recorder]:
    def answering(plan: Plan) -> Callable[[Ask, Any], Any]:
        def answer(ask: Ask, known: Dish) -> Any:
            by_turn = plan.get(f"turn {known.turn}") if known.stage == ORDERS else None
            return by_turn if by_turn is not None else plan.get(known.stage, {})

        return answer

    seats, recorder = [TappedSeat(answering(plan)) for plan in plans], Recorder()
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=Settings(last_turn=TURNS, specials_from_turn=2, **numbers),
        limits=GAME.limits,
        bots=tuple(f"bot {number}" for number in range(len(plans))),
        seed=seed,
    )
    play_match(GAME, spec, seats, [recorder])
    return seats, recorder


US: Plan = {
    PLACEMENTS[0]: {"bid": 2, "centers": [[x, y] for x in range(1, 9) for y in range(1, 9)]},
    PLACEMENTS[1]: {"centers": [[x, y] for x in range(1, 9) for y in range(11, 19)]},
    ORDERS: {"orders": [["evolve", "jump"]]},
}
THEM: Plan = {
    PLACEMENTS[0]: {"centers": [[x, y] for x in range(11, 19) for y in range(1, 9)]},
    PLACEMENTS[1]: {"centers": [[x, y] for x in range(11, 19) for y in range(11, 19)]},
    "turn 1": {"orders": [["evolve", "attack"]]},
    ORDERS: {"orders": []},
}


def them(**parts: Any) -> Plan:
    """Return the other teams' answers, some of them changed."""
    changed = dict(THEM)
    for name, part in parts.items():
        stage = {"first": PLACEMENTS[0], "second": PLACEMENTS[1], "orders": ORDERS}.get(
            name, name.replace("_", " ")
        )
        known = dict(changed.get(stage, {})) if isinstance(part, dict) else {}
        changed[stage] = {**known, **part} if isinstance(part, dict) else part
    return changed


HIDDEN = [
    pytest.param(them(first={"bid": 1}), id="a bid that is not the higher one"),
    pytest.param(them(second={"bid": 3}), id="a bid where nobody wants the same"),
    pytest.param(them(turn_3={"orders": [["evolve", "attack"]]}), id="a point without a level"),
    pytest.param(them(turn_3={"select": "NUKE"}), id="a special that is armed"),
    pytest.param(
        them(turn_3={"select": "NUKE"}, turn_4={"select": "BLOOM"}), id="one that is replaced"
    ),
    pytest.param(them(orders={"orders": [["place", 0, 0], ["fly", 1]] * 9}), id="bad orders"),
    pytest.param(
        them(turn_1={"orders": [["fly"], ["evolve", "attack"], ["place", 999, 0]]}),
        id="bad orders among good ones",
    ),
    pytest.param(them(turn_4={"use": {"special": "NUKE", "target": [3, 3]}}), id="nothing armed"),
    pytest.param(them(turn_4={"orders": [["place", 0, 0]] * 10_000}), id="too many orders"),
    pytest.param(them(turn_5=Fault(Cause.TIMEOUT, "late")), id="a fault"),
    pytest.param(them(turn_5=7), id="an answer that is none"),
    pytest.param(them(second={"centers": [[0, 0], *THEM[PLACEMENTS[1]]["centers"]]}), id="centers"),
]


@pytest.mark.parametrize("other", HIDDEN)
def test_7_1_what_an_enemy_hides_changes_no_byte_that_is_sent(other: Plan) -> None:
    """Nothing of it has any consequence on the board in these matches, to their end."""
    seats, recorder = play(US, THEM)
    changed, changed_recorder = play(US, other)
    assert seats[0].wire == changed[0].wire
    assert seats[0].boards == changed[0].boards
    assert len(seats[0].wire) == TURNS + 2
    # It is there: the others' own process and the replay have it.
    assert recorder.orders != changed_recorder.orders
    assert (seats[1].boards, seats[1].wire) != (changed[1].boards, changed[1].wire)


@pytest.mark.parametrize(
    ("other", "turn"),
    [
        pytest.param(
            them(turn_3={"select": "NUKE"}, turn_6={"use": {"special": "NUKE", "target": [3, 3]}}),
            6,
            id="a special that is used",
        ),
        pytest.param(
            them(
                turn_3={"orders": [["evolve", "attack"]] * 2},
                turn_7={"orders": [["evolve", "attack"]]},
            ),
            7,
            id="points that make a level later",
        ),
        pytest.param(them(turn_5={"orders": [["evolve", "jump"]]}), 5, id="a level"),
    ],
)
def test_7_1_until_it_has_a_consequence_on_the_board(other: Plan, turn: int) -> None:
    """The asks up to that turn are the same; the news after it are not."""
    seats, _ = play(US, THEM)
    changed, _ = play(US, other)
    asks = 2 + turn
    assert seats[0].wire[:asks] == changed[0].wire[:asks]
    assert seats[0].boards[:asks] == changed[0].boards[:asks]
    assert seats[0].wire[asks] != changed[0].wire[asks]


def test_7_3_the_replay_holds_everything() -> None:
    _, recorder = play(US, them(turn_3={"select": "NUKE", "orders": [["place", 0, 0]]}))
    found = {type(event) for event in recorder.events}
    assert set(ev.PRIVATE_EVENTS) - {ev.OrdersLost} <= found
    assert ev.PlacementOrdered in found
    assert all(
        getattr(team, field) is not None
        for team in recorder.state.teams
        for field in ("points", "bank", "selection")
    )


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(board=settings_of_short_matches(), seed=seeds, teams=st.integers(2, 4))
def test_7_1_a_team_knows_all_but_what_others_hide(board: Settings, seed: int, teams: int) -> None:
    seats, recorder = _a_random_match(board, seed, teams)
    truth: Dish = recorder.state
    for number, seat in enumerate(seats, 1):
        expected = msgspec.json.decode(encode(truth), type=Dish)
        expected.placement_order = None
        for other, team in enumerate(expected.teams, 1):
            if other != number:
                for field in PRIVATE_FIELDS:
                    setattr(team, field, None)
        assert seat.state == expected


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.too_slow])
@given(board=settings_of_short_matches(), seed=seeds)
def test_7_1_private_fields_of_others_are_unknown_at_every_ask(board: Settings, seed: int) -> None:
    seats, _ = _a_random_match(board, seed, 3)
    for number, seat in enumerate(seats, 1):
        for content in seat.boards:
            dish = msgspec.json.decode(content, type=Dish)
            for other, team in enumerate(dish.teams, 1):
                known = [field for field in PRIVATE_FIELDS if getattr(team, field) is not None]
                assert (other == number and "bank" in known) or not known
        assert all(seen.team == number for seen in seat.told if isinstance(seen, ev.PRIVATE_EVENTS))


def test_7_2_the_stages_of_a_turn_are_told_whether_or_not_anything_happens() -> None:
    seats, _ = play(US, THEM)
    stages = [event.name for event in seats[0].told if type(event) is Stage]
    settling = [*PLACEMENTS, "growth", "combat", "victory"]
    assert stages == [*settling, *[ORDERS, *(name for name, _ in TURN)] * TURNS]


@pytest.mark.parametrize("reverse", [False, True])
def test_7_2_the_order_of_orders_shows_in_nothing_but_who_owns_a_cell(reverse: bool) -> None:
    placed = [["evolve", "jump"], ["evolve", "stacking"], ["evolve", "attack"]]
    seats, _ = play(US, them(turn_1={"orders": placed[::-1] if reverse else placed}))
    same, _ = play(US, them(turn_1={"orders": placed}))
    assert seats[0].wire == same[0].wire


def _a_random_match(board: Settings, seed: int, teams: int) -> tuple[list[TappedSeat], Recorder]:
    def answering(dice: Random) -> Callable[[Ask, Any], Any]:
        def answer(ask: Ask, known: Dish) -> Any:
            if dice.random() < 0.05:
                return Fault(Cause.TIMEOUT, "why")
            return an_answer(known, ask, dice)

        return answer

    seats = [TappedSeat(answering(Random(f"{seed}/{team}"))) for team in range(teams)]
    recorder = Recorder()
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=GAME.limits,
        bots=("bot",) * teams,
        seed=seed,
    )
    play_match(GAME, spec, seats, [recorder])
    return seats, recorder
