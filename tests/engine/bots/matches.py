"""Small real matches between bots written for a test, and what they must not leave behind."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from engine.bots.finding import Copies, read_bot
from engine.bots.launching import Launcher, Process
from engine.bots.log import open_log
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.bots.process_start import Needs, as_engine_failure
from engine.bots.sandbox import Level
from engine.catalog import find_game
from engine.fault import Cause, Fault
from engine.game import Ask
from engine.games.slime_mind.settings import Settings
from engine.limits import Limits
from engine.observer import Observer
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.spec import MatchSpec
from engine.streams import Streams

QUICK = Limits(cpu_ms=40, wall_ms=1_000, load_ms=500, max_restarts=1, memory_mb=128)
"""Short budgets, so that what hangs is soon over."""
LENIENT = Limits(cpu_ms=1_000, wall_ms=10_000, load_ms=30_000)
"""No honest bot is late, however busy this machine is."""
DUEL = Settings(
    columns=6, rows=4, max_turns=3, slime_pairs=1, plant_pairs=0, rock_pairs=0, min_split_level=12
)
"""One slime each, and as many rounds of each as turns."""
GAME = find_game("slime_mind")

BOT = """
{top}
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
{decide}
"""


def a_bot(folder: Path, decide: str, *, top: str = "", name: str = "player_test") -> Path:
    """A file with a bot whose method `decide` is these lines."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    lines = indent(dedent(decide).strip(), " " * 8)
    path.write_text(BOT.format(top=dedent(top).strip(), decide=lines), encoding="utf-8")
    return path


def a_job(
    out: Path,
    *bots: Path,
    limits: Limits = LENIENT,
    settings: Settings = DUEL,
    seed: int = 1,
    **play: Any,
) -> Job:
    """A match between copies of these bots, played so: `in_process=True`."""
    found = [read_bot(path) for path in bots]
    for bot in found:
        Copies(out / "bots").save(bot)
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=settings,
        limits=limits,
        bots=tuple(bot.digest for bot in found),
        seed=seed,
    )
    contestants = tuple(
        Contestant(name=bot.name, digest=bot.digest, origin=bot.origin or UNSET) for bot in found
    )
    return Job(spec=spec, contestants=contestants, play=PlayOptions(**play))


def change_play(job: Job, **changes: Any) -> Job:
    """The same match, played otherwise: `keep_notes=True`."""
    return replace(job, play=replace(job.play, **changes))


class Arena:
    """A referee with its results folder."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.referee = Referee(out)

    def play(self, *bots: Path, observers: Sequence[Observer] = (), **words: Any) -> MatchResult:
        """A match between these bots; other words are those of `a_job`."""
        return self.referee.play(a_job(self.out, *bots, **words), observers)

    def log(self, result: MatchResult, team: int = 1) -> str:
        """Return what a bot's log holds; empty if there is none."""
        name = result.teams[team - 1].bot.name
        path = Path(result.folder) / f"{team}-{name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


class Orders(Observer):
    """What each team ordered, round by round: a command or a Fault."""

    def __init__(self) -> None:
        self.of: dict[int, list[Any]] = {1: [], 2: []}

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        for ask, order in zip(asks, orders, strict=True):
            self.of[ask.team].append(order)

    def faults(self, team: int = 1) -> list[Fault]:
        return [order for order in self.of[team] if isinstance(order, Fault)]


def open_descriptors(pid: int | str = "self") -> list[str]:
    """Return what a process holds open."""
    return sorted(f"{link.name}: {target}" for link, target in _descriptors(pid))


def find_holders(logs: Collection[int]) -> list[int]:
    """The other processes that hold one of these logs open, as workers and their children do."""
    return [pid for pid in _processes() if pid != os.getpid() and _holds(pid, logs)]


def find_children(parent: int) -> list[int]:
    """Its children, dead ones that nobody reaped included."""
    found = []
    for pid in _processes():
        try:
            after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(after_name[1]) == parent:
            found.append(pid)
    return found


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _holds(pid: int, logs: Collection[int]) -> bool:
    memory = [link for link, target in _descriptors(pid) if target.name.startswith("memfd:")]
    with suppress(OSError):  # closed meanwhile
        return any(link.stat().st_ino in logs for link in memory)
    return False


def _descriptors(pid: int | str) -> Iterator[tuple[Path, Path]]:
    with suppress(OSError):  # gone, or another user's
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                yield link, link.readlink()


def launch(launcher: Launcher, folder: Path) -> Process:
    """A worker that was told nothing yet."""
    with as_engine_failure(), open_log() as log:
        return launcher.launch(log.fileno(), Needs((folder,), QUICK.memory_mb))


class Table:
    """A seat by itself: a board with one slime of each team, and asks for team 1."""

    def __init__(
        self,
        launcher: Launcher,
        bot: Path,
        *,
        limits: Limits = LENIENT,
        settings: Settings = DUEL,
        seed: int = 1,
        level: Level = Level.DEFAULT,
    ) -> None:
        home = bot.parent
        copies = Copies(home / "bots")
        self.log = home / f"{bot.stem}.log"
        self.config = SeatConfig(
            name=bot.stem,
            bot=copies.save(read_bot(bot)),
            log=self.log,
            team=1,
            game=GAME.name,
            match_seed=seed,
            limits=limits,
            level=level,
        )
        self.board = GAME.new(settings, 2)
        for event in GAME.start(self.board, Streams(seed)):
            self.board.apply(event)
        self.slime = next(slime for slime in self.board.slimes.values() if slime.team == 1)
        self.seat = ProcessSeat(self.config, launcher)
        self.seat.prepare(self.board)

    def ask(self) -> Any:
        self.seat.put(Ask(1, self.slime.id), None)
        return self.seat.take()

    def cause(self) -> Cause:
        """Ask, and expect a fault."""
        fault = self.ask()
        assert isinstance(fault, Fault), fault
        return fault.cause

    def happen(self, event: Any) -> None:
        self.board.apply(event)
        self.seat.notify(event)

    @property
    def pid(self) -> int:
        process: Any = self.seat._process
        return int(process.pid)
