"""What is written of a match, and that the same is written twice."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.errors import EngineFailure
from engine.fault import Cause, Fault
from engine.game import Ask, Event, Stage
from engine.observer import Observer
from engine.replays.reading import Replay
from engine.replays.writing import (
    CPU_TURNS,
    CPU_US,
    REPLAY_FORMAT,
    Continued,
    ContinuedAside,
    FaultAside,
    Recorder,
)
from tests.engine.recorded import BOTS, GAME, a_spec, read_lines, record
from tests.engine.seats import ScriptedSeat


def record_lines(path: Path) -> list[bytes]:
    return [line for line in read_lines(path) if not line.startswith(b'{"aside"')]


class Sat(ScriptedSeat):
    """A seat that is only looked at."""

    def __init__(self) -> None:
        super().__init__(lambda ask, state: None)
        self.call_us: list[int] = []


def test_the_same_match_makes_the_same_lines(tmp_path: Path) -> None:
    fingerprints = [record(tmp_path / name, faults_pct=0)[1] for name in ("one", "two")]
    assert read_lines(tmp_path / "one") == read_lines(tmp_path / "two")
    assert fingerprints[0] == fingerprints[1]


def test_the_words_of_faults_are_asides_and_change_no_record(tmp_path: Path) -> None:
    record(tmp_path / "one")
    lines = [line for line in read_lines(tmp_path / "one") if line.startswith(b'{"aside":"fault"')]
    assert len(lines) > 10
    assert all("words" in json.loads(line)["detail"] or b"FLY" in line for line in lines)
    assert not any(b"words of" in line for line in record_lines(tmp_path / "one"))


@pytest.mark.parametrize(("each_us", "turns"), [(9, CPU_TURNS), (CPU_US, 1)])
def test_the_time_used_is_an_aside_and_changes_no_record(
    each_us: int, turns: int, tmp_path: Path
) -> None:
    """It is told in every tenth turn, or in each that takes long."""
    record(tmp_path / "plain")
    seats = (Sat(), Sat())
    recorder = Recorder(GAME, a_spec(), BOTS, tmp_path / "timed", seats)
    replay = Replay(tmp_path / "plain")
    recorder.on_start(board := GAME.new(a_spec().settings, 2))
    for number, entry in enumerate(replay.entries()):
        seats[number % 2].call_us.append(each_us)
        if isinstance(entry, tuple) or hasattr(entry, "orders"):
            continue
        board.apply(entry)
        recorder.on_event(entry)
    assert replay.outcome is not None
    recorder.on_end(replay.outcome)
    recorder.close()
    asides = [json.loads(line) for line in read_lines(tmp_path / "timed") if b'"cpu"' in line]
    found = sorted({*range(0, replay.last_turn, turns), replay.last_turn})
    assert [aside["turn"] for aside in asides] == found
    used = [sum(column) for column in zip(*(aside["us"] for aside in asides), strict=True)]
    assert used == [sum(seat.call_us) for seat in seats]
    assert record_lines(tmp_path / "timed")[0] == record_lines(tmp_path / "plain")[0]


def test_without_a_path_there_is_only_a_fingerprint(tmp_path: Path) -> None:
    assert record(None) == record(tmp_path / "file")


@pytest.mark.parametrize("other", [{"spec": a_spec(seed=2)}, {"dice": 2}], ids=["seed", "dice"])
def test_another_match_has_another_fingerprint(other: dict[str, Any]) -> None:
    assert record(None, **other)[1] != record(None)[1]


def test_every_line_of_a_replay_is_json_and_its_kind_is_seen_at_its_start(tmp_path: Path) -> None:
    record(tmp_path / "file")
    header, *lines = read_lines(tmp_path / "file")
    assert json.loads(header)["replay"] == REPLAY_FORMAT
    starts = ("[", '{"aside":', '{"turn":', '{"result":')
    assert all(line.decode().startswith(starts) for line in lines)
    assert all(json.loads(line) for line in lines)


def test_a_replay_cannot_be_run(tmp_path: Path) -> None:
    record(tmp_path / "file")
    assert (tmp_path / "file").stat().st_mode & 0o111 == 0


def test_a_file_that_cannot_be_made_is_our_failure_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(EngineFailure, match=r"nowhere/replay: cannot be written: No such file"):
        Recorder(GAME, a_spec(), BOTS, tmp_path / "nowhere" / "replay")


def test_a_full_disk_is_our_failure_with_the_path() -> None:
    with pytest.raises(EngineFailure, match="/dev/full: cannot be written: No space left"):
        record(Path("/dev/full"))


def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    recorder = Recorder(GAME, a_spec(), BOTS, tmp_path / "file")
    recorder.close()
    closed = (tmp_path / "file").read_bytes()
    recorder.close()
    assert (tmp_path / "file").read_bytes() == closed


def test_a_fault_tells_what_it_did_to_its_bot(tmp_path: Path) -> None:
    seats = (Sat(), Sat())
    recorder = Recorder(GAME, a_spec(), BOTS, tmp_path / "file", seats)
    recorder.on_start(GAME.new(a_spec().settings, 2))
    fault = Fault(Cause.EXIT, "why")
    recorder.on_fault(Ask(2, 7), fault)
    seats[1].restarts, seats[1].out = 3, Fault(Cause.OUT, "exit: why")
    recorder.on_fault(Ask(2, 7), fault)
    recorder.close()
    unharmed, harmed = Replay(tmp_path / "file").asides
    assert isinstance(unharmed, FaultAside)
    assert isinstance(harmed, FaultAside)
    assert (unharmed.restarts, unharmed.out) == (0, None)
    assert (harmed.restarts, harmed.out) == (3, seats[1].out)


def test_that_a_match_went_on_is_an_aside(tmp_path: Path) -> None:
    recorder = Recorder(GAME, a_spec(), BOTS, tmp_path / "file")
    recorder.note_continuation(Continued(turn=3, deviation=None))
    recorder.close()
    assert Replay(tmp_path / "file").asides == [ContinuedAside(Continued(turn=3, deviation=None))]


class Reader(Observer):
    """Reads the file of a match while it is written, as it would be after a kill."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lines: list[int] = []

    def on_event(self, event: Event) -> None:
        if isinstance(event, Stage):
            self.lines.append(Replay(self._path).line_count)


def test_all_finished_stages_can_be_read_while_the_match_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replays.writing.FLUSH_S", 0.0)
    reader = Reader(tmp_path / "file")
    record(tmp_path / "file", reader)
    assert len(reader.lines) > 50
    assert [after - before for before, after in pairwise(reader.lines)].count(0) == 0


def test_what_is_not_a_second_old_may_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.replays.writing.FLUSH_S", 3_600.0)
    reader = Reader(tmp_path / "file")
    record(tmp_path / "file", reader)
    assert len(set(reader.lines)) == 1 + 4, "the header, and the keyframes"


def test_the_disk_is_waited_for_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    record(tmp_path / "calm")
    assert len(synced) == 1, "at its end"
    monkeypatch.setattr("engine.replays.writing.SYNC_S", 0.0)
    monkeypatch.setattr("engine.replays.writing.FLUSH_S", 0.0)
    record(tmp_path / "anxious")
    assert len(synced) > 50
