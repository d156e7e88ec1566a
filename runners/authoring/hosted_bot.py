"""A bot that is asked in this process about a match that is played elsewhere."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.bots.finding import BotReader, entry_of
from engine.bots.local_seat import LocalSeat
from engine.bots.process_seat import SeatConfig
from engine.bots.programs.manifest import MANIFEST
from engine.catalog import game_named
from engine.errors import SlimeMindError, UsageError
from engine.fault import Fault
from engine.game import Ask
from engine.limits import Limits
from engine.streams import parse_seed


class BotFailed(SlimeMindError):
    """A bot has no answer, or cannot play at all: the message says why."""


class HostedBot:
    """A bot of one's own: it has neither limits nor a sandbox, and its prints are seen."""

    def __init__(self, path: Path, start: Mapping[str, Any]) -> None:
        """`start`: the match as the protocol tells it (docs/protocol.md).

        Raises: BadBot if there is no such bot; UsageError; BotFailed if it cannot play.
        """
        with BotReader() as reader:
            bot = reader.read(path)
        if entry_of(bot.path).name == MANIFEST:
            raise UsageError(f"{path}: only bots in Python are hosted; others speak the protocol")
        self._game = game_named(start["game"])
        if self._game.rules_version != start["rules_version"]:
            raise UsageError(
                f"this match is played by version {start['rules_version']} of the rules of "
                f"{self._game.title}, and these are version {self._game.rules_version}: install "
                "the version of Slime Mind that the server has"
            )
        config = SeatConfig(
            name=bot.name,
            bot=entry_of(bot.path),
            is_own=True,
            log=Path(os.devnull),
            team=start["team"],
            game=self._game.name,
            match_seed=parse_seed(start["seed"]),
            limits=msgspec.convert(start["limits"], Limits),
        )
        self._team: int = start["team"]
        self._seat = LocalSeat(config, self._game)
        self._seat.begin(_typed(start["state"], self._game.state))
        fault = self._seat.start()
        if fault is not None:
            raise BotFailed(f"{bot.name} cannot play: {fault.detail or fault.cause}")

    def answer(self, ask: Mapping[str, Any]) -> object:
        """Return what the bot answers to an ask of the protocol with `events`.

        Raises: BotFailed; its traceback was printed.
        """
        for event in _typed(ask["events"], list[self._game.event]):  # type: ignore[name-defined]
            self._seat.notify(event)
        self._seat.put(Ask(self._team, ask["piece"]), ask.get("view"))
        answer = self._seat.take()
        if isinstance(answer, Fault):
            raise BotFailed(f"{answer.cause}: {answer.detail}")
        return answer


def _typed(value: object, kind: Any) -> Any:
    """Return what JSON says as a value of a type of ours."""
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)
