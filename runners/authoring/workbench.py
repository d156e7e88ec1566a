"""An author's bots in their seats: asked about recorded turns, without playing on."""

from collections.abc import Callable, Container, Generator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from engine.bots.finding import Bot, Copies
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.reading import Replay
from engine.replays.recorded_asks import RecordedAnswer, RecordedAsks
from engine.replays.resuming import require_played_so
from runners.planning import contestant_of


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot is asked: the decisions of a team in some turns of a recorded match."""

    replay: Replay
    team: int
    turns: range
    pieces: Container[int] | None = None
    """The pieces that are asked about; None: all of them."""
    is_fresh: bool = False
    """Whether the bot begins in the first of these turns, instead of the first of the match."""


class Workbench:
    """Seats bots one after the other; a process that starts them is shared. As a context."""

    def __init__(self, out: Path, play: PlayOptions) -> None:
        """`out` gets copies of the bots."""
        self._out = out
        self._play = msgspec.structs.replace(play, keep_replay=True, keep_notes=True)
        self._verified: set[Path] = set()
        self.referee = Referee(out)

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *about: object) -> None:
        self.referee.close()

    def ask(
        self,
        bot: Bot,
        question: Question,
        *,
        packages: tuple[str, ...] = (),
        before_ask: Callable[[str], object] = lambda place: None,
        on_log: Callable[[str], object] = lambda text: None,
    ) -> Generator[RecordedAnswer, None, None]:
        """Yield what a bot orders now; `on_log` then gets what it printed.

        Raises: BadReplay, BadBot, EngineFailure.
        """
        if question.replay.path not in self._verified:
            require_played_so(question.replay, None)
            self._verified.add(question.replay.path)
        job = self._job(bot, question, packages)
        with TemporaryDirectory(prefix="slime-mind-") as name:
            folder = Path(name)
            with closing(self.referee.seat(job, question.team, folder)) as seat:
                asks = RecordedAsks(question.replay, seat, question.team, before_ask)
                yield from asks.answers(
                    question.turns, is_fresh=question.is_fresh, pieces=question.pieces
                )
            for log in folder.glob("*.log"):
                on_log(log.read_text(encoding="utf-8", errors="replace"))

    def _job(self, bot: Bot, question: Question, packages: tuple[str, ...]) -> Job:
        """Return the recorded match with this bot in the seat."""
        Copies(self._out / "bots").keep(bot)
        replay, place, contestant = question.replay, question.team - 1, contestant_of(bot)
        contestants = list(replay.bots)
        contestants[place] = contestant
        digests = tuple(each.digest for each in contestants)
        allowed = tuple(sorted({*replay.spec.packages, *packages}))
        return Job(
            spec=msgspec.structs.replace(replay.spec, bots=digests, packages=allowed),
            contestants=tuple(contestants),
            play=self._play,
            own_files={contestant: bot.path} if self._play.in_process else {},
        )
