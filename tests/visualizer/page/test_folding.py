"""A page folds to what the film shows, at any position and however it came there."""

from random import Random
from typing import Any

import msgspec
import pytest

from engine.replay import Replay
from tests.engine.recorded import record
from tests.visualizer import toy
from tests.visualizer.conftest import MakeFilm
from tests.visualizer.page.conftest import Open
from visualizer.cursor import Cursor
from visualizer.film import Film
from visualizer.scene import Thing
from visualizer.telling import Teller

LOOK = """(positions) => positions.map((position) => {
    viewer.reel.seek(position);
    const {things, step} = viewer.reel;
    return {
        things: Object.fromEntries([...things].map(([id, thing]) => [id, thing.look])),
        before: Object.fromEntries([...step.before].map(([id, old]) => [id, old && old.look])),
        ordered: step.ordered, notes: step.notes, turn: step.turn, stage: step.stage,
        said: step.notes.map((note) => viewer.teller.sentence(note, things, step)),
    };
})"""
KEYFRAMES_OFTEN = "() => { viewer.story.keyframes = viewer.reel.keyframes(300) }"


def seen(film: Film, positions: list[int]) -> list[dict[str, Any]]:
    """The same by the cursor of the house."""
    cursor, teller, moments = Cursor(film), Teller(film), []
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
            "ordered": msgspec.to_builtins(step.ordered),
            "notes": [as_json(msgspec.structs.asdict(note)) for note in step.notes],
            "turn": step.turn,
            "stage": step.stage,
            "said": [teller.sentence(note, things, step) for note in step.notes],
        }
        moments.append(moment)
    return moments


def plain(thing: Thing | None) -> Any:
    if thing is None:
        return None
    fields = msgspec.structs.asdict(thing)
    cls = type(thing).__name__.lower()
    return as_json({"cls": cls, **fields})


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    path = tmp_path_factory.mktemp("match") / "replay.jsonl.gz"
    record(path)
    film = Film(Replay(path))
    film.read_on()
    return film


def test_every_position_of_a_match_one_after_the_other(film: Film, open_page: Open) -> None:
    positions = list(range(film.steps + 1))
    assert open_page(film).run(LOOK, positions) == seen(film, positions)


def test_positions_in_any_order(film: Film, open_page: Open) -> None:
    positions = [Random(1).randint(0, film.steps) for _ in range(200)]
    page = open_page(film)
    page.run(KEYFRAMES_OFTEN)
    assert page.run(LOOK, positions) == seen(film, positions)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_nobody_knows(seed: int, race_film: MakeFilm, open_page: Open) -> None:
    film = race_film(*toy.random_scripts(4, seed, turns=40), last_turn=40)
    positions = [*range(film.steps + 1), *reversed(range(film.steps + 1))]
    assert open_page(film).run(LOOK, positions) == seen(film, positions)


def test_backdrop_scores_and_marks_are_those_of_the_film(film: Film, open_page: Open) -> None:
    story = open_page(film).run(
        """() => ({backdrop: viewer.story.backdrop, marks: viewer.story.marks,
            scores: viewer.story.standings.map((now) => [...now.values()].map((t) => t.score))})"""
    )
    assert story["backdrop"] == [plain(thing) for thing in film.scene.backdrop()]
    assert story["marks"] == [{"at": mark.position, "what": mark.what} for mark in film.marks]
    assert story["scores"] == [list(scores) for scores in film.scores]


def test_the_history_of_a_piece_is_told_alike(race_film: MakeFilm, open_page: Open) -> None:
    film = race_film()
    page = open_page(film)
    teller = Teller(film)
    for runner in (1, 2, 3):
        told = page.run("([id, at]) => viewer.teller.history(id, at)", [runner, film.steps])
        for moment in told:
            moment.pop("lines")
            moment["ordered"] = moment.get("ordered")
        assert told == msgspec.json.decode(msgspec.json.encode(teller.history(runner, film.steps)))
