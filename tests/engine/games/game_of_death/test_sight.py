"""What shapes see and hear, and that a team is told nothing else (rules 5.5 to 5.8)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import MatchEnded, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death import rules
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.orders import Command
from engine.games.game_of_death.pieces import piece_team, shape_number
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.sight import disk, observed_event
from engine.games.game_of_death.state import Battle
from engine.match import play_match
from engine.observer import Observer
from engine.spec import MatchSpec
from tests.contract.samples import an_army, an_army_or_an_act, small_grids
from tests.engine.games.game_of_death.battles import BLOCK, DOMINO, Field, play, says
from tests.engine.seats import ScriptedSeat
from tests.examples import examples

GAME = GameOfDeath()
LOOK = Stage(1, "decide")


def observe_sighted(battle: Battle, team: int = 1) -> ev.Sighted:
    seen = observed_event(battle, LOOK, team)
    assert isinstance(seen, ev.Sighted)
    return seen


def at(battle: Battle, *places: int) -> list[tuple[int, int]]:
    width = battle.settings.width
    return [(place % width, place // width) for place in places]


@pytest.mark.parametrize(
    ("team", "drawing", "anchor"),
    [
        (1, "##", (20, 30)),
        (2, "##", (21, 30)),
        (1, "####/####", (21, 30)),
        (2, "####/####", (22, 31)),
        (1, BLOCK, (21, 31)),
        (2, BLOCK, (21, 31)),
    ],
)
def test_5_7_the_anchor_is_rounded_in_the_owners_frame(
    team: int, drawing: str, anchor: tuple[int, int]
) -> None:
    field = Field()
    shape_id = field.put(team, drawing, 20, 30)
    battle = field.ready()
    assert battle.anchor(battle.shapes[shape_id]) == anchor


def test_5_8_a_shape_sees_as_far_as_its_sight_and_not_farther() -> None:
    field = Field(sight=5, home_u=90)
    field.put(1, DOMINO, 40, 40)  # its anchor
    near, far = (45, 40), (46, 40)
    field.put(2, "##", *near)
    field.put(2, "#/#", 43, 44)  # 3, 4: inside; 3, 5: outside
    battle = field.ready()
    assert at(battle, *observe_sighted(battle).hostile) == [near, (43, 44)]
    assert far not in at(battle, *observe_sighted(battle).hostile)


def test_5_8_bodies_are_seen_and_nothing_hides_them() -> None:
    field = Field(sight=8, home_u=90)
    field.put(1, DOMINO, 40, 40)
    field.put(1, BLOCK, 42, 39)
    field.put_body("##", 46, 40)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    assert at(battle, *observe_sighted(battle).bodies) == [(46, 40), (47, 40)]
    assert observe_sighted(battle, team=2).bodies == ()


def test_5_8_sight_does_not_come_in_again_at_the_other_edge() -> None:
    field = Field(width=40, height=30, zone_width=20, home_u=10, home_v=10, sight=6)
    for x, y in ((0, 10), (37, 3), (20, 29)):
        field.put(1, DOMINO, x, y)
    for x, y in ((38, 10), (0, 3), (20, 0), (0, 11)):
        field.put(2, DOMINO, x, y)
    battle = field.ready()
    assert at(battle, *observe_sighted(battle).hostile) == [(0, 11), (1, 11)]


@given(st.integers(0, 12))
def test_5_8_a_disc_holds_the_cells_within_its_radius(radius: int) -> None:
    row = 40
    bits = disk(radius, row)
    cells = {
        (bit % row - radius, bit // row - radius)
        for bit in range(bits.bit_length())
        if bits >> bit & 1
    }
    around = range(-radius - 2, radius + 3)
    assert cells == {(x, y) for x in around for y in around if x * x + y * y <= radius * radius}


class Checking(Observer):
    """An observer that compares what each team is told with the rules, cell by cell."""

    def __init__(self) -> None:
        self.state: Any = None
        self.checked = 0

    def on_start(self, state: Any) -> None:
        self.state = state

    def on_event(self, event: Any) -> None:
        for team in (1, 2):
            if isinstance(event, Stage) and event.name == "decide":
                self._check_sight(team, observed_event(self.state, event, team))
            if isinstance(event, ev.Spoke):
                self._check_hearing(team, event, observed_event(self.state, event, team))

    def _check_sight(self, team: int, seen: Any) -> None:
        battle: Battle = self.state
        sight = battle.settings.sight
        eyes = [
            battle.anchor(own) for own in battle.shapes.values() if piece_team(own.id, 2) == team
        ]

        def visible(pieces: Any) -> list[int]:
            cells = [cell for piece in pieces for cell in battle.cells(piece)]
            return sorted(
                y * battle.settings.width + x
                for x, y in cells
                if any((x - a) ** 2 + (y - b) ** 2 <= sight**2 for a, b in eyes)
            )

        others = [shape for shape in battle.shapes.values() if piece_team(shape.id, 2) != team]
        assert list(seen.hostile) == visible(others)
        assert list(seen.bodies) == visible(battle.bodies.values())
        self.checked += 1

    def _check_hearing(self, team: int, spoken: ev.Spoke, heard: Any) -> None:
        battle: Battle = self.state
        reach = battle.settings.broadcast
        for own in battle.shapes.values():
            if piece_team(own.id, 2) != team:
                continue
            x, y = battle.anchor(own)
            expected = []
            for speaker_id, text in zip(spoken.ids, spoken.texts, strict=True):
                a, b = battle.anchor(battle.shapes[speaker_id])
                is_near = (x - a) ** 2 + (y - b) ** 2 <= reach**2
                if is_near and speaker_id != own.id and not own.dying_since:
                    expected.append(text)
            assert received_texts(heard, own.id) == sorted(expected)
            self.checked += 1


def received_texts(heard: ev.Heard | None, shape_id: int) -> list[str]:
    if heard is None:
        return []
    return sorted(
        text
        for ears, texts in zip(heard.ears, heard.texts, strict=True)
        if int(ears, 16) >> shape_number(shape_id, 2) & 1
        for text in texts
    )


def a_spec(board: Settings, seed: int) -> MatchSpec:
    return MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=GAME.limits,
        bots=("1", "2"),
        seed=seed,
    )


@settings(max_examples=examples(60))
@given(small_grids(), st.integers(0, 2**32))
def test_5_5_5_8_each_team_is_told_what_its_shapes_see_and_hear_in_whole_matches(
    board: Settings, seed: int
) -> None:
    dices = [Random(f"{seed}/{team}") for team in (1, 2)]
    seats = [
        ScriptedSeat(lambda ask, known, dice=dice: an_army_or_an_act(known, ask, dice))  # type: ignore[misc]
        for dice in dices
    ]
    checking = Checking()
    play_match(GAME, a_spec(board, seed), seats, [checking])
    assert checking.checked


def test_5_5_a_broadcast_reaches_friend_and_foe_but_not_the_sender_or_the_dying() -> None:
    field = Field(broadcast=10, home_u=90)
    speaker = field.put(1, DOMINO, 40, 40)
    near, far = field.put(1, DOMINO, 50, 40), field.put(1, DOMINO, 51, 40)
    foe, dying = field.put(2, DOMINO, 39, 30), field.put(1, DOMINO, 40, 44, dying_since=1, hp=0)
    battle = field.ready(turn=2)
    spoken = ev.Spoke((speaker,), ("hi",))
    heard = {team: observed_event(battle, spoken, team) for team in (1, 2)}
    assert isinstance(heard[1], ev.Heard)
    assert isinstance(heard[2], ev.Heard)
    ids = (speaker, near, far, foe, dying)
    assert {one: received_texts(heard[piece_team(one, 2)], one) for one in ids} == {  # type: ignore[arg-type]
        speaker: [],
        near: ["hi"],
        far: [],
        foe: ["hi"],
        dying: [],
    }


def test_5_5_what_is_said_is_told_as_often_as_it_was_said() -> None:
    field = Field(home_u=90)
    first, second, third = (field.put(1, DOMINO, 40, y) for y in (40, 42, 44))
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    heard = observed_event(battle, ev.Spoke((first, second), ("hi", "hi")), 1)
    assert isinstance(heard, ev.Heard)
    assert received_texts(heard, third) == ["hi", "hi"]
    assert received_texts(heard, first) == ["hi"]


def test_5_5_the_place_of_a_broadcast_is_that_of_the_moment() -> None:
    """Those who move away in the same turn have heard it."""
    field = Field(broadcast=10, home_u=90)
    field.put(1, DOMINO, 40, 40)
    hearer = field.put(1, DOMINO, 50, 40)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    heard = []
    # In the order of ids: 1 speaks, the enemy 2 does nothing, 3 moves.
    for event in rules.play_turn(battle, [says("hi"), Command.CONTINUE, Command.MOVE_FORWARD]):
        battle.apply(event)
        if isinstance(event, ev.Spoke):
            heard.append(observed_event(battle, event, 1))
    assert received_texts(heard[0], hearer) == ["hi"]  # type: ignore[arg-type]
    assert battle.shapes[hearer].x == 51


# -- secrets ----------------------------------------------------------------------------------


def a_far_army(settings: Settings, dice: Random) -> Any:
    """Somewhere in the first columns, which team 1 never sees from its own."""
    army = an_army(settings, dice)
    army["types"] = [[f"Kind{dice.randrange(10**9)}", mask] for _, mask in army["types"]]
    return army


@settings(max_examples=examples(40))
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_what_an_enemy_does_out_of_sight_and_earshot_changes_nothing_a_team_is_told(
    one: int, other: int
) -> None:
    """Whatever its army is and whatever it does: the same events to the last byte."""
    board = Settings(
        width=120,
        height=30,
        zone_width=30,
        home_u=1,
        home_v=10,
        sight=20,
        broadcast=20,
        max_turns=20,
        home_row_drawn=False,
    )

    def own(ask: Any, known: Any) -> Any:
        dice = Random(f"{known.turn}/{ask.piece_id}")
        answer = an_army_or_an_act(known, ask, dice)
        return "rest" if answer == "suicide" else answer

    def told_to_us(seed: int) -> list[Any]:
        dice = Random(seed)

        def theirs(ask: Any, known: Any) -> Any:
            if not ask.piece_id:
                return a_far_army(known.settings, dice)
            # Their commander stays alive, so that the match lasts.
            answer = an_army_or_an_act(known, ask, dice)
            return "rest" if answer == "suicide" or ask.piece_id == 2 else answer

        seats = [ScriptedSeat(own), ScriptedSeat(theirs)]
        play_match(GAME, a_spec(board, 1), seats)
        return [event for event in seats[0].told if not isinstance(event, MatchEnded)]

    first, second = told_to_us(one), told_to_us(other)
    last = min(_turns(first), _turns(second))
    assert last >= 1
    assert _up_to(first, last) == _up_to(second, last)


def _turns(events: list[Any]) -> int:
    return max((event.turn for event in events if isinstance(event, ev.Sighted)), default=0)


def _up_to(events: list[Any], turn: int) -> list[Any]:
    """Return what was told before this turn's decisions."""
    place = next(
        index
        for index, event in enumerate(events)
        if isinstance(event, ev.Sighted) and event.turn == turn
    )
    return events[: place + 1]


def test_a_stage_in_which_only_the_enemy_does_something_is_not_told() -> None:
    field = Field()
    field.put(1, DOMINO, 40, 40)
    enemy = field.put(2, DOMINO, 250, 150)
    battle = field.ready()
    events = play(battle, {enemy: "attack forward"})
    stages = [event for event in events if isinstance(event, Stage) and event.name == "attacks"]
    assert stages
    assert observed_event(battle, stages[0], 1) is None
