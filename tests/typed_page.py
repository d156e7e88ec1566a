"""A page of the documents and a folder in which its commands are typed."""

import os
import re
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

from runners.configuration import HOME
from tests.document_blocks import find_blocks, split_command
from tests.shell import Done, Shell, finish
from tests.template import link_all

CONFIG = '[options]\nrender = "none"\njobs = 1\n'
SHORT = {
    "slime_mind": "max_turns=6",
    "smack": "ply_limit=6",
    "smac": "victory_from_turn=3",
    "game_of_death": "max_turns=30",
}
"""Settings typed besides, with which matches take no time."""
PLAYING = re.compile(r"(-r|-1|-g|--preset|versus|tune|fairness)\b|$")
"""How commands begin that play matches whose settings can be typed."""
BESIDE = {
    "-r multi_match": ("-m", "2"),
    "versus": ("--max-pairs", "2"),
    "tune": ("--iterations", "1", "--pairs", "1"),
    "fairness": ("--pairs", "2"),
    "-r tournament": ("--pairs", "1"),
    "--config spring.toml": ("--pairs", "1", "--set", SHORT["slime_mind"]),
    ".gif": ("--fps", "2", "--size", "320x240", "--to", "3"),
    ".mp4": ("--fps", "2", "--size", "320x240", "--to", "3"),
}
"""Options typed besides, which make a command short."""
SERVING = re.compile(r"main\.py (serve|play)\b")
"""What runs until it is ended: it is started at a free port, and ended with its page."""
DAY = re.compile(r"20\d\d-\d\d-\d\d")
TURN = re.compile(r"(?<=--turn )\d+|(?<=--print )\d+|(?<=--turns )\d+-\d+")
UNDECIDED = 4
"""The exit code of a sequential test that ended before it decided."""
README = HOME / "README.md"
ARMY = HOME / "playerCode" / "game_of_death" / "player_base.py"


class TypedPage:
    """Types commands one after another; keeps those that failed."""

    def __init__(self, home: Path) -> None:
        self.shell = Shell(home)
        link_all(HOME / "playerCode", home / "playerCode")
        self._write_bot()
        (home / "config.toml").write_text(CONFIG, encoding="utf-8")
        self.failed: dict[str, Done] = {}
        first = self.shell.run("-1", "player_mine", "-2", "player_two", "--seed", "1")
        assert first.code == 0, first
        (self._replay,) = home.glob("results/matches/*/replay.jsonl.gz")

    def type(self, command: str) -> None:
        program, *words = split_command(self._fill_placeholders(command))
        if program == "cp":
            source, target = (self.shell.home / name for name in words)
            target.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
        elif SERVING.search(command):
            self._serve(command, words)
        else:
            self._run(command, words)

    def _seed_hash(self) -> str:
        done = self.shell.run(str(self._replay), "--verify", tool="replay.py")
        *_, found = re.finditer(r"\b[0-9a-f]{64}\b", done.out)
        return found[0]

    def _new_folder(self) -> tuple[str, str]:
        """Return where no other game is kept that could be resumed."""
        return "--out", str(self.shell.home / f"game_{len(list(self.shell.home.iterdir()))}")

    def _write_bot(self) -> None:
        """Write the bot that pages call `player_mine`, with all numbers that they tune."""
        (bot,) = [block.text for block in find_blocks(README) if block.language == "python"]
        more = '"hunt_level": 5, "aggression": 0.5, "reach": 3'
        self.shell.bot("player_mine.py", bot.replace('"hunt_level": 5', more))
        other = self.shell.home.parent / "theirs" / "bot.py"
        other.parent.mkdir(exist_ok=True)
        other.write_text(bot, encoding="utf-8")
        self.shell.bot("playerCode/game_of_death/player_mine.py", ARMY.read_text(encoding="utf-8"))

    def _fill_placeholders(self, command: str) -> str:
        """Return a command with what its placeholders stand for, and days that are to come."""
        soon = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
        key = self._replay.parent.name
        for word, value in (
            (r"\bFILE2?\b|results/matches/\w+/replay\.jsonl\.gz|\b3f9a\b", str(self._replay)),
            (r"\bKEY\b", key),
            (r"\bHASH\b", self._seed_hash() if "HASH" in command else ""),
            (r"--from \d+", "--from 1"),
            (r"\bBOT\b", "playerCode/game_of_death/player_one.py"),
            (r"0x\.\.\.", "0x7142e8440f672bf301931c4e238e7abe"),
        ):
            command = re.sub(word, value, command)
        return TURN.sub(lambda turn: "2-3" if "-" in turn[0] else "2", DAY.sub(soon, command))

    def _run(self, command: str, parts: list[str]) -> None:
        tool, *others = parts[: parts.index(">")] if ">" in parts else parts
        typed = " ".join(others)
        beside = [word for part, more in BESIDE.items() if part in typed for word in more]
        if "--highlights" in typed:
            beside = beside[: beside.index("--to")]  # it chooses its turns
        if PLAYING.match(typed) and tool == "main.py":
            game = others[others.index("-g") + 1] if "-g" in others else "slime_mind"
            beside += ["--set", SHORT[game]]
        if others[:1] == ["new"]:
            (self.shell.home / "playerCode" / f"player_{others[1]}.py").unlink(missing_ok=True)
        done = self.shell.run(*others, *beside, tool=tool)
        is_undecided = others[:1] == ["versus"] and done.code == UNDECIDED
        if done.code and not is_undecided:
            self.failed[command] = done
        if others[:1] == ["new"]:
            self._write_bot()

    def _serve(self, command: str, parts: list[str]) -> None:
        tool, *others = parts
        beside = ["--port", "0"] if others[0] == "serve" else ["--no-browser", *self._new_folder()]
        process = self.shell.start(*others, *beside, tool=tool)
        assert process.stdout is not None
        printed = ""
        for line in process.stdout:
            printed += line
            if "Ctrl-C" in line:
                break
        os.killpg(process.pid, signal.SIGINT)
        done = finish(process)
        if "Ctrl-C" not in printed:
            self.failed[command] = Done(done.code, printed, done.err)
