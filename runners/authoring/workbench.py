"""An author's bots in their seats, asked about recorded turns, and their orders in words."""

from collections.abc import Callable, Container, Generator, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from engine.bots.finding import Bot, Copies
from engine.fault import Fault
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.reading import Replay
from engine.replays.recorded_asks import RecordedAnswer, RecordedAsks, as_data
from engine.replays.resuming import require_played_so
from engine.support.sanitizing import one_line
from runners.planning import make_contestant

MAX_ORDER_LENGTH = 160
"""The longest order that is shown whole."""
MAX_SHOWN_PARTS = 8
"""The parts in which two orders differ that are shown."""


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
        job = self._make_job(bot, question, packages)
        with TemporaryDirectory(prefix="slime-mind-") as name:
            folder = Path(name)
            with closing(self.referee.make_seat(job, question.team, folder)) as seat:
                asks = RecordedAsks(question.replay, seat, question.team, before_ask)
                yield from asks.read_answers(
                    question.turns, is_fresh=question.is_fresh, pieces=question.pieces
                )
            for log in folder.glob("*.log"):
                on_log(log.read_text(encoding="utf-8", errors="replace"))

    def _make_job(self, bot: Bot, question: Question, packages: tuple[str, ...]) -> Job:
        """Return the recorded match with this bot in the seat."""
        Copies(self._out / "bots").save(bot)
        replay, place, contestant = question.replay, question.team - 1, make_contestant(bot)
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


def order_texts(order: object) -> list[str]:
    """Return the words by which an order, or a part of it, is expected.

    `LEFT`; of a move with an offer `F1-G2`; of a sheet `place 7 6`, `evolve jump` and so on.
    """
    return list(_texts_in(as_data(order)))


def is_order(order: object) -> bool:
    """Return whether something was ordered: no fault, and no sheet without a line."""
    return type(order) is not Fault and bool(order_texts(order))


def in_words(order: object) -> str:
    """Return an order in a line: its text, or JSON; a fault with its cause and reason."""
    if type(order) is Fault:
        return one_line(f"{order.cause}: {order.detail}" if order.detail else order.cause)
    data = as_data(order)
    if isinstance(data, str):
        text = data
    else:
        text = one_line(", ".join(_texts_in(data))) or msgspec.json.encode(data).decode()
    return text if len(text) <= MAX_ORDER_LENGTH else f"{text[: MAX_ORDER_LENGTH - 1]}…"


def describe_difference(recorded: object, now: object) -> str:
    """Return what only one of two orders has, where both are long; '' where each is short."""
    if Fault in (type(recorded), type(now)):
        return ""
    before, after = order_texts(recorded), order_texts(now)
    if max(len(before), len(after)) <= 1:
        return ""
    less = [text for text in before if text not in after]
    more = [text for text in after if text not in before]
    sides = {"less": less, "more": more}
    parts = [f"{title}: {_first_texts(texts)}" for title, texts in sides.items() if texts]
    return "; ".join(parts) or "the same, in another order"


def _texts_in(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for name, value in data.items():
            if name != "type":
                yield from _texts_in(value)
    elif isinstance(data, list) and data and not any(isinstance(x, list | dict) for x in data):
        yield " ".join(map(str, data))
    elif isinstance(data, list):
        for value in data:
            yield from _texts_in(value)


def _first_texts(texts: list[str]) -> str:
    more = f" and {len(texts) - MAX_SHOWN_PARTS} more" if len(texts) > MAX_SHOWN_PARTS else ""
    return one_line(", ".join(texts[:MAX_SHOWN_PARTS])) + more
