"""What window, picture, page and terminal rely on, for the scene of every game and of a toy."""

from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.errors import EngineFailure
from engine.fault import Cause, Fault
from engine.game import Ask
from engine.match import play_match
from engine.spec import MatchSpec
from tests.contract.samples import SAMPLES
from tests.engine.seats import Recorder, ScriptedSeat, copy_over_wire
from tests.examples import examples
from tests.visualizer import toy
from visualizer.drawing.sprites import Sprites
from visualizer.scene import Extent, Label, Scene, Sprite, Thing, Tile, scene_class

Things = dict[int, Thing | None]
few = settings(
    max_examples=examples(8),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


class Cast(NamedTuple):
    """A game, and how many play it."""

    name: str
    teams: int


CASTS = [
    Cast(game.name, teams)
    for game in GAMES.values()
    for teams in dict.fromkeys((game.team_counts[0], game.team_counts[-1]))
]


@pytest.fixture(params=[*CASTS, Cast(toy.NAME, 3)], ids=lambda cast: f"{cast.name}-{cast.teams}")
def cast(request: pytest.FixtureRequest, race: None) -> Cast:
    assert isinstance(request.param, Cast)
    return request.param


@pytest.mark.parametrize("game", GAMES)
def test_the_key_explains_in_a_square_what_there_are_pictures_of(game: str) -> None:
    scene, sprites = scene_class(game)(GAMES[game].settings(), 2), Sprites(game)
    assert scene.key()
    for entry in scene.key():
        assert len(entry.words) <= 20  # two fit beside each other in a sidebar
        for thing in entry.things:
            assert len(thing.facts) in (0, len(scene.kinds[thing.kind].facts))
            assert 0 <= thing.x <= 1
            assert 0 <= thing.y <= 1
            if isinstance(thing, Sprite):
                assert sprites.canonical_name(thing.image)


def a_record(cast: Cast, data: st.DataObject) -> tuple[Scene[Any], Recorder]:
    """A random match, and the scene for it."""
    name, teams = cast
    seed = data.draw(st.integers(0, 2**32))
    recorder = Recorder()
    if name == toy.NAME:
        board: Any = toy.RaceSettings()
        scripts = toy.random_scripts(teams, seed)
        toy.record_race(None, *scripts, watchers=[recorder])
    else:
        game = GAMES[name]
        boards = SAMPLES[name].settings
        board = data.draw(boards.filter(lambda one: game.why_not_played(one, teams) is None))
        seats = [ScriptedSeat(answering(name, seed + team)) for team in range(teams)]
        spec = MatchSpec(
            game=name,
            rules_version=game.rules_version,
            settings=board,
            limits=game.limits,
            bots=("0" * 16,) * teams,
            seed=seed,
        )
        play_match(game, spec, seats, [recorder])
    return scene_class(name)(board, teams), recorder


def answering(name: str, seed: int) -> Any:
    """Legal answers drawn at random; a fault now and then."""
    dice = Random(seed)

    def answer(ask: Ask, known: Any) -> Any:
        if dice.random() < 0.05:
            return Fault(dice.choice([*Cause]), "why")
        return SAMPLES[name].answer(known, ask, dice)

    return answer


def is_within(part: Extent, thing: Thing) -> bool:
    """A sprite may stick out of its square; its middle may not."""
    wide, high = (thing.width, thing.height) if isinstance(thing, Tile) else (0, 0)
    return (
        part.left <= thing.x <= thing.x + wide <= part.right
        and part.top <= thing.y <= thing.y + high <= part.bottom
    )


def test_parts_lie_side_by_side_within_the_extent(cast: Cast) -> None:
    is_toy = cast.name == toy.NAME
    settings = toy.RaceSettings() if is_toy else GAMES[cast.name].settings()
    scene = scene_class(cast.name)(settings, cast.teams)
    extent = scene.extent
    assert all(one.right < other.left for one, other in pairwise(scene.parts))
    assert (extent.left, extent.right) == (scene.parts[0].left, scene.parts[-1].right)
    assert extent.top == min(part.top for part in scene.parts)
    assert extent.bottom == max(part.bottom for part in scene.parts)


def look(scene: Scene[Any], state: Any) -> Things:
    return {thing_id: scene.thing(state, thing_id) for thing_id in scene.ids(state)}


@few
@given(data=st.data())
def test_whatever_an_event_changes_is_touched(cast: Cast, data: st.DataObject) -> None:
    scene, record = a_record(cast, data)
    state = copy_over_wire(record.first_state)
    before = look(scene, state)
    for event in record.events:
        dirty_ids = scene.dirty_ids(event)
        state.apply(event)
        after = look(scene, state)
        changed = {
            thing_id
            for thing_id in before.keys() | after.keys()
            if before.get(thing_id) != after.get(thing_id)
        }
        assert changed <= set(dirty_ids), event
        assert all(scene.thing(state, thing_id) == after.get(thing_id) for thing_id in dirty_ids)
        before = after


@few
@given(data=st.data())
def test_whatever_is_there_can_be_drawn_and_told(cast: Cast, data: st.DataObject) -> None:
    scene, record = a_record(cast, data)
    state = copy_over_wire(record.first_state)
    for event in record.events:
        annotations = scene.annotations(state, event)
        state.apply(event)
        for annotation in annotations:
            assert annotation.event_style in scene.event_styles
    things = look(scene, state).values()
    for thing in things:
        assert thing is not None
        assert len(thing.facts) == len(scene.kinds[thing.kind].facts)
    for thing in [*things, *scene.backdrop()]:
        assert thing is not None
        assert sum(is_within(part, thing) for part in scene.parts) == 1
        if isinstance(thing, Tile):
            assert thing.fill or thing.border
        if isinstance(thing, Sprite) and thing.bar is not None:
            assert 0 <= thing.bar[0] <= thing.bar[1]
        if isinstance(thing, Label):
            assert thing.text
    threshold = scene.threshold(state)
    assert scene.score_name
    assert threshold is None or threshold >= 0
    for team in range(1, scene.teams + 1):
        for title, fact in scene.panel(state, team):
            assert title
            assert isinstance(fact, int | float | str | tuple)


@few
@given(data=st.data())
def test_what_is_noted_is_about_things_that_are_or_were_there(
    cast: Cast, data: st.DataObject
) -> None:
    scene, record = a_record(cast, data)
    state = copy_over_wire(record.first_state)
    for event in record.events:
        there = set(scene.ids(state))
        annotations = scene.annotations(state, event)
        state.apply(event)
        there |= set(scene.ids(state))
        for annotation in annotations:
            assert annotation.one in there, annotation
            assert (
                annotation.other in there | {0} or scene.event_styles[annotation.event_style].mark
            ), annotation


@few
@given(data=st.data())
def test_looking_changes_nothing(cast: Cast, data: st.DataObject) -> None:
    scene, record = a_record(cast, data)
    state = copy_over_wire(record.first_state)
    for event in record.events[:-20]:
        state.apply(event)
    for event in record.events[-20:]:
        before = copy_over_wire(state)
        look(scene, state)
        scene.annotations(state, event)
        scene.dirty_ids(event)
        assert state == before
        state.apply(event)
    before = copy_over_wire(state)
    for team in range(1, scene.teams + 1):
        scene.panel(state, team)
    assert state == before


@few
@given(data=st.data())
def test_an_order_is_told_in_a_word_or_two(cast: Cast, data: st.DataObject) -> None:
    scene, record = a_record(cast, data)
    for _, order in record.orders:
        assert isinstance(order, Fault) or 0 < len(scene.order_text(order)) < 40


def test_a_game_without_a_scene_is_our_fault() -> None:
    with pytest.raises(EngineFailure, match=r"chess has no scene: .*\.scenes\.chess"):
        scene_class("chess")
