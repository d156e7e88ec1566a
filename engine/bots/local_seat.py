"""A seat without a process, for trusted bots, which share neither modules nor random sources.

It has no deadline, no limits and no restarts; the bot still has a board, random sources and
modules of its own.
"""

import bdb
import random
import sys
import time
from array import array
from collections import Counter
from pathlib import Path
from types import ModuleType, TracebackType

import msgspec

from engine.bot_modules import is_folder, is_own_module
from engine.bot_output import read_notes
from engine.bot_output_api import NoteTaker
from engine.bots.hosting import make_host
from engine.bots.loading import CannotStart, find_cause, in_words, own_frames
from engine.bots.process_seat import SeatConfig, too_long
from engine.bots.wire import REPLY_OVERHEAD, NotPlain, to_plain_value
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, Event, Host, State
from engine.seat import Seat
from engine.streams import derive_seed, seed_words
from engine.support.sanitizing import one_line
from engine.support.wording import times_in_words

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode
BOT_MODULE_NAME = "bot"
"""The name of a bot's module, as in a worker, whose copy has that name."""


class LeftDebugger(KeyboardInterrupt):
    """A bot's author has typed `q` in the debugger, which ends the whole match."""


class ModuleIsolation:
    """A context in which a bot finds the modules and the random sources of a worker of its own."""

    def __init__(self, entry: Path, seed: int) -> None:
        """`entry` is the path to load."""
        import numpy  # not above: an engine whose bots have their own processes needs none

        self._entry = entry
        self._folders = [str(entry.parent)] if is_folder(entry) else []
        self._modules: dict[str, ModuleType] = {}
        self._known = _modules_mark()
        self._sources = (
            RandomSource(random, random.Random(seed)),
            RandomSource(numpy.random, numpy.random.RandomState(seed_words(seed))),
        )

    def __enter__(self) -> None:
        sys.modules.update(self._modules)
        sys.path.extend(self._folders)
        self._known = _modules_mark()
        for source in self._sources:
            source.install()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for source in self._sources:
            source.uninstall()
        if _modules_mark() != self._known:
            self._modules = {
                name: module
                for name, module in sys.modules.items()
                if is_own_module(module, self._entry)
            }
        for name in self._modules:
            sys.modules.pop(name, None)
        for folder in self._folders:
            while folder in sys.path:
                sys.path.remove(folder)


def _modules_mark() -> tuple[int, str]:
    """Return what changes when a module is imported, without looking at all of them."""
    return len(sys.modules), next(reversed(sys.modules))


class RandomSource:
    """The functions of a module that all draw from one hidden generator, drawing from another.

    Exchanging the functions takes a microsecond, exchanging the generator's state a hundred.
    """

    def __init__(self, module: ModuleType, generator: object) -> None:
        hidden = module.random.__self__
        self._names = vars(module)
        self._usual = {
            name: function
            for name, function in self._names.items()
            if getattr(function, "__self__", None) is hidden
        }
        self._own = {name: getattr(generator, name) for name in self._usual}

    def install(self) -> None:
        self._names.update(self._own)

    def uninstall(self) -> None:
        self._names.update(self._usual)


class LocalSeat(Seat):
    """One bot in this process. Its prints and breakpoints reach the terminal."""

    def __init__(self, config: SeatConfig, game: AnyGame) -> None:
        self.config = config
        self.call_us: array[int] = array("I")
        self._game = game
        self._source: State | None = None
        self._state: State
        self._host: Host | None = None
        self._notes = NoteTaker(is_kept=True)
        self._news: list[Event] = []
        self.notify = self._news.append
        self._isolation = self._new_place()
        self._ask: tuple[int, object] = (0, None)
        self._reports: Counter[str] = Counter()
        """How often each traceback came; it is shown once."""

    def prepare(self, state: State) -> None:
        self._source = state

    def start(self) -> Fault | None:
        """Make the player on the present board; return why it cannot play, if so."""
        self._start()
        self._news.clear()
        return self.out

    def put(self, ask: Ask, view: object) -> None:
        if self._host is None and self.out is None:
            self._start()
        elif self._host is not None:
            for event in self._news:
                self._state.apply(event)
        self._news.clear()
        self._ask = (ask.piece_id, view)

    def take(self) -> object:
        if self._host is None:
            return self.out
        with self._isolation:
            began = time.thread_time_ns()
            try:
                answer = self._host.decide(*self._ask)
            except bdb.BdbQuit:
                raise LeftDebugger from None
            except (Exception, SystemExit) as error:
                self._show(own_frames(error, self.config.bot, self._display_name))
                return Fault(find_cause(error, Cause.EXCEPTION), self._error_text(error))
            finally:
                self.call_us.append((time.thread_time_ns() - began) // 1_000)
                noted = bytes(self._notes.take())
                self.notes = read_notes(noted) if self.config.keeps_notes else ()
            try:  # what a worker could not send is no answer here either
                line = encode(to_plain_value(answer))
                if len(line) > self.config.limits.answer_bytes + REPLY_OVERHEAD:
                    return too_long(self.config.limits)
                return decode(line)
            except NotPlain as error:
                return Fault(Cause.UNREADABLE, one_line(error))
            except Exception as error:
                return Fault(
                    Cause.UNREADABLE, f"an answer cannot be sent: {self._error_text(error)}"
                )

    def close(self) -> None:
        """Say what was not shown again."""
        for report, count in self._reports.items():
            if count > 1:
                last = report.rstrip().rpartition("\n")[2]
                times = times_in_words(count - 1)
                sys.stderr.write(f"{self.config.name}: repeated {times}: {last}\n")
        self._reports.clear()

    def restore(self, restarts: int, out: Fault | None) -> None:
        """Be as after a recorded fault: a player that was replaced then is replaced now."""
        if self.restarts < restarts:
            self.restarts = restarts
            self._host, self._isolation = None, self._new_place()
        if out is not None:
            self._host, self.out = None, out

    def _new_place(self) -> ModuleIsolation:
        config = self.config
        seed = derive_seed(config.match_seed, f"bot/{config.team}/{self.restarts}")
        return ModuleIsolation(config.bot, seed)

    def _start(self) -> None:
        self._state = msgspec.json.decode(encode(self._source), type=self._game.state)
        try:
            with self._isolation:
                self._host = self._make_host()
        except CannotStart as problem:
            if isinstance(problem.__cause__, KeyboardInterrupt):
                raise problem.__cause__ from None  # the user's wish, and no bot's fault
            if isinstance(problem.__cause__, bdb.BdbQuit):
                raise LeftDebugger from None
            self._show(problem.report)
            self.out = Fault(problem.cause, one_line(problem.detail))

    def _make_host(self) -> Host:
        config = self.config
        return make_host(
            self._game,
            self._state,
            config.bot,
            self._display_name,
            team=config.team,
            limits=config.limits,
            notes=self._notes,
            module_name=BOT_MODULE_NAME,
        )

    @property
    def _display_name(self) -> str:
        """Return the shown name: of a copy the bot's name, of its author's own file the path."""
        return str(self.config.bot) if self.config.is_own else self.config.name

    def _show(self, report: str) -> None:
        """Print a traceback; one that came before is only counted."""
        self._reports[report] += 1
        if self._reports[report] == 1:
            sys.stderr.write(report)

    def _error_text(self, error: BaseException) -> str:
        return one_line(in_words(error, self.config.bot, self._display_name))
