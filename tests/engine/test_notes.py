"""What bots draw and log: from `self.draw` to the lines of a replay."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bot_output import (
    ASK_BYTES,
    MATCH_BYTES,
    MAX_NOTES_PER_ASK,
    UNREADABLE_NOTE,
    Circle,
    Cross,
    Line,
    LogLine,
    Note,
    Rectangle,
    Words,
    read_notes,
)
from engine.bot_output_api import COLORS, MAX_LOGGED_MISTAKES, Draw, Log, NoteTaker
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.bots.programs.builds import Builds
from engine.bots.programs.seat import ProgramSeat
from engine.bots.spawning import SpawnLauncher
from engine.catalog import GAMES, find_game
from engine.game import Ask, Event
from engine.games.smack.player import at
from engine.limits import Limits
from engine.replays.public_copy import PublicReplay, PublicView
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import Contestant, NotesAside, Recorder
from engine.result import MatchResult
from engine.result_folder import REPLAY
from tests.cases import for_each
from tests.engine.bots.matches import Arena, a_bot, a_job, change_play
from tests.engine.recorded import BOTS, GAME, LIVELY, a_spec

DRAWS = """
self.draw.line(slime.x, slime.y, slime.x + 1, slime.y, color="red", key="plan")
self.log.info(f"slime {slime.id}")
return 'UP'
"""


def take_notes(notes: NoteTaker) -> tuple[Note, ...]:
    """What a seat reads of what a worker sends."""
    return read_notes(bytes(notes.take()))


@pytest.fixture
def notes() -> NoteTaker:
    return NoteTaker(is_kept=True)


def notes_in(result: MatchResult) -> list[NotesAside]:
    asides = Replay(Path(result.folder) / REPLAY).asides
    return [aside for aside in asides if isinstance(aside, NotesAside)]


def test_each_way_of_drawing_becomes_a_note(notes: NoteTaker) -> None:
    notes.draw.line(1, 2, 3.456, 4, color="red", key="plan")
    notes.draw.rect(1, 2, 3, 2, color="#ABCDEF")
    notes.draw.circle(5, 6)
    notes.draw.text(7, 8, 12)
    notes.draw.mark(0, 0)
    notes.log.warning("watch out", key="fear")
    assert take_notes(notes) == (
        Line(1, 2, 3.46, 4, COLORS["red"], "plan"),
        Rectangle(1, 2, 3, 2, "#abcdef"),
        Circle(5, 6, 0.5),
        Words(7, 8, "12"),
        Cross(0, 0),
        LogLine("warning", "watch out", "fear"),
    )
    assert take_notes(notes) == ()


def test_outside_of_matches_nothing_is_kept_and_nothing_is_looked_at() -> None:
    notes = NoteTaker()
    notes.draw.line("no", None, object(), 4, color=[])  # type: ignore[arg-type]
    notes.log.info("unheard")
    assert take_notes(notes) == ()


class Nasty:
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("place", ["one", None, float("nan"), float("inf"), 10**400, 1e9, Nasty()])
def test_a_place_that_is_none_is_logged_and_never_raised(notes: NoteTaker, place: Any) -> None:
    notes.draw.mark(place, 1)
    (complaint,) = take_notes(notes)
    assert isinstance(complaint, LogLine)
    assert complaint.text.startswith("draw.mark: ")


def test_the_same_mistake_is_logged_once_and_never_more_than_a_few(notes: NoteTaker) -> None:
    for number in range(100):
        notes.draw.mark(1, 1, color="mauve")
        notes.draw.mark(1, 1, color=f"mauve{number}")
    complaints = take_notes(notes)
    assert len(complaints) == MAX_LOGGED_MISTAKES
    assert "expected #rrggbb or one of red, orange" in str(complaints[0])


def test_a_decision_keeps_so_many_notes_and_says_that_the_rest_is_dropped(notes: NoteTaker) -> None:
    for x in range(2 * MAX_NOTES_PER_ASK):
        notes.draw.mark(x, 0)
    saved = take_notes(notes)
    assert len(saved) == MAX_NOTES_PER_ASK
    assert "the rest is dropped" in str(saved[-1])


def test_notes_of_a_decision_never_take_more_bytes_than_are_read(notes: NoteTaker) -> None:
    for number in range(MAX_NOTES_PER_ASK):
        notes.log.info(f"{number}" + "\U0001f40c" * 500)
        notes.draw.mark(1, 1, color="\U0001f40c" * 30 + str(number))
    assert len(bytes(notes.take())) <= ASK_BYTES


def test_a_bot_that_means_something_else_by_the_names_keeps_its_own(notes: NoteTaker) -> None:
    class Player:
        def log(self) -> str:
            return "my own"

    notes.give_to(Player)
    assert Player().log() == "my own"
    assert Player.draw is notes.draw  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", GAMES)
def test_every_player_has_what_draws_and_logs_even_without_a_match(game: str) -> None:
    player = find_game(game).player
    draw, log = player.draw, player.log  # type: ignore[attr-defined]
    assert (draw.mark(1, 2), log.info("nobody hears it")) == (None, None)
    assert (type(draw), type(log)) == (Draw, Log)


@for_each("sent", [
        b"[1]", b"{}", b"[", b"\xff", b'[["line"]]', b'[["mark",1,1e999]]', b'[["mark",1,null]]',
        b'[["mark",1,1,"red"]]', b'[["mark",1,1,"#12345g"]]', b'[["mark",1,1,"#123456\\n"]]',
        b'[["text",1,1,"' + b"x" * 300 + b'"]]', b'[["log","shout","x"]]',
        b'[["circle",1,1,-1]]', b"[" * 20_000, b"[" + b'["mark",1,1],' * 9_000 + b'["mark",1,1]]',
        b"[" + b",".join([b'["mark",1,1]'] * (MAX_NOTES_PER_ASK + 1)) + b"]",
    ])  # fmt: skip
def test_forged_notes_are_replaced_by_a_remark(sent: bytes) -> None:
    assert read_notes(sent) == UNREADABLE_NOTE


def test_texts_of_notes_cannot_command_a_terminal() -> None:
    (text, log) = read_notes(b'[["text",1,1,"a\\u001b[2Jb"],["log","info","x\\u202ey","k\\n"]]')
    assert text == Words(1, 1, "a [2Jb")
    assert log == LogLine("info", "x y", "k")


def test_an_army_draws_in_its_own_frame() -> None:
    notes = NoteTaker(is_kept=True)
    battle = find_game("game_of_death").new(find_game("game_of_death").settings(), 2)
    notes.draw.place = battle.frames[1].inverse.turn_cell
    width, height = battle.settings.width, battle.settings.height
    notes.draw.mark(0, 0)
    notes.draw.rect(2, 3, 4, 5)
    assert take_notes(notes) == (
        Cross(width - 1, height - 1),
        Rectangle(width - 6, height - 8, 4, 5),
    )


def test_a_frame_that_is_turned_by_a_quarter_turns_rectangles() -> None:
    notes = NoteTaker(is_kept=True)
    game = find_game("game_of_death")
    battle = game.new(game.settings(width=300, height=300), 4)
    notes.draw.place = battle.frames[1].inverse.turn_cell
    notes.draw.rect(2, 3, 4, 5)
    assert take_notes(notes) == (Rectangle(292, 2, 5, 4),)


def test_a_square_of_smack_has_a_place() -> None:
    assert (at("H8"), at("F15"), at(3)) == ((7, 7), (5, 0), (3, 0))


@pytest.mark.parametrize("in_process", [False, True])
def test_a_replay_keeps_what_a_bot_drew_with_its_turn_and_piece(
    tmp_path: Path, arena: Arena, in_process: bool
) -> None:
    drawer, quiet = a_bot(tmp_path, DRAWS, name="player_a"), a_bot(tmp_path, "return 'UP'")
    job = a_job(arena.out, drawer, quiet, in_process=in_process, keep_notes=True)
    asides = notes_in(arena.referee.play(job))
    assert [(aside.turn, aside.team) for aside in asides] == [(1, 1), (2, 1), (3, 1)]
    for aside in asides:
        line, log = aside.notes
        assert isinstance(line, Line)
        assert (line.x2 - line.x, line.key) == (1, "plan")
        assert log == LogLine("info", f"slime {aside.piece_id}")


def test_recording_drawings_changes_neither_fingerprint_nor_verification(
    tmp_path: Path, arena: Arena
) -> None:
    job = a_job(arena.out, a_bot(tmp_path, DRAWS), a_bot(tmp_path, DRAWS, name="player_b"))
    without = arena.referee.play(job)
    assert notes_in(without) == []
    saved = arena.referee.play(change_play(job, keep_notes=True))
    assert len(notes_in(saved)) == 6
    assert saved.fingerprint == without.fingerprint
    assert verify(Replay(Path(saved.folder) / REPLAY)) is None


SAYS_WHAT_IT_SEES = """
    taker = self._note_taker
    shown = [(name, str(value)) for name, value in sorted(vars(taker).items())]
    print([(name, value) for name, value in shown if "<" not in value])
    self.log.info("x" * 99)
    print(len(taker._encoded), taker._bytes)
    return "UP"
"""


@pytest.mark.parametrize("in_process", [False, True])
def test_a_bot_cannot_tell_whether_it_is_recorded(
    tmp_path: Path, arena: Arena, in_process: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = [a_bot(tmp_path, SAYS_WHAT_IT_SEES, name=f"player_{name}") for name in "ab"]
    job = a_job(arena.out, *bots, in_process=in_process)
    seen = []
    for keeps_replay, keeps_notes in ((False, False), (True, False), (True, True)):
        as_wished = change_play(job, keep_replay=keeps_replay, keep_notes=keeps_notes)
        result = arena.referee.play(as_wished)
        assert result.faults == 0, result.teams[0].details
        seen.append((arena.log(result, 1), arena.log(result, 2), capsys.readouterr().out))
    assert seen[0] == seen[1] == seen[2]
    assert "is_kept" in "".join(seen[0])


def test_a_program_is_not_told_whether_it_is_recorded(tmp_path: Path) -> None:
    received = []
    for keeps in (False, True):
        config = SeatConfig(
            name="program",
            bot=tmp_path / "bot.toml",
            log=tmp_path / "log",
            team=1,
            game=GAME.name,
            match_seed=1,
            limits=Limits(),
            keeps_notes=keeps,
        )
        seat = ProgramSeat(config, SpawnLauncher(), Builds(tmp_path))
        seat.prepare(GAME.new(LIVELY, 2))
        received.append(seat._program_start_message())
    assert received[0] == received[1]


def test_an_opponent_is_sent_nothing_of_what_a_bot_draws(
    tmp_path: Path, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    send = ProcessSeat._send

    def overheard(self: ProcessSeat, process: Any, line: bytes, timeout_ms: int) -> None:
        sent.append(line)
        send(self, process, line, timeout_ms)

    monkeypatch.setattr(ProcessSeat, "_send", overheard)
    secret = "self.draw.text(1, 1, 'a secret plan')\nreturn 'UP'"
    job = a_job(arena.out, a_bot(tmp_path, secret), a_bot(tmp_path, DRAWS, name="player_b"))
    result = arena.referee.play(change_play(job, keep_notes=True))
    assert len(notes_in(result)) == 6
    assert len(sent) > 6
    assert not any(b"a secret plan" in line for line in sent)


def test_what_was_drawn_before_an_exception_is_kept(tmp_path: Path, arena: Arena) -> None:
    falls = a_bot(tmp_path, "self.draw.mark(slime.x, slime.y)\nraise ValueError", name="player_a")
    job = a_job(arena.out, falls, a_bot(tmp_path, "return 'UP'"))
    result = arena.referee.play(change_play(job, keep_notes=True))
    assert [type(aside.notes[0]) for aside in notes_in(result)] == [Cross] * 3
    assert result.teams[0].faults == {"exception": 3}


def test_an_answer_may_be_no_longer_because_notes_are_recorded(
    tmp_path: Path, arena: Arena
) -> None:
    long = a_bot(tmp_path, "return 'U' * 8_000", name="player_a")
    job = a_job(arena.out, long, a_bot(tmp_path, "return 'UP'"))
    (without, saved) = (
        arena.referee.play(change_play(job, keep_notes=keeps)) for keeps in (False, True)
    )
    assert saved.teams[0].details == without.teams[0].details
    assert "over 4096 bytes" in str(saved.teams[0].details)


def record_notes(path: Path, notes: tuple[Note, ...], times: int) -> list[Any]:
    """The asides of a record in which team 1 notes the same again and again."""
    recorder = Recorder(GAME, a_spec(), BOTS, path)
    recorder.on_start(GAME.new(LIVELY, 2))
    for _ in range(times):
        recorder.on_notes(Ask(1, 7), notes)
    recorder.on_notes(Ask(2, 8), notes[:1])
    recorder.close()
    return Replay(path).asides


def test_a_match_keeps_so_much_of_each_team_and_notes_once_that_more_is_missing(
    tmp_path: Path,
) -> None:
    notes = tuple(Words(1.5, 1.5, "x" * 70) for _ in range(MAX_NOTES_PER_ASK))
    asides = record_notes(tmp_path / REPLAY, notes, 2 * MATCH_BYTES // 16_000)
    first, last = asides[:-2], asides[-2:]
    assert 0.98 * MATCH_BYTES < len(msgspec.json.encode(first)) <= MATCH_BYTES + 1_000
    assert not any(aside.is_last for aside in first)
    assert last == [NotesAside(0, 1, 7, is_last=True), NotesAside(0, 2, 8, notes[:1])]


def test_the_public_replay_of_a_match_has_no_drawings(tmp_path: Path, arena: Arena) -> None:
    job = a_job(arena.out, a_bot(tmp_path, DRAWS), a_bot(tmp_path, DRAWS, name="player_b"))
    replay = Replay(Path(arena.referee.play(change_play(job, keep_notes=True)).folder) / REPLAY)
    assert any(isinstance(aside, NotesAside) for aside in replay.asides)
    bots = tuple(Contestant(name=name, digest="") for name in ("one", "two"))
    public = PublicReplay(replay.spec, bots)
    public.add(PublicView(replay.game, replay.spec, 2).public_entries(replay.entries()))
    assert public.line_count > 0
    assert public.asides == []


def test_events_have_no_place_for_notes() -> None:
    assert not issubclass(NotesAside, Event)
