"""Bots without a process of their own play the same match as bots that have one."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from engine.bots.launching import new_launcher
from engine.bots.local_seat import LeftDebugger, LocalSeat
from engine.fault import Cause, Fault
from engine.game import Ask
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.matches import DUEL, GAME, Arena, Orders, Table, a_bot

DICE = """
word = random.choice(["UP", "DOWN", "LEFT", "RIGHT"][: numpy.random.randint(1, 5)])
return random.choice([word, FIRST])
"""
COUNTS = """
self.rounds = getattr(self, "rounds", 0) + 1
return [self.rounds, FIRST]
"""
COUNTS_TOP = """
import random

FIRST = random.random()
"""
DICE_TOP = """
import random

import numpy

FIRST = random.choice(["UP", "DOWN", "LEFT", "RIGHT"])
"""


OWN = ("bot", "near", "late")
"""Modules of the bots below."""


def a_folder(home: Path, word: str) -> Path:
    """A bot of several files that always says `word`, found in four ways."""
    (home / "inner").mkdir(parents=True)
    (home / "near.py").write_text(f"WORD = {word!r}\n")
    (home / "late.py").write_text(f"WORD = {word!r}\n")
    (home / "inner" / "__init__.py").write_text("")
    (home / "inner" / "deep.py").write_text("from ..near import WORD\n")
    (home / "__init__.py").write_text(
        "import near\n"
        "from engine.games.slime_mind.player import BasePlayer\n"
        "from .inner import deep\n"
        "class Player(BasePlayer):\n"
        "    def decide(self, slime):\n"
        "        import late\n"
        "        from . import late as later\n"
        "        words = {near.WORD, deep.WORD, late.WORD, later.WORD}\n"
        "        return words.pop() if len(words) == 1 else repr(words)\n"
    )
    return home


@pytest.mark.parametrize("seed", [1, 2])
def test_dice_roll_as_in_a_process(seed: int, arena: Arena, tmp_path: Path) -> None:
    bot = a_bot(tmp_path, DICE, top=DICE_TOP)
    fingerprints = {
        arena.play(bot, bot, seed=seed, in_process=local).fingerprint for local in (True, False)
    }
    assert len(fingerprints) == 1


def test_the_dice_of_whoever_runs_the_match_are_not_touched(arena: Arena, tmp_path: Path) -> None:
    bot = a_bot(tmp_path, DICE, top=DICE_TOP)
    random.seed(1)
    numpy.random.seed(1)
    expected = random.random(), numpy.random.random()
    random.seed(1)
    numpy.random.seed(1)
    arena.play(bot, bot, in_process=True)
    assert (random.random(), numpy.random.random()) == expected


@pytest.mark.parametrize("local", [True, False])
def test_two_bots_with_files_of_the_same_names_find_their_own(
    local: bool, arena: Arena, tmp_path: Path
) -> None:
    orders = Orders()
    one, two = a_folder(tmp_path / "one", "UP"), a_folder(tmp_path / "two", "DOWN")
    before = set(sys.modules), sys.path[:]
    result = arena.play(one, two, in_process=local, observers=[orders])
    assert result.faults == 0, [team.details for team in result.teams]
    assert orders.of == {1: ["UP"] * DUEL.max_turns, 2: ["DOWN"] * DUEL.max_turns}
    assert not {name for name in set(sys.modules) - before[0] if name.partition(".")[0] in OWN}
    assert sys.path == before[1]


@pytest.mark.variants(8)
@pytest.mark.parametrize(
    "name",
    [
        *("answers_a_huge_number", "answers_a_subclass", "answers_an_object", "answers_fly"),
        *("answers_half_a_letter", "answers_itself", "answers_nothing", "changes_a_piece"),
        *("exits_politely", "import_exits_politely", "init_forgets_the_base"),
        *("init_of_another_shape", "init_raises", "no_decide", "no_player"),
        *("player_is_a_function", "player_is_a_stranger", "raises", "raises_strange_words"),
        *("raises_without_words", "recurses", "syntax_error"),
    ],
)
def test_faults_are_named_as_in_a_process(name: str, arena: Arena, steady: Path) -> None:
    results = [arena.play(bad_bot_path(name), steady, in_process=local) for local in (True, False)]
    local, remote = ([team.faults for team in result.teams] for result in results)
    assert local == remote
    assert results[0].fingerprint == results[1].fingerprint


def test_an_answer_is_plain_data_as_in_a_process(arena: Arena, tmp_path: Path) -> None:
    """A Command is a word on the wire, and a legal order."""
    bot = a_bot(
        tmp_path, "return Command.UP", top="from engine.games.slime_mind.orders import Command"
    )
    assert [arena.play(bot, bot, in_process=local).faults for local in (True, False)] == [0, 0]


def test_a_bot_has_a_board_of_its_own(arena: Arena, tmp_path: Path, steady: Path) -> None:
    bot = a_bot(
        tmp_path,
        """
        self.board._board.settings = None
        self.board._board.plants.clear()
        return "UP"
        """,
    )
    assert arena.play(bot, steady, in_process=True).turns == DUEL.max_turns


@pytest.mark.parametrize("where", ["decide", "top"])
def test_control_c_ends_the_match(where: str, arena: Arena, tmp_path: Path) -> None:
    bot = a_bot(tmp_path, **{"decide": "pass", where: "raise KeyboardInterrupt"})
    with pytest.raises(KeyboardInterrupt):
        arena.play(bot, bot, in_process=True)


@pytest.mark.parametrize("where", ["decide", "top"])
def test_leaving_the_debugger_ends_the_match(where: str, arena: Arena, tmp_path: Path) -> None:
    bot = a_bot(tmp_path, **{"decide": "pass", where: "import bdb\nraise bdb.BdbQuit"})
    with pytest.raises(LeftDebugger):
        arena.play(bot, bot, in_process=True)


def test_prints_and_tracebacks_reach_the_terminal(
    arena: Arena, tmp_path: Path, steady: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = a_bot(tmp_path, "print('here', self.board.turn)\nraise ValueError('oops')")
    result: Any = arena.play(bot, steady, in_process=True)
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["here 1", "here 2", "here 3"]
    assert shown.err.count("Traceback") == 1
    assert shown.err.endswith("player_test: repeated 2 times: ValueError: oops\n")
    assert result.teams[0].faults == {Cause.EXCEPTION: DUEL.max_turns}


@pytest.mark.parametrize("module", ["engine.referee", "server.site.application"])
def test_an_engine_without_local_bots_and_an_idle_server_import_neither_numpy_nor_tables(
    module: str,
) -> None:
    large = {"numpy", "confusable_homoglyphs"}
    code = f"import sys, {module}; sys.exit(not {large}.isdisjoint(sys.modules))"
    root = Path(__file__).resolve().parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_what_a_recorded_fault_did_to_a_bot_is_done_to_it(tmp_path: Path) -> None:
    table = Table(new_launcher(), a_bot(tmp_path, COUNTS, top=COUNTS_TOP))
    seat = LocalSeat(table.config, GAME)
    seat.prepare(table.board)
    ask = Ask(1, table.slime.id)

    def answer() -> Any:
        seat.put(ask, None)
        return seat.take()

    first = answer()
    assert (first[0], answer()[0]) == (1, 2)
    seat.restore(1, None)
    seat.restore(1, None)
    again = answer()
    assert (again[0], answer()[0], seat.restarts) == (1, 2, 1)
    assert again[1] != first[1], "its dice are others"
    seat.restore(1, why := Fault(Cause.OUT, "why"))
    assert answer() == answer() == why
