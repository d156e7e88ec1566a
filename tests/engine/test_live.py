"""A match that is watched while it is played: its lines come bit by bit, and once more."""

from pathlib import Path
from threading import Timer

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadReplay
from engine.match import play_match
from engine.replays import live as live_module
from engine.replays.live import LiveReplay
from engine.replays.reading import Replay, ReplayEntry
from engine.replays.writing import Recorder
from tests.engine.recorded import BOTS, GAME, Dice, a_spec, read_lines


def record(path: Path | None, live: Path | None, *, seed: int = 1, ends: bool = True) -> None:
    """Play; what is not to end is as it was after some lines."""
    recorder = Recorder(GAME, a_spec(seed=seed), BOTS, path, live=live)
    play_match(GAME, a_spec(seed=seed), [Dice(seed), Dice(seed + 1)], [recorder])
    recorder.close()
    if live is not None and not ends:
        whole = live.read_bytes().splitlines(keepends=True)
        live.write_bytes(b"".join(whole[: len(whole) // 2]))


def entries(replay: Replay) -> list[ReplayEntry]:
    return list(replay.entries())


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """All that is written of a match while it is played."""
    live = tmp_path_factory.mktemp("live") / "match.jsonl"
    record(None, live)
    return live.read_bytes()


def test_the_lines_for_those_that_watch_are_those_of_the_replay(tmp_path: Path) -> None:
    path, live = tmp_path / "replay.jsonl.gz", tmp_path / "match.jsonl"
    record(path, live)
    assert live.read_bytes().splitlines() == read_lines(path)


def test_a_match_that_was_watched_to_its_end_is_the_one_that_was_recorded(tmp_path: Path) -> None:
    path, live = tmp_path / "replay.jsonl.gz", tmp_path / "match.jsonl"
    record(path, live)
    watched, recorded = LiveReplay(live), Replay(path)
    assert entries(watched) == entries(recorded)
    assert (watched.bots, watched.spec, watched.asides) == (
        recorded.bots,
        recorded.spec,
        recorded.asides,
    )
    assert watched.outcome == recorded.outcome
    assert (watched.beginnings, watched.is_growing) == (1, False)


@settings(max_examples=25)
@given(cuts=st.lists(st.floats(0, 1), max_size=12))
def test_lines_may_come_in_any_pieces(
    content: bytes, tmp_path_factory: pytest.TempPathFactory, cuts: list[float]
) -> None:
    live = tmp_path_factory.mktemp("pieces") / "match.jsonl"
    whole = content.index(b"\n") + 1
    places = sorted({whole, *(whole + int(cut * (len(content) - whole)) for cut in cuts)})
    pieces = [
        content[start:stop]
        for start, stop in zip([0, *places], [*places, len(content)], strict=True)
    ]
    live.write_bytes(pieces[0])
    replay = LiveReplay(live)
    for piece in pieces[1:]:
        with live.open("ab") as file:
            file.write(piece)
        before = replay.line_count + len(replay.asides)
        assert replay.read_new_entries() == (b"\n" in piece) or replay.line_count == before
    assert replay.line_count == sum(line.startswith(b"[") for line in content.splitlines())
    assert not replay.is_growing


def test_half_a_line_waits_for_its_rest(content: bytes, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    lines = content.splitlines(keepends=True)
    live.write_bytes(lines[0] + lines[1] + lines[2][:10])
    replay = LiveReplay(live)
    known = replay.line_count
    assert not replay.read_new_entries()
    with live.open("ab") as file:
        file.write(lines[2][10:])
    assert replay.read_new_entries()
    assert replay.line_count == known + 1
    assert replay.is_growing


def test_a_match_that_begins_anew_forgets_what_came_before(tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    record(None, live, seed=1, ends=False)
    replay = LiveReplay(live)
    assert replay.is_growing
    record(None, live, seed=2)
    assert replay.read_new_entries()
    alone = tmp_path / "alone.jsonl"
    record(None, alone, seed=2)
    again = LiveReplay(alone)
    assert replay.beginnings == 2
    assert (entries(replay), replay.asides, replay.spec, replay.outcome) == (
        entries(again),
        again.asides,
        again.spec,
        again.outcome,
    )


def test_who_watches_waits_for_the_match_to_begin(content: bytes, tmp_path: Path) -> None:
    live = tmp_path / "match.jsonl"
    beside = tmp_path / "whole"
    beside.write_bytes(content)
    timer = Timer(0.1, lambda: beside.rename(live))
    timer.start()
    assert LiveReplay(live).line_count > 0
    timer.join()


def test_a_match_that_does_not_begin_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_module, "PATIENCE_S", 0)
    with pytest.raises(BadReplay, match=r"match\.jsonl: no match began within 0 s"):
        LiveReplay(tmp_path / "match.jsonl")


def test_a_match_goes_on_where_nothing_can_be_written_for_those_that_watch(tmp_path: Path) -> None:
    path = tmp_path / "replay.jsonl.gz"
    record(path, tmp_path / "gone" / "match.jsonl")
    assert Replay(path).outcome is not None


def test_a_recorded_match_does_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "replay.jsonl.gz"
    record(path, None)
    assert not Replay(path).is_growing
    assert not Replay(path).read_new_entries()
