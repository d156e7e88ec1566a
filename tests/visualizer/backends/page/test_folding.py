"""A page folds to what the replay shows, at any position and however it came there."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from tests.visualizer import toy
from tests.visualizer.backends.page.conftest import Open
from tests.visualizer.conftest import MakeTimeline
from visualizer.drawing.outline import make_outline
from visualizer.model.cursor import Cursor
from visualizer.model.narration import Narrator
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Block, Thing

LOOK = """(positions) => positions.map((position) => {
    viewer.cursor.seek(position);
    const {things, step} = viewer.cursor;
    return {
        things: Object.fromEntries([...things].map(([id, thing]) => [id, thing.appearance])),
        before: Object.fromEntries(
            [...step.before].map(([id, old]) => [id, old && old.appearance])
        ),
        ordered: step.ordered, annotations: step.annotations, turn: step.turn, stage: step.stage,
        said: step.annotations.map((each) => viewer.narrator.sentence(each, things, step)),
    };
})"""
KEYFRAMES_OFTEN = "() => { viewer.replay.keyframes = viewer.cursor.keyframes(300) }"


def seen_by_cursor(timeline: ReplayTimeline, positions: list[int]) -> list[dict[str, Any]]:
    """Return the same by our own cursor."""
    cursor, narrator, moments = Cursor(timeline), Narrator(timeline), []
    for position in positions:
        cursor.jump(position)
        step, things = cursor.step, cursor.things
        changed = {
            thing_id: before
            for thing_id, before in step.before.items()
            if before != things.get(thing_id)
        }
        moment = {
            "things": {str(thing_id): plain(thing) for thing_id, thing in things.items()},
            "before": {str(thing_id): plain(before) for thing_id, before in changed.items()},
            "ordered": [camel_case(ordered) for ordered in step.ordered],
            "annotations": [camel_case(annotation) for annotation in step.annotations],
            "turn": step.turn,
            "stage": step.stage,
            "said": [
                narrator.sentence(annotation, things, step) for annotation in step.annotations
            ],
        }
        moments.append(moment)
    return moments


def plain(thing: Thing | None) -> Any:
    if thing is None:
        return None
    fields = msgspec.structs.asdict(thing)
    if isinstance(thing, Block):  # a page has its outline alone
        fields["outline"] = make_outline(fields.pop("cells"), fields.pop("front"))[1:]
    cls = type(thing).__name__.lower()
    return as_json({"cls": cls, **fields})


def camel_case(struct: msgspec.Struct) -> Any:
    """Return the fields of a struct, by the names they have in the page."""
    fields = msgspec.structs.asdict(struct)
    return as_json({re.sub("_(.)", lambda m: m[1].upper(), name): fields[name] for name in fields})


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.slow
def test_every_position_of_a_match_one_after_the_other(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    positions = list(range(timeline.steps + 1))
    assert open_page(timeline).run(LOOK, positions) == seen_by_cursor(timeline, positions)


@pytest.mark.slow
def test_positions_in_any_order(timeline: ReplayTimeline, open_page: Open) -> None:
    positions = [Random(1).randint(0, timeline.steps) for _ in range(200)]
    page = open_page(timeline)
    page.run(KEYFRAMES_OFTEN)
    assert page.run(LOOK, positions) == seen_by_cursor(timeline, positions)


@pytest.mark.slow
@pytest.mark.variants(1)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_nobody_knows(seed: int, race_timeline: MakeTimeline, open_page: Open) -> None:
    timeline = race_timeline(*toy.random_scripts(4, seed, turns=40), last_turn=40)
    positions = [*range(timeline.steps + 1), *reversed(range(timeline.steps + 1))]
    assert open_page(timeline).run(LOOK, positions) == seen_by_cursor(timeline, positions)


def test_backdrop_scores_and_marks_are_those_of_the_film(
    timeline: ReplayTimeline, open_page: Open
) -> None:
    story = open_page(timeline).run(
        """() => ({backdrop: viewer.replay.backdrop, marks: viewer.replay.marks,
            scores: viewer.replay.standings.map((now) => [...now.values()].map((t) => t.score))})"""
    )
    assert story["backdrop"] == [plain(thing) for thing in timeline.scene.backdrop()]
    assert story["marks"] == [{"at": mark.position, "what": mark.what} for mark in timeline.marks]
    assert story["scores"] == [list(scores) for scores in timeline.scores]


def test_the_history_of_a_piece_is_told_alike(race_timeline: MakeTimeline, open_page: Open) -> None:
    timeline = race_timeline()
    page = open_page(timeline)
    narrator = Narrator(timeline)
    for runner in (1, 2, 3):
        found = page.run("([id, at]) => viewer.narrator.history(id, at)", [runner, timeline.steps])
        for moment in found:
            moment.pop("lines")
            moment["ordered"] = moment.get("ordered")
        expected = as_json(narrator.piece_history(runner, timeline.steps))
        for moment in expected:
            if moment["ordered"]:
                moment["ordered"]["pieceId"] = moment["ordered"].pop("piece_id")
        assert found == expected
