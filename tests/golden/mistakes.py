"""What is said of 90 mistakes, 45 in bots and 45 in commands, as a file that one can read.

`python3 -m tests.golden.mistakes --renew` writes it again.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from tests.cli.authors import Author, read_error

PROBLEM = re.compile("  FAIL  (?!plays|time |whole match)")
FILE = Path(__file__).with_name("mistakes.txt")
HEAD = "from engine.games.slime_mind.player import BasePlayer\n"
BODY = HEAD + "\n\nclass Player(BasePlayer):\n    def decide(self, slime):\n        {}\n"
BOTS = {
    "lower case": "return 'left'",
    "a word that is no order": "return 'WAIT'",
    "nearly an order": "return 'RIGTH'",
    "nothing": "pass",
    "a number": "return 3",
    "a list": "return ['LEFT']",
    "a tuple": "return 'LEFT', 'UP'",
    "a dictionary": "return {'order': 'LEFT'}",
    "a generator": "yield 'LEFT'",
    "a method that is not called": "return self.board.bite",
    "an object": "return slime",
    "bytes": "return b'LEFT'",
    "a name that there is not": "return order",
    "a name with a typing error": "slimes = 1\n        return slime.postion",
    "an attribute of None": "return self.board.nearest_plant(slime).x.y.z",
    "an index too far": "return ['LEFT'][1]",
    "a key that there is not": "return {}['LEFT']",
    "a division by zero": "return 1 // 0",
    "text and a number": "return 'LEFT' + 1",
    "a wrong number of arguments": "return self.board.nearest_plant()",
    "an argument that there is not": "return self.board.nearest_plant(slime, far=True)",
    "a call of text": "return 'LEFT'()",
    "a recursion without end": "return self.decide(slime)",
    "text below a number": "return 'LEFT' if 'a' < 1 else 'UP'",
    "sleep": "import time\n        time.sleep(2)\n        return 'LEFT'",
    "an exit": "raise SystemExit(3)",
    "an assertion": "assert slime.id < 0, 'not mine'",
    "an exception of its own": "raise RuntimeError('I give up')",
    "input": "return input('order: ')",
    "a file": "return open('notes.txt').read()",
    "a file to write": "open('notes.txt', 'w').write('x')\n        return 'LEFT'",
    "the network": "import socket as s\n        s.create_connection(('127.0.0.1', 9))",
    "a program": "import subprocess\n        return subprocess.check_output('ls')",
    "a thread": "import threading as t\n        t.Thread(target=print).start()",
}
FILES = {
    "an unclosed bracket": HEAD + "x = (1,\n",
    "a missing colon": HEAD + "class Player(BasePlayer)\n    pass\n",
    "a wrong indentation": BODY.format("x = 1\n          return 'LEFT'"),
    "tabs and blanks": BODY.format("x = 1\n\treturn 'LEFT'"),
    "no class": "def decide(slime):\n    return 'LEFT'\n",
    "another name of the class": BODY.format("return 'LEFT'").replace(
        "class Player(", "class Bot("
    ),
    "no decide": HEAD + "\n\nclass Player(BasePlayer):\n    pass\n",
    "a wrong import": "from engine.games.slime_mind.players import BasePlayer\n",
    "a missing package": "import pandas\n" + BODY.format("return 'LEFT'"),
    "an exception at import": HEAD + "SPEED = {}['fast']\n",
    "decide without self": BODY.format("return 'LEFT'").replace("(self, slime)", "(slime)"),
}
COMMANDS = (
    "chek player_good",
    "player_good",
    "check",
    "check player_god",
    "check nowhere/bot.py",
    "check empty",
    "check notes.txt",
    "check player_good --turns none",
    "check player_good --turns -4",
    "check player_good player_good",
    "-1 player_god",
    "-p player_good -p",
    "-o results",
    "-x",
    "--colour red",
    "--renderer none",
    "--render tv",
    "--seed seven",
    "--preset tiny",
    "--set rows",
    "--set rowz=20",
    "--set rows=many",
    "--set rows=-1",
    "--limit cpu=3",
    "--limit cpu_ms=fast",
    "-g chess",
    "-m 10",
    "-r multi_match -m 0",
    "-r many",
    "-j 0",
    "--match zzzz",
    "--continue zzzz",
    "--turn 5",
    "--config nowhere.toml",
    "--settings nowhere.toml",
    "--sandbox bubble",
    "--threads 4",
    "versus player_good",
    "versus player_good player_good --max-pairs 1",
    "versus player_good player_two --elo0 9 --elo1 3",
    "tune player_good --param speed=1..2",
    "tournament player_good",
    "tournament --format swis",
    "report spring",
    "ask player_good",
)


def find_messages(author: Author) -> Iterator[str]:
    """Yield what is said of each mistake: the mistake, and the lines of the message."""
    author.bot("player_good.py", BODY.format("return 'LEFT'"))
    author.bot("player_two.py", BODY.format("return 'UP'"))
    (author.home / "empty").mkdir()
    (author.home / "notes.txt").write_text("to do\n")
    sources = {name: BODY.format(body) for name, body in BOTS.items()} | FILES
    for name, source in sources.items():
        author.bot("player_mine.py", source)
        yield f"a bot with {name}\n{_read_problem(author)}"
    for command in COMMANDS:
        done = author.run("-q", *command.split())
        text = read_error(done) if done.exit_code else done.output
        yield f"{command}\n{_clean(author, done.stderr or text)}"


def _read_problem(author: Author) -> str:
    """Return what `check` says of the first thing that is wrong with the bot."""
    short = ("--preset", "small", "--turns", "1", "--limit", "cpu_ms=200", "--limit", "wall_ms=600")
    text = _clean(author, author.run("check", "player_mine", *short).output)
    lines = text.splitlines()
    wrong = [n for n, line in enumerate(lines) if PROBLEM.match(line)]
    first = wrong[0] if wrong else 0
    inner = takewhile(lambda line: line.startswith("     "), lines[first + 1 :])
    return "\n".join([lines[first], *inner])


def _clean(author: Author, text: str) -> str:
    """Return a text without what differs from run to run."""
    text = re.sub(r"\d+(\.\d+)? (us|ms|s)\b", "N \\2", text.replace(str(author.home), "HOME"))
    text = re.sub(r"0x[0-9a-f]{8,}", "0x...", text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def record() -> str:
    """Return all messages."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        text = "\n\n".join(find_messages(Author(Path(folder), patch)))
        os.chdir(before)
    return f"{text}\n"


if __name__ == "__main__":
    if sys.argv[1:] != ["--renew"]:
        sys.exit("expected: python3 -m tests.golden.mistakes --renew")
    FILE.write_text(record(), encoding="utf-8")
