"""A bot that is asked in this process about a match that is played elsewhere."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from engine.bots.finding import BotReader, find_entry_file
from engine.bots.local_seat import LocalSeat
from engine.bots.process_seat import SeatConfig
from engine.bots.programs.manifest import MANIFEST
from engine.bots.programs.protocol import Start
from engine.catalog import find_game
from engine.errors import BadArgument, SlimeMindError, UsageError
from engine.fault import Fault
from engine.game import Ask
from engine.replays.reading import DAMAGE_ERRORS
from engine.streams import parse_seed
from engine.support.plain_values import require_whole
from engine.support.sanitizing import one_line


class BotFailed(SlimeMindError):
    """A bot has no answer, or cannot play at all: the message says why."""


class HostedBot:
    """A bot of one's own: it has neither limits nor a sandbox, and its prints are seen."""

    def __init__(self, path: Path, start: Mapping[str, object]) -> None:
        """`start`: the match as the protocol tells it (docs/protocol.md).

        Raises: BadBot if there is no such bot; UsageError; BotFailed if it cannot play.
        """
        with BotReader() as reader:
            bot = reader.read(path)
        if find_entry_file(bot.path).name == MANIFEST:
            raise UsageError(f"{path}: only bots in Python are hosted; others speak the protocol")
        with _raise_bad_argument("start"):
            decoded = msgspec.json.decode(msgspec.json.encode(start), type=Start)
            self._game = find_game(decoded.game)
            if self._game.rules_version != decoded.rules_version:
                raise UsageError(
                    f"this match is played by version {decoded.rules_version} of the rules of "
                    f"{self._game.title}, and these are version {self._game.rules_version}: "
                    "install the version of Slime Mind that the server has"
                )
            if not 1 <= decoded.team <= max(self._game.team_counts):
                raise ValueError(f"there is no team {decoded.team}")
            config = SeatConfig(
                name=bot.name,
                bot=find_entry_file(bot.path),
                is_own=True,
                log=Path(os.devnull),
                team=decoded.team,
                game=self._game.name,
                match_seed=parse_seed(decoded.seed),
                limits=decoded.limits,
            )
            self._team = decoded.team
            self._seat = LocalSeat(config, self._game)
            self._seat.prepare(msgspec.json.decode(decoded.state, type=self._game.state))
            fault = self._seat.start()
        if fault is not None:
            raise BotFailed(f"{bot.name} cannot play: {fault.detail or fault.cause}")

    def answer(self, ask: Mapping[str, object]) -> object:
        """Return what the bot answers to an ask of the protocol with `events`.

        Raises: BotFailed, and its traceback was printed; BadArgument for another match's message.
        """
        with _raise_bad_argument("ask"):
            events = msgspec.json.encode(ask["events"])
            for event in msgspec.json.decode(events, type=list[self._game.event]):  # type: ignore[name-defined]
                self._seat.notify(event)
            self._seat.put(Ask(self._team, require_whole(ask["piece"], "piece")), ask.get("view"))
        answer = self._seat.take()
        if isinstance(answer, Fault):
            raise BotFailed(f"{answer.cause}: {answer.detail}")
        return answer


@contextmanager
def _raise_bad_argument(what: str) -> Iterator[None]:
    """Raise a BadArgument for whatever a message that no server wrote may lead to."""
    try:
        yield
    except DAMAGE_ERRORS as error:
        message = one_line(repr(error))[:200]
        raise BadArgument(f"{what}: is not a message of this match: {message}") from error
