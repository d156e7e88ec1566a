"""The commands we print for users to type: as they called us, where they called us."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.support.typed_commands import detect_commands
from runners.configuration import DEFAULT_OUT

PASSWORD_PATTERN = re.compile(r"(?<=://)([^:/@\s]+):[^@/\s]*(?=@)")
"""Who connects to a database, and by which password."""


class Commands(msgspec.Struct, frozen=True, kw_only=True):
    """`main.py` and `replay.py` as they are typed here."""

    main: str = msgspec.field(default_factory=lambda: detect_commands().main)
    replay: str = msgspec.field(default_factory=lambda: detect_commands().replay)
    out: Path = DEFAULT_OUT

    results: str | None = None
    """The URL that was given for results, without its password."""
    game: str | None = None
    """None where it need not be typed."""

    def play_again_command(self, key: str, origins: Sequence[str] = ()) -> str:
        """Return the command that plays a recorded match again.

        `origins`: where its bots are asked over HTTP.
        """
        allowed = "".join(f" --allow-http {shlex.quote(origin)}" for origin in origins)
        return f"{self.main}{self._out} --match {key}{allowed}"

    def ask(self, bot: str, match: str, place: str) -> str:
        """Return the command that asks a bot again what it orders at a place of a match.

        `match`: its key, or the path of its replay; `place`: the options that name the turn.
        """
        named = shlex.quote(match)
        return f"{self.main}{self._out} ask {shlex.quote(bot)} --match {named} {place}"

    def of_bot(self, command: str, *arguments: str) -> str:
        """Return a command of authors and its words, for bots of this game."""
        return " ".join(
            [f"{self.main}{self._game}{self._out} {command}", *map(shlex.quote, arguments)]
        )

    def resume_match(self, key: str) -> str:
        """Return the command that resumes an interrupted match."""
        return f"{self.main}{self._out} --continue {key}"

    def resume(self, tournament: str) -> str:
        """Return the command that resumes a tournament."""
        return (
            f"{self.main}{self._game} -r tournament --name {tournament}{self._out}{self._results}"
        )

    def standings(self, tournament: str) -> str:
        """Return the command that shows the standings of a tournament."""
        return f"{self.main}{self._game} report --standings {tournament}{self._out}{self._results}"

    def play(self, game: str) -> str:
        """Return the command that goes on with the last game of a person."""
        return f"{self.main}{self._out} play -g {game}"

    def watch(self, replay: str) -> str:
        """Return the command that shows a recorded match."""
        return f"{self.replay} {shlex.quote(replay)}"

    @property
    def _game(self) -> str:
        return "" if self.game is None else f" -g {self.game}"

    @property
    def _out(self) -> str:
        return "" if self.out == DEFAULT_OUT else f" --out {shlex.quote(str(self.out))}"

    @property
    def _results(self) -> str:
        return "" if self.results is None else f" --results {shlex.quote(self.results)}"


def place_words(turn: int, team: int, piece: int) -> str:
    """Return the options that name a decision of a match; piece 0 is the team itself."""
    return f"--turn {turn} --team {team}{f' --piece {piece}' if piece else ''}"


def format_command(arguments: Sequence[str]) -> str:
    """Return a command as it was typed, such as `sys.argv`, for whoever types it again.

    The password in the URL of a database is left out.
    """
    main = commands_for(arguments[0], DEFAULT_OUT).main
    return " ".join(
        [main, *(shlex.quote(PASSWORD_PATTERN.sub(r"\1", word)) for word in arguments[1:])]
    )


def commands_for(
    started: str, out: Path, results: str | None = None, game: str | None = None
) -> Commands:
    """Return the commands as they are typed here.

    `started` is the program as it was called.
    """
    main, replay = detect_commands(started)
    return Commands(main=main, replay=replay, out=out, results=results, game=game)
