"""Whole pictures, as text and as values."""

from pathlib import Path

import pytest

from engine.live import LiveReplay
from engine.replay import Replay
from tests.engine.recorded import record
from tests.visualizer import toy
from tests.visualizer.conftest import MakeFilm
from visualizer.film import LEAD, Film
from visualizer.sprites import Sprites
from visualizer.terminal.actions import ACTIONS, obey
from visualizer.terminal.canvas import Canvas
from visualizer.terminal.colours import Abilities, Depth
from visualizer.terminal.frame import Frames
from visualizer.terminal.layout import SMALLEST
from visualizer.terminal.viewing import Reel, Viewing
from visualizer.theme import ACCENT

PLAIN = Abilities(Depth.NONE)


@pytest.fixture
def viewing(race_film: MakeFilm) -> Viewing:
    """Of a race, standing still at its start."""
    viewing = Viewing([Reel(race_film(names=["player_one", "evil\x1b[2J\x07"]), Sprites(toy.NAME))])
    viewing.playback.pause()
    viewing.tick(0, 1)
    return viewing


def press(viewing: Viewing, *keys: str) -> None:
    for key in keys:
        obey(viewing, key)
    viewing.tick(0, 1)


def seen(viewing: Viewing, width: int = 80, height: int = 24) -> str:
    return Frames(viewing, PLAIN).draw(width, height).text()


def test_a_picture_has_all_there_is_to_know(viewing: Viewing) -> None:
    press(viewing, *["right"] * 3)
    assert seen(viewing).splitlines()[0] == " Race  seed 7" + " " * 44 + "turn 3 of 12   ‖ 1x"
    text = " ".join(seen(viewing, 110, 50).split())
    for words in (
        "1 player_one",
        "10.0",
        "flags taken",
        "cpu 0.00 s",
        "lost 1 round",
        "now runner 1: push runner 2: take runner 3: plant pushed runner 2 (2 left)",
        "3 t runner 2 took flag 5: 2 is its level",
        "3 f runner 3 planted flag 6",
        "the race",
        "Space play",
    ):
        assert words in text


def test_a_strangers_name_stays_text(viewing: Viewing) -> None:
    text = seen(viewing, 120, 40)
    assert "2 evil·[2J·" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), SMALLEST, (41, 90), (300, 16)])
def test_a_picture_is_as_large_as_the_terminal(viewing: Viewing, size: tuple[int, int]) -> None:
    canvas = Frames(viewing, Abilities()).draw(*size)
    assert (canvas.width, canvas.height) == size
    assert [len(row) for row in canvas.rows] == [size[0]] * size[1]


@pytest.mark.parametrize("size", [(39, 24), (80, 15), (1, 1), (5, 2)])
def test_a_terminal_that_is_too_small_is_told_what_is_needed(
    viewing: Viewing, size: tuple[int, int]
) -> None:
    text = seen(viewing, *size)
    if size[0] > 20:
        assert "40x16 needed, this is {}x{}".format(*size) in text


def test_every_key_of_the_help_does_something_and_is_told(viewing: Viewing) -> None:
    press(viewing, "h")
    text = seen(viewing)
    for action in ACTIONS:
        assert action.in_words in text
        assert action.says in text
    assert "f flags" in text
    assert "l lead changes" in text
    press(viewing, "escape")
    assert "one round back" not in seen(viewing)


def test_keys_move_the_playhead(viewing: Viewing) -> None:
    playback = viewing.playback
    press(viewing, "right", "right", "left")
    assert viewing.reels[0].cursor.position == 1
    press(viewing, "page down", ".", "shift right", "page up", ",", "shift left")
    assert playback.time == 1
    press(viewing, "end")
    assert playback.is_at_end
    press(viewing, "home")
    assert (playback.time, playback.is_playing) == (0, True)
    press(viewing, "space")
    assert not playback.is_playing
    press(viewing, "n", "down", "N")
    assert playback.time == 3
    press(viewing, "p", "up")
    assert playback.time == 1
    press(viewing, "+", "=", "-", "_", "m")
    assert playback.is_fastest
    assert "max" in seen(viewing).splitlines()[0]
    press(viewing, "x", "é")
    assert not viewing.is_over
    press(viewing, "q")
    assert viewing.is_over


def test_the_winner_is_named_at_the_end(viewing: Viewing) -> None:
    press(viewing, "end")
    assert "winner" in seen(viewing)
    press(viewing, "left")
    assert "winner" not in seen(viewing)


def test_of_many_only_the_best_share_a_draw(race_film: MakeFilm) -> None:
    film = race_film(["run"], ["run"], ["plant"] * 12)  # whose scripts end go on running
    viewing = Viewing([Reel(film, Sprites(toy.NAME))])
    viewing.playback.pause()
    press(viewing, "end")
    assert seen(viewing, 120, 40).count("draw") == 2


def test_while_it_plays_no_step_is_marked(viewing: Viewing) -> None:
    press(viewing, "right")

    def marked(canvas: Canvas) -> bool:
        return any(
            ink.ground == ACCENT and letter in "Rr"
            for row in canvas.rows
            for letter, ink in row
            if letter
        )

    frames = Frames(viewing, Abilities())
    assert marked(frames.draw(80, 24))
    viewing.playback.is_playing = True
    assert not marked(frames.draw(80, 24))
    assert "now" not in frames.draw(80, 24).text()


def test_a_change_of_the_lead_is_told(viewing: Viewing) -> None:
    press(viewing, "right", "right")
    assert "l player_one takes the lead" in seen(viewing)
    assert seen(viewing).count("leads") == 1
    assert LEAD in viewing.reels[0].mark_kinds


def test_a_turn_can_be_wished_for_before_it_is_known(race: None, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    toy.record_race(None, *toy.EVENTFUL, live=live)
    lines = live.read_bytes().splitlines(keepends=True)
    live.write_bytes(b"".join(lines[:5]))
    viewing = Viewing([Reel(Film(LiveReplay(live)), Sprites(toy.NAME))], turn=9)
    viewing.playback.pause()
    viewing.tick(0, 1)
    assert viewing.playback.time < 9
    assert " LIVE " in seen(viewing)
    with live.open("ab") as file:
        file.write(b"".join(lines[5:]))
    viewing.tick(0, 1)
    assert viewing.playback.time == 9
    assert " LIVE " not in seen(viewing)
    press(viewing, "home", "space")
    assert viewing.playback.time == 0


def test_a_match_that_begins_anew_is_shown_anew(race: None, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    toy.record_race(None, *toy.EVENTFUL, live=live, last_turn=5)
    half = live.read_bytes().splitlines(keepends=True)
    live.write_bytes(b"".join(half[: len(half) - 1]))
    viewing = Viewing([Reel(Film(LiveReplay(live)), Sprites(toy.NAME))])
    frames = Frames(viewing, PLAIN)
    viewing.tick(0, 1)
    press(viewing, "end")
    frames.draw(80, 24)
    toy.record_race(None, ["run"] * 9, ["run"] * 9, ["run"] * 9, live=live, last_turn=9)
    viewing.tick(0, 1)
    assert viewing.playback.time == 0
    assert "turn 0 of 9" in frames.draw(80, 24).text()
    press(viewing, "end")
    assert "turn 9 of 9" in frames.draw(80, 24).text()


def test_two_films_are_drawn_side_by_side(race_film: MakeFilm) -> None:
    films = [race_film(), race_film(["run"] * 5, ["plant"] * 5, last_turn=5)]
    viewing = Viewing([Reel(film, Sprites(toy.NAME)) for film in films])
    viewing.playback.pause()
    press(viewing, "end")
    text = seen(viewing, 160, 40)
    assert "turn 12 of 12" in text
    assert "seed 7 / 7" in text
    assert text.count("the race") == 2


def test_the_timeline_has_a_letter_where_something_happened(viewing: Viewing) -> None:
    lines = seen(viewing).splitlines()
    assert lines[-3].strip().startswith("●")
    assert set(lines[-2].split()) == {"f", "t", "d", "l"} or "f" in lines[-2]
    assert len(lines[-2]) <= 80


def test_a_crowded_match_of_slimes_is_drawn_in_every_turn(tmp_path: Path) -> None:
    record(tmp_path / "replay.jsonl.gz")
    viewing = Viewing([Reel(Film(Replay(tmp_path / "replay.jsonl.gz")), Sprites("slime_mind"))])
    viewing.playback.pause()
    viewing.tick(0, 1)
    frames = Frames(viewing, Abilities())
    for turn in range(int(viewing.playback.end) + 1):
        viewing.playback.seek_turn(turn)
        viewing.tick(0, 1)
        assert f"turn {turn} of" in frames.draw(80, 24).text()


def test_what_it_takes_to_win_stands_above_the_columns(viewing: Viewing) -> None:
    press(viewing, "end")
    lines = seen(viewing, 110, 50).splitlines()
    assert "╌" in "".join(lines)
    assert not any("╌" in line and "█" in line.split("╌")[-1] for line in lines)
