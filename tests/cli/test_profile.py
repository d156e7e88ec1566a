"""`main.py profile`: where a bot's time goes."""

import json
import signal
import xml.etree.ElementTree as ET

from engine.replays.reading import Replay
from runners.authoring.profile import Function, Sampler, Stack, export_speedscope, flame_svg
from tests import needs
from tests.cli.authors import QUICK, Author, read_error
from tests.shell import BOT, WALKER

BUSY = (
    BOT.format("return work()")
    + """

def work():
    for _ in range(40_000):
        pass
    return "LEFT"
"""
)
SVG = "{http://www.w3.org/2000/svg}"
SHORT = QUICK[:-2]
"""It shows no match."""


def function(name: str, *, is_own: bool = True) -> Function:
    return Function(name=name, file="bot.py", line=1, is_own=is_own)


STACKS: dict[Stack, int] = {
    (function("decide"),): 1,
    (function("decide"), function("<b>&", is_own=False)): 3,
}


def test_the_function_that_takes_the_time_stands_first(author: Author) -> None:
    author.bot("player_busy.py", BUSY)
    author.bot("player_walker.py", WALKER)
    found = author.json(*SHORT, "profile", "player_busy")
    assert found["functions"][0]["function"]["name"] == "work"
    assert found["functions"][0]["self_share"] > 0.5
    assert found["opponent"] == "player_one", "the weakest starter bot, whatever lies beside it"
    assert sum(turn["calls"] for turn in found["by_turn"]) == found["cpu"]["calls"]
    assert found["slowest"][0]["us"] == found["cpu"]["max_us"]
    texts = ET.parse(author.home / found["flame_graph"]).getroot().iter(f"{SVG}title")
    assert any(str(title.text).startswith("work (player_busy.py, line ") for title in texts)


def test_the_slowest_positions_are_ready_to_be_asked(author: Author) -> None:
    author.bot("player_busy.py", BUSY)
    out = author.ok(*SHORT, "profile", "player_busy", "--turns", "3")
    (command,) = [line for line in out.splitlines() if "--match" in line][:1]
    arguments = command.split(" ask ")[1].split()
    assert "the same: LEFT" in author.ok("ask", *arguments)
    assert Replay(author.home / "results/profiles/player_busy/replay.jsonl.gz").last_turn <= 4


def test_a_flame_graph_can_be_for_speedscope(author: Author) -> None:
    author.bot("player_busy.py", BUSY)
    author.ok(*SHORT, "profile", "player_busy", "--turns", "2", "--flame", "x/flame.json")
    found = json.loads((author.home / "x" / "flame.json").read_text())
    assert found["profiles"][0]["unit"] == "microseconds"


def test_a_box_is_as_wide_as_its_time_and_names_are_no_markup() -> None:
    root = ET.fromstring(flame_svg("a & b", STACKS, 4_000))
    boxes = {
        str(group.findtext(f"{SVG}title")): float(group.find(f"{SVG}rect").attrib["width"])  # type: ignore[union-attr]
        for group in root.iter(f"{SVG}g")
    }
    assert boxes == {
        "decide (bot.py, line 1): 4.0 ms": 1179.5,
        "<b>& (bot.py, line 1): 3.0 ms": 884.5,
    }


def test_speedscope_has_the_time_of_every_stack() -> None:
    (found,) = export_speedscope("a", STACKS, 4_000)["profiles"]
    assert found["weights"] == [1_000.0, 3_000.0]
    assert found["samples"] == [[0], [0, 1]]


@needs.call("signal.setitimer")
def test_a_timer_of_somebody_else_goes_on_afterwards(author: Author) -> None:
    before, handler = signal.getitimer(signal.ITIMER_REAL), signal.getsignal(signal.SIGALRM)
    with Sampler(author.home / "bot.py").sample_during():
        pass
    after = signal.getitimer(signal.ITIMER_REAL)
    assert (after[0] > 0, after[1]) == (before[0] > 0, before[1])
    assert signal.getsignal(signal.SIGALRM) is handler


def test_what_cannot_be_profiled_is_told(author: Author) -> None:
    author.bot("player_bad.py", "class Player(:\n")
    author.bot("player_walker.py", WALKER)
    assert "syntax error" in read_error(author.run("profile", "player_bad"))
    arguments = (*SHORT, "profile", "player_walker", "--turns", "1", "--flame", "x.png")
    assert "a flame graph is a .svg, or a .json" in read_error(author.run(*arguments))
    assert "no bot 'nobody'" in read_error(author.run("profile", "nobody"))
