"""Replays that no recorder wrote: refused in one sentence, in memory that is bounded."""

import json
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.errors import BadReplay
from engine.game import Ask, Outcome
from engine.games.game_of_death.game import GameOfDeath
from engine.match import play_match
from engine.replays.lines import BLOCK_BYTES, GZIP_WINDOW_BITS, MAX_COMMAS, MAX_LINE_BYTES, MIB
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import FaultAside, Recorder, ResultLine
from engine.seat import Seat
from tests.engine.recorded import BOTS, a_spec, read_lines, record
from visualizer.model.timeline import ReplayTimeline

MAX_MEMORY = 200 * MIB


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("recorded") / "match.jsonl.gz"
    record(path)
    return read_lines(path)


def pack(path: Path, parts: Iterable[bytes]) -> Path:
    deflate = zlib.compressobj(6, zlib.DEFLATED, GZIP_WINDOW_BITS)
    with path.open("wb") as file:
        file.writelines(map(deflate.compress, parts))
        file.write(deflate.flush())
    return path


def measure_peak(action: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def use(path: Path) -> None:
    """All that is done with a replay to look at it."""
    replay = Replay(path)
    list(replay.record())
    replay.state_at(replay.last_turn)
    ReplayTimeline(replay).read_new_entries()


def a_long_name(lines: list[bytes]) -> Iterator[bytes]:
    header = json.loads(lines[0])
    header["bots"][0]["name"] = "A" * (2 * MAX_LINE_BYTES)
    yield json.dumps(header).encode() + b"\n"


def plants(count: int) -> bytes:
    each = b",".join(b'["plant",[%d,%d,%d,1,12,3,6],0]' % (n, n, n) for n in range(count))
    return b'[["stage",1,"x"],' + each + b"]\n"


HOSTILE: dict[str, tuple[str, Callable[[list[bytes]], Iterable[bytes]]]] = {
    "a line of spaces": ("a line of more than 16 MiB", lambda lines: [b" " * MIB] * 300),
    "a long line of events": (
        "a line of more than",
        lambda lines: [lines[0], b'\n[["stage",1,"x"]', *[b',["stage",1,"x"]' * 65_536] * 150],
    ),
    "a long name": ("a line of more than 16 MiB", a_long_name),
    "deep brackets": ("RecursionError", lambda lines: [lines[0], b"\n", b"[" * 5_000_000, b"\n"]),
    "deep notes": (
        "RecursionError",
        lambda lines: [lines[0], b'\n{"aside":', b"[" * 5_000_000, b"\n"],
    ),
    "a turn far away": (
        "turn 1000000 after turn 0",
        lambda lines: [lines[0], b'\n[["stage",1000000,"x"]]\n'],
    ),
}


@pytest.mark.variants(2)
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_recorded_match_is_refused_in_bounded_memory(
    name: str, lines: list[bytes], tmp_path: Path
) -> None:
    words, parts = HOSTILE[name]
    path = pack(tmp_path / "match.jsonl.gz", parts(lines))

    def refused() -> None:
        with pytest.raises(BadReplay, match=words) as caught:
            use(path)
        assert str(caught.value).startswith(f"{path}: ")
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < len(str(path)) + 400

    assert measure_peak(refused) < MAX_MEMORY


@pytest.mark.variants(2)
@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "a line of spaces"])
def test_what_is_no_recorded_match_is_refused_in_bounded_memory_unpacked_too(
    name: str, lines: list[bytes], tmp_path: Path
) -> None:
    words, parts = HOSTILE[name]
    path = tmp_path / "match.jsonl"
    with path.open("wb") as file:
        file.writelines(parts(lines))

    def refused() -> None:
        with pytest.raises(BadReplay, match=words):
            use(path)

    assert measure_peak(refused) < path.stat().st_size + MAX_MEMORY


def test_an_unpacked_file_without_end_is_not_read(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replays.reading.MAX_PACKED_BYTES", 10_000)
    path = tmp_path / "match.jsonl"
    path.write_bytes(b"\n".join([lines[0], *[b"[]"] * 5_000]))
    with pytest.raises(BadReplay, match="cannot be read: it is larger than 10,000 bytes"):
        Replay(path)


@pytest.mark.parametrize(
    "use",
    [lambda replay: ReplayTimeline(replay).read_new_entries(), lambda replay: replay.state_at(1)],
)
def test_a_state_that_grows_without_end_is_refused(
    use: Callable[[Replay], object],
    lines: list[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.replays.reading.MAX_LINE_BYTES", 100_000)
    monkeypatch.setattr("engine.replays.reading.EVENTS_BETWEEN", 1_000)
    more = b'[["stage",1,"y"],["!","UP"],["stage",1,"z"]]\n'
    path = pack(tmp_path / "match.jsonl.gz", [lines[0], b"\n", plants(5_000), more])
    with pytest.raises(BadReplay, match="its state grows"):
        use(Replay(path))


def test_notes_without_end_are_refused(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replays.reading.MAX_ASIDE_BYTES", 10_000)
    note = next(line for line in lines if line.startswith(b'{"aside":"fault"'))
    path = pack(tmp_path / "match.jsonl.gz", [lines[0], b"\n", (note + b"\n") * 1_000])
    with pytest.raises(BadReplay, match="of notes on its faults"):
        Replay(path)


def test_lines_without_end_are_refused(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replays.reading.MAX_LINES", 1_000)
    path = pack(tmp_path / "match.jsonl.gz", [lines[0], b"\n", b"[]\n" * 1_001])
    with pytest.raises(BadReplay, match="it has more than 1,000 lines"):
        Replay(path)


def test_a_packed_file_that_holds_too_much_is_refused(
    lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.replays.lines.MAX_UNPACKED_BYTES", BLOCK_BYTES)
    whole = [lines[0], b"\n", *[b"[" + b" " * 997 + b"]\n"] * (2 * BLOCK_BYTES // 1_000)]
    with pytest.raises(BadReplay, match="it holds more than 2 MiB"):
        Replay(pack(tmp_path / "match.jsonl.gz", whole))


@pytest.mark.parametrize("scores", [(1.0,), (1.0, 2.0, 3.0)])
def test_a_result_with_scores_of_other_teams_is_refused(
    scores: tuple[float, ...], lines: list[bytes], tmp_path: Path
) -> None:
    result = msgspec.json.encode(ResultLine(Outcome(scores, "last turn")))
    with pytest.raises(BadReplay, match=f"{len(scores)} numbers for 2 teams"):
        Replay(pack(tmp_path / "match.jsonl.gz", [lines[0], b"\n", result, b"\n"]))


@pytest.mark.parametrize("change", [{"team": 77}, {"team": 0}, {"team": -1}])
def test_a_fault_of_nobody_is_refused(
    change: dict[str, Any], lines: list[bytes], tmp_path: Path
) -> None:
    note = next(line for line in lines if line.startswith(b'{"aside":"fault"'))
    aside = msgspec.structs.replace(msgspec.json.decode(note, type=FaultAside), **change)
    parts = [lines[0], b"\n", msgspec.json.encode(aside), b"\n"]
    with pytest.raises(BadReplay, match="a fault of team"):
        Replay(pack(tmp_path / "match.jsonl.gz", parts))


def test_a_header_with_a_board_without_end_is_refused(lines: list[bytes], tmp_path: Path) -> None:
    header = json.loads(lines[0])
    header["spec"]["settings"]["rows"] = 10**9
    path = pack(tmp_path / "match.jsonl.gz", [json.dumps(header).encode(), b"\n"])
    with pytest.raises(BadReplay, match="Expected `int` <= 1000"):
        Replay(path)


def test_orders_that_no_rules_allow_are_a_damage_and_no_bug(
    lines: list[bytes], tmp_path: Path
) -> None:
    """The rules trust what was checked; a file was not."""
    changed = [line.replace(b'["!","', b'["!","?') for line in lines]
    path = pack(tmp_path / "match.jsonl.gz", [line + b"\n" for line in changed])
    with pytest.raises(BadReplay, match="is damaged: "):
        verify(Replay(path))


def test_names_in_a_header_are_shown_as_those_of_bots(lines: list[bytes], tmp_path: Path) -> None:
    header = json.loads(lines[0])
    header["bots"][0] |= {"name": "x\x1b]0;y\x07\u202e\n", "title": "e" + "\u0301" * 500}
    header["engine"] = "1\x1b[2J"
    replay = Replay(pack(tmp_path / "a.jsonl.gz", [json.dumps(header).encode(), b"\n"]))
    assert replay.bots[0].name == "x ]0;y"
    assert replay.bots[0].title == "e" + "\u0301" * 4
    assert replay.engine == "1 [2J"


class BusyArmy(Seat):
    """A seat of 250 dominoes with source text, all of which act and broadcast in every turn."""

    def __init__(self, design: Any) -> None:
        self._answers = chain([design], cycle(["attack forward", "turn cw", "move left"]))

    def prepare(self, state: Any) -> None: ...
    def put(self, ask: Ask, view: Any) -> None: ...

    def take(self) -> Any:
        answer = next(self._answers)
        return [answer, ["hello"]] if isinstance(answer, str) else answer


def test_a_large_match_of_many_shapes_is_far_below_the_bounds(tmp_path: Path) -> None:
    """The Game of Death on its 60 000 squares, with 500 shapes: it has the longest lines."""

    class OftenFramed(GameOfDeath):
        keyframe_turns = 2

    game = OftenFramed()
    placements = [[n % 10, 148 - 3 * (n % 25), 5 + 15 * (n // 25)] for n in range(250)]
    types = [[f"Domino{n}", ["##"], "x = 1\n" * 1_500] for n in range(10)]
    settings = game.settings(zone_width=150, hp_factor=1_000, max_turns=5)
    path, bots = tmp_path / "match.jsonl.gz", ("0" * 16,) * 2
    spec = msgspec.structs.replace(a_spec(), game=game.name, settings=settings, bots=bots)
    recorder = Recorder(game, spec, BOTS, path)
    armies = [BusyArmy({"types": types, "placements": placements}) for _ in range(2)]
    play_match(game, spec, armies, (recorder,))
    recorder.close()
    longest = max(read_lines(path), key=len)
    assert 250_000 < len(longest) < MAX_LINE_BYTES / 16
    assert longest.count(b",") < MAX_COMMAS / 16
    state = Replay(path).state_at(5)
    assert len(state.shapes) == 500
    assert len(msgspec.json.encode(state)) < MAX_LINE_BYTES / 16


def test_a_line_that_no_reader_would_take_is_recorded_as_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(tmp_path / "usual")
    monkeypatch.setattr("engine.replays.lines.MAX_LINE_BYTES", 1_000)
    record(tmp_path / "short")
    assert max(map(len, read_lines(tmp_path / "usual"))) > 1_000
    assert max(map(len, read_lines(tmp_path / "short"))) <= 1_000
    short = Replay(tmp_path / "short")
    monkeypatch.undo()
    usual = Replay(tmp_path / "usual")
    assert list(short.entries()) == list(usual.entries())
    assert verify(short) is None
