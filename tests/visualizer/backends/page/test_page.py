"""Pages as bytes."""

import re
import sys
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bot_output import Cross, LogLine, Note, Words
from engine.replays.reading import Replay
from engine.replays.writing import NotesAside
from tests.engine.recorded import read_lines, record, write
from tests.golden.record import replay_path
from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from tests.visualizer.timelines import read_timeline
from visualizer.backends.page import (
    BASE_BYTES,
    BYTES_PER_ORDER,
    first_board_svg,
    images,
    render_replay_page,
)
from visualizer.drawing.sprites import FOLDER, Sprites
from visualizer.model.story import Story
from visualizer.model.timeline import ReplayTimeline


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "replay.jsonl.gz"
    record(path)
    return path


def load_timeline(path: Path) -> ReplayTimeline:
    return read_timeline(path)


def page_with(timeline: ReplayTimeline, **options: Any) -> bytes:
    return render_replay_page(timeline, Sprites(timeline.replay.game.name), **options)


def read_data(page: bytes, name: str) -> bytes:
    match = re.search(rb'id="%b">([^<]*)<' % name.encode(), page)
    assert match is not None
    return zlib.decompress(b64decode(match[1]))


def read_facts(page: bytes) -> Any:
    story = read_data(page, "replay")
    length = int.from_bytes(story[:4], "little")
    return msgspec.json.decode(story[4 : 4 + length])


def test_a_page_keeps_to_its_size_however_much_bots_say(replay: Path) -> None:
    timeline = load_timeline(replay)
    logs = {
        (turn, 1, piece_id): [f"{hash((turn, piece_id))}" * 9]
        for turn in range(45)
        for piece_id in (1, 2, 3)
    }
    for place in logs:
        timeline.fault_words[place] = f"{hash(place)} words" * 9
    page = page_with(timeline, logs=logs)
    assert len(page) <= BASE_BYTES + BYTES_PER_ORDER * count_orders(timeline)


def count_orders(timeline: ReplayTimeline) -> int:
    return sum(
        len(entry.orders)
        for step in range(timeline.steps)
        for entry in timeline.entries(step)
        if hasattr(entry, "orders")
    )


def test_the_same_film_makes_the_same_page(replay: Path) -> None:
    assert page_with(load_timeline(replay)) == page_with(load_timeline(replay))


def test_it_tells_the_teams_the_seed_and_the_outcome(replay: Path) -> None:
    timeline = load_timeline(replay)
    outcome = timeline.replay.outcome
    assert outcome is not None
    facts = read_facts(page_with(timeline))
    assert [team["name"] for team in facts["teams"]] == ["player_one", "player_two"]
    assert (facts["seed"], facts["key"]) == ("1", timeline.replay.spec.key)
    ending = facts["ending"]
    assert (ending["scores"], ending["winners"]) == (list(outcome.scores), list(outcome.winners))
    assert ending["line"] == Story(timeline).caption(timeline.steps)


def test_the_command_that_plays_it_again_is_the_callers(replay: Path) -> None:
    timeline = load_timeline(replay)
    key = timeline.replay.spec.key
    assert read_facts(page_with(timeline))["again"] == f"python3 main.py --match {key}"
    assert read_facts(page_with(timeline, again="play!"))["again"] == "play!"


def test_logs_beside_the_replay_are_taken(replay: Path) -> None:
    (replay.parent / "1-player_one.log").write_text("--- turn 2, slime 1\nhello\n")
    texts = msgspec.json.decode(read_data(page_with(load_timeline(replay)), "texts"))
    assert texts["logs"] == [[2, 1, 1, ["hello"]]]


def test_each_picture_is_there_once(race_timeline: MakeTimeline) -> None:
    facts = read_facts(page_with(race_timeline(*toy.EVENTFUL)))
    assert len(facts["images"]["sizes"]) == 3
    assert {name.partition(":")[0] for name in facts["images"]["names"]} == {
        "runner_1",
        "runner_2",
        "runner_3",
    }


def test_a_team_shows_a_picture_of_its_own(race_timeline: MakeTimeline) -> None:
    facts = read_facts(page_with(race_timeline(["run"], ["run"])))
    names = facts["images"]["names"]
    assert [team["emblem"] for team in facts["teams"]] == [names["runner_1:1"], names["runner_2:1"]]


def test_a_page_knows_what_scores_are_and_what_of_them_wins(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline(["run"] * 3, ["run"], last_turn=3)
    facts = read_facts(page_with(timeline))
    assert facts["scoreName"] == "lead"
    assert facts["thresholds"] == timeline.thresholds == [None, None, toy.GOAL, toy.GOAL]


def test_a_match_of_which_only_the_beginning_is_known_makes_a_page(
    replay: Path, tmp_path: Path
) -> None:
    header = read_lines(replay)[:1]
    facts = read_facts(page_with(load_timeline(write(tmp_path / "begun.jsonl.gz", header))))
    assert facts["ending"] is None


def add_notes(timeline: ReplayTimeline, *notes: Note) -> ReplayTimeline:
    """The same replay, in whose turn 2 a bot noted this."""
    timeline.notes.take(NotesAside(2, 1, 1, notes))
    return timeline


def test_a_page_has_what_bots_drew_and_logged_only_if_that_is_asked_for(replay: Path) -> None:
    notes = (Cross(1, 2, "#ff0000", "plan"), LogLine("info", "a secret"))
    timeline = add_notes(load_timeline(replay), *notes)
    without, having = (
        msgspec.json.decode(read_data(page_with(timeline, has_drawings=has), "texts"))
        for has in (False, True)
    )
    cross = [1.22, 2.22, 1.78, 2.78, 1.5, 2.5, 1.78, 2.22, 1.22, 2.78]
    assert having["drawings"] == [[2, [[1, 1, "plan", "#ff0000", "path", cross, ""]]]]
    assert "a secret" in str(having["logs"])
    assert without["drawings"] == []
    assert "a secret" not in str(without)


def test_turns_of_drawings_for_which_there_is_no_room_are_counted(replay: Path) -> None:
    timeline = load_timeline(replay)
    for turn in range(300):
        drawn = tuple(Words(x, turn, f"{hash((x, turn))}" * 9) for x in range(100))
        timeline.notes.take(NotesAside(turn, 1, 1, drawn))
    texts = msgspec.json.decode(read_data(page_with(timeline, has_drawings=True), "texts"))
    assert 0 < len(texts["drawings"]) < 300
    assert len(texts["drawings"]) + texts["drawings_left_out"] == 300


def test_without_pillow_a_page_has_the_pictures_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (images.__name__, first_board_svg.__module__):
        monkeypatch.setattr(sys.modules[module], "HAS_PILLOW", False)
    sprites = Sprites("slime_mind")
    found = images.make_images(sprites, ["slime_1:3", "plant", "plant"])
    folder = FOLDER / "slime_mind"
    assert found.files == [(folder / f"{name}.png").read_bytes() for name in ("slime_1", "plant")]
    timeline = ReplayTimeline(Replay(replay_path("small")))
    assert "<image" not in first_board_svg(timeline, sprites)
