"""What is played is what was checked: no bytecode, no file put beside it, no change in a series."""

import py_compile
import shutil
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from engine.bots.finding import Copies, read_bot
from engine.bots.forking import ForkLauncher
from engine.bots.local_seat import ModuleIsolation
from engine.errors import BadBot
from engine.games.slime_mind.player import BasePlayer
from engine.observer import Observer
from engine.support.staging import StagingFolder
from tests.engine.bots.matches import Arena, Orders, Table, a_bot
from tests.loaded_bots import load_player

UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH


def a_folder(home: Path) -> Path:
    """A bot that says what two modules of its own say."""
    (home / "inner").mkdir(parents=True)
    (home / "near.py").write_text("WORD = 'UP'\n")
    (home / "inner" / "__init__.py").write_text("")
    (home / "inner" / "deep.py").write_text("WORD = 'UP'\n")
    (home / "__init__.py").write_text(
        "import near\n"
        "from engine.games.slime_mind.player import BasePlayer\n"
        "from .inner import deep\n"
        "try:\n"
        "    import extra\n"
        "except ImportError:\n"
        "    extra = None\n"
        "class Player(BasePlayer):\n"
        "    def decide(self, slime):\n"
        "        return 'UP' if (near.WORD, deep.WORD, extra) == ('UP', 'UP', None) else 'FLY'\n"
    )
    return home


def put_bytecode_beside(copy: Path, beside: Path) -> None:
    """Bytecode that Python would run without looking at the source; some has no source at all."""
    wrong = beside / "wrong.py"
    wrong.write_text("WORD = 'FLY'\nraise SystemExit(9)\n")
    for source in list(copy.rglob("*.py")):
        cached = cache_from_source(str(source))
        py_compile.compile(str(wrong), cached, invalidation_mode=UNCHECKED)
    py_compile.compile(str(wrong), str(copy / "extra.pyc"), invalidation_mode=UNCHECKED)


def test_bytecode_beside_a_copy_is_not_run(launcher: ForkLauncher, tmp_path: Path) -> None:
    table = Table(launcher, a_folder(tmp_path / "player_many"))
    put_bytecode_beside(table.config.bot.parent, tmp_path)
    assert table.ask() == "UP"


def test_bytecode_is_not_run_in_our_process_either_nor_written(
    arena: Arena, steady: Path, tmp_path: Path
) -> None:
    bot, orders = a_folder(tmp_path / "player_many"), Orders()
    arena.play(bot, steady, observers=[orders], in_process=True)
    assert set(orders.of[1]) == {"UP"}
    entry = Copies(arena.out / "bots").find_path(read_bot(bot).digest)
    assert list(entry.parent.rglob("*.pyc")) == []
    put_bytecode_beside(entry.parent, tmp_path)
    with ModuleIsolation(entry, 1):
        player = load_player(entry, "player_many", BasePlayer)
        words = {vars(sys.modules[player.__module__])[name] for name in ("near", "deep", "extra")}
    assert {getattr(module, "WORD", None) for module in words} == {"UP", None}


class Changer(Observer):
    """Changes a file while a match is played."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def on_start(self, state: object) -> None:
        self._file.write_text("class Player: pass\n")


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    return a_bot(tmp_path / "bots", "return 'UP'")


@pytest.fixture
def table(tmp_path: Path) -> Arena:
    return Arena(tmp_path / "out")


def copy_folder(bot: Path, arena: Arena) -> Path:
    return arena.out / "bots" / read_bot(bot).digest


def finished_matches(arena: Arena) -> list[Path]:
    return list(arena.out.rglob("match.json"))


@pytest.mark.parametrize("change", ["bot.py", "helper.py", "__pycache__"])
def test_a_copy_changed_in_a_series_is_played_no_more(
    table: Arena, bot: Path, steady: Path, change: str
) -> None:
    table.play(bot, steady, seed=1)
    path = copy_folder(bot, table) / change
    path.write_text(f"{path.read_text()}# cheaper\n" if path.exists() else "")
    with pytest.raises(BadBot, match="was changed since it was copied; remove this folder"):
        table.play(bot, steady, seed=2)
    assert len(finished_matches(table)) == 1
    shutil.rmtree(path.parent)
    table.play(bot, steady, seed=2)
    table.referee.close()


def test_a_match_in_which_a_copy_is_changed_is_no_result(
    table: Arena, bot: Path, steady: Path
) -> None:
    table.play(bot, steady, seed=1)
    changer = Changer(copy_folder(bot, table) / "bot.py")
    with pytest.raises(BadBot, match="was changed while it was played"):
        table.play(bot, steady, seed=2, observers=[changer])
    assert len(finished_matches(table)) == 1
    assert [path.name for path in (table.out / "matches").glob(".*")] == []
    table.referee.close()


def test_half_a_copy_of_a_killed_process_is_cleared(tmp_path: Path) -> None:
    left = StagingFolder(tmp_path / "bots" / "0123456789abcdef")
    left.path.mkdir(parents=True)
    Arena(tmp_path)
    assert not left.path.exists()
