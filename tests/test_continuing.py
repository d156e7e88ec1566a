"""`--continue`, as somebody uses it whose match was interrupted."""

import json
import os
import shutil
import signal
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

import bootstrap
from engine.catalog import GAMES
from engine.replays.decisions import Decision
from engine.replays.interrupted import recover
from engine.replays.reading import Replay
from tests import needs
from tests.engine.recorded import read_lines, write
from tests.shell import BOT, QUICK, SLEEPER, WALKER, Shell, eventually, finish, turns_in

DICE = "import random\n" + BOT.format("return random.choice(['LEFT', 'UP', 'RIGHT', 'DOWN'])")
MATCH = ("-1", "player_dice", "-2", "player_walker", "--preset", "small", "--seed", "4")
PATIENCE_S = 100


SHELL_BOTS = {"player_dice.py": DICE, "player_walker.py": WALKER}


def play(shell: Shell) -> Any:
    """A whole match."""
    return shell.json(*MATCH, "--set", "max_turns=30")


def cut(shell: Shell, result: Any, *, share: float = 0.5, forgets: bool = True) -> Path:
    """Leave what there would be of an interrupted match, as if it had never been played."""
    replay = Path(result["replay"])
    lines = read_lines(shell.home / replay)
    folder = shell.cut_off / result["key"]
    folder.mkdir(parents=True)
    path = write(folder / replay.name, lines[: int(share * len(lines))])
    if forgets:
        shutil.rmtree(shell.matches / result["key"])
    return path


def essence(result: Any) -> Any:
    """Return what is the same in every playing."""
    saved = ("key", "winner", "reason", "turns", "fingerprint", "spec")
    return [result[name] for name in saved], [team["score"] for team in result["teams"]]


@pytest.mark.parametrize(
    "named", ["not at all", pytest.param("key", marks=pytest.mark.slow), "file"]
)
def test_a_match_goes_on_to_the_result_it_would_have_had(shell: Shell, named: str) -> None:
    undisturbed = play(shell)
    replay = cut(shell, undisturbed)
    turn = Replay(replay).last_turn
    word = {"not at all": [], "key": [undisturbed["key"][:4]], "file": [str(replay)]}[named]
    result = shell.json("--continue", *word)
    assert essence(result) == essence(undisturbed)
    assert result["continued"] == {"turn": turn, "deviation": None}
    assert undisturbed["continued"] is None
    assert shell.interrupted_replays() == []
    assert shell.json("--match", result["key"])["first_fingerprint"] == undisturbed["fingerprint"]


def test_players_of_the_configuration_take_no_seat_of_a_recorded_match(shell: Shell) -> None:
    undisturbed = play(shell)
    cut(shell, undisturbed)
    (shell.home / "config.toml").write_text('[options]\nplayer_1 = "player_walker"\n')
    result = shell.json("--continue")
    assert essence(result) == essence(undisturbed)
    assert result["continued"]["deviation"] is None


def test_the_summary_says_that_it_went_on_and_whether_a_bot_has_changed_its_mind(
    shell: Shell,
) -> None:
    shell.bot("player_dice.py", DICE.replace("random.choice", "random.SystemRandom().choice"))
    result = play(shell)
    replay = cut(shell, result, forgets=False)
    turn = Replay(replay).last_turn
    done = shell.run("--continue", "-q", "--render", "none")
    assert done.code == 0, done
    assert f"  resumed    in turn {turn}; the recorded orders were used before\n" in done.out
    assert "         player_dice gave other answers now, first in turn " in done.out
    again = shell.home / "results/again" / result["key"] / "match.json"
    deviation = json.loads(again.read_text())["continued"]["deviation"]
    what = f"{deviation['now']}; recorded: {deviation['recorded']}"
    assert f" {deviation['turn']}: {what}\n" in done.out
    info = shell.run("--info", tool="replay.py")
    assert f"  was interrupted, and resumed in turn {turn}\n" in info.out


def test_a_match_that_goes_on_can_be_watched(shell: Shell) -> None:
    cut(shell, play(shell))
    done = shell.run("--continue", "--render", "terminal")
    assert (done.code, done.err) == (0, "")
    assert "turn 3 of 30" in done.out
    assert "turn 30 of 30" in done.out


# -- what cannot be resumed ---------------------------------------------------------------------


def test_a_complete_replay_has_nothing_to_continue(shell: Shell) -> None:
    replay = shell.json(*MATCH, *QUICK)["replay"]
    done = shell.run("--continue", replay)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: {replay}: is complete: there is nothing to continue\n"


def test_where_nothing_was_cut_off_that_is_said(shell: Shell) -> None:
    done = shell.run("--continue")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: results/interrupted: no interrupted match to resume\n"


def test_a_damaged_replay_is_refused(shell: Shell) -> None:
    replay = cut(shell, play(shell))
    content = bytearray(replay.read_bytes())
    content[len(content) // 2] ^= 255
    replay.write_bytes(content)
    done = shell.run("--continue", str(replay))
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"error: {replay.relative_to(shell.home)}: ")
    assert replay.exists()


def test_without_the_copies_of_its_bots_a_match_does_not_go_on(shell: Shell) -> None:
    replay = cut(shell, play(shell))
    shutil.rmtree(shell.home / "results/bots")
    done = shell.run("--continue")
    assert done.code == 2
    assert "no copy of a bot with digest" in done.err
    assert shell.interrupted_replays() == [replay]
    assert shell.half_written_folders() == []


CONTRADICTIONS = {
    ("--seed", "3"): "--seed would have no effect",
    ("-1", "player_walker"): "--player-1 would have no effect",
    ("--match", "abc"): "--match would have no effect",
    ("--set", "rows=3"): "--set would have no effect",
    ("-r", "multi_match"): "--runner would have no effect",
    ("-g", "smack"): "--game would have no effect",
    ("--turn", "3"): "needs --continue and --in-process",
}


def test_an_option_that_contradicts_the_record_is_refused(shell: Shell) -> None:
    replay = cut(shell, play(shell))
    for words, why in CONTRADICTIONS.items():
        done = shell.run("--continue", str(replay), *words)
        assert (done.code, done.out) == (2, ""), words
        assert why in done.err, words
        assert replay.exists(), words


def test_to_turn_back_takes_a_match_to_continue(shell: Shell) -> None:
    done = shell.run("--turn", "3", "--in-process")
    assert done.code == 2
    assert "--turn is for a bot's author, and needs --continue and --in-process" in done.err


# -- for authors ---------------------------------------------------------------------------------


def test_an_author_puts_another_bot_before_a_recorded_turn(shell: Shell) -> None:
    result = play(shell)
    shell.bot(
        "player_new.py", BOT.format("print('asked in', self.board.turn); breakpoint(); return 'UP'")
    )
    parts = ("--turn", "20", "--in-process", "-1", "player_new")
    environment = {**os.environ, "PYTHONBREAKPOINT": "builtins.print"}
    done = shell.run("--continue", result["replay"], *parts, env=environment)
    assert done.code == 0, done
    lines = done.out.splitlines()
    assert lines.index("asked in 1") + 1 == lines.index("asked in 1", lines.index("asked in 1") + 1)
    assert lines[lines.index("asked in 20") + 1] == "", "the breakpoint"
    assert "  resumed    in turn 20; the recorded orders were used before" in lines
    assert "player_new gave other answers now, first in turn" in done.out
    assert "played in process, stored separately" in done.out
    assert [path.name for path in shell.finished_matches()] == [result["key"]]


# -- killed --------------------------------------------------------------------------------------

SLOWED = """

import time as _time

def _slowed(method):
    def slow(*words):
        _time.sleep({})
        return method(*words)
    return slow

for _class in [thing for thing in vars().values() if isinstance(thing, type)]:
    if _class.__module__ == __name__:  # the player's, or that of one of its pieces
        for _name, _method in list(vars(_class).items()):
            if callable(_method) and hasattr(_class.__mro__[1], _name) and _name[0] != "_":
                setattr(_class, _name, _slowed(_method))
"""
"""A bot of any game ends with this: all that it is asked for takes a moment."""
SHORT = {
    "slime_mind": ("--preset", "small", "--set", "max_turns=60"),
    "smack": ("--preset", "varied", "--set", "ply_limit=60"),
    "game_of_death": ("--preset", "small", "--set", "max_turns=15"),
}
"""Settings of a short match, where the usual ones make a long one."""
KILLS = 3
LASTS_S = 3.0


def with_starters(shell: Shell, game: str, *, delay_s: float) -> tuple[str, ...]:
    """Return a command that plays two starter bots that do the same in the same match."""
    folder = Path("playerCode") / GAMES[game].bots
    slowed = SLOWED.format(delay_s)
    one, two = (
        shell.bot(str(folder / name), (bootstrap.HOME / folder / name).read_text() + slowed)
        for name in ("player_one.py", "player_base.py")  # every game has them
    )
    limits = ("--limit", "cpu_ms=60000", "--limit", "wall_ms=60000", "--limit", "bank_s=600")
    parts = ("-g", game, "-1", str(one), "-2", str(two), *limits, *SHORT.get(game, ()))
    return (*parts, "--seed", "5", "--json")


def orders_in(replay: Replay) -> int:
    return sum(len(entry.orders) for entry in replay.entries() if isinstance(entry, Decision))


@pytest.mark.variants(1, all=2)
@needs.PROC
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", [*GAMES])
def test_a_match_killed_again_and_again_comes_to_what_an_undisturbed_one_does(
    shell: Shell, game: str
) -> None:
    undisturbed = json.loads(
        finish(shell.start(*with_starters(shell, game, delay_s=0)), PATIENCE_S).out
    )
    whole = Replay(shell.home / undisturbed["replay"])
    slow = with_starters(shell, game, delay_s=LASTS_S / orders_in(whole))
    chance, came = Random(game), 0
    for number in range(KILLS):
        process = shell.start(*(("--continue", "--json") if number else slow))
        assert eventually(shell.has_recorded)
        sleep(chance.random() / 2)
        process.kill()
        assert finish(process, PATIENCE_S).code == -signal.SIGKILL, f"kill {number} came too late"
        assert eventually(lambda: not shell.processes())
        recover(shell.home / "results")
        (saved,) = shell.interrupted_replays()
        assert turns_in(saved) >= came
        came = turns_in(saved)
    assert 0 < came <= whole.last_turn
    done = finish(shell.start("--continue", "--json"), PATIENCE_S)
    assert (done.code, done.err) == (0, "")
    result = json.loads(done.out)
    assert result["continued"] == {"turn": came, "deviation": None}
    same = ("winner", "reason", "turns", "fingerprint")
    assert [result[name] for name in same] == [undisturbed[name] for name in same]
    assert [team["faults"] for team in result["teams"]] == [{}, {}]
    assert list(Replay(shell.home / result["replay"]).record()) == list(whole.record())
    assert shell.half_written_folders() == shell.interrupted_replays() == []


@pytest.mark.slow
@needs.PROC
def test_a_killed_match_is_told_of_once_by_the_next_command(shell: Shell) -> None:
    shell.bot("player_walker.py", SLEEPER)
    process = shell.start(*MATCH, "--set", "max_turns=1000")
    assert eventually(shell.has_recorded)
    process.kill()
    finish(process)
    assert eventually(lambda: not shell.processes())
    first, second = (shell.run(*MATCH, *QUICK) for _ in range(2))
    (saved,) = shell.interrupted_replays()
    text = f"to resume it: python3 main.py --continue {saved.parent.name}\n"
    assert first.err == f"a match was interrupted in turn {turns_in(saved)}; {text}"
    assert second.err == ""
