"""Collect what the command line says in structs, made once and handed to whatever plays."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from cli.seats import SEAT_OPTIONS, parse_players, parse_sprites
from engine.bots.over_http.address import parse_origin
from engine.bots.sandbox import Level
from engine.catalog import DEFAULT_GAME
from engine.errors import UsageError
from engine.play_options import PlayOptions
from runners.match_request import MatchRequest, RunOptions
from visualizer.watching.render import Render

FOR_ONE_MATCH = (
    *(*SEAT_OPTIONS, "key", "matches"),
    *("past", "past_before"),
    *("in_process", "render", "shows_logs", "drawings"),
)
"""What tournaments and their like do without."""
NOT_FOR_TOURNAMENTS = (*FOR_ONE_MATCH, "keeps_going")
"""A tournament has a quarantine for bots that cannot play."""
FOR_SERIES = ("matches", "jobs", "secret", "keeps_going")
OF_A_RECORD = (
    *("game", *SEAT_OPTIONS, "packages"),
    *("matches", "keeps_going", "seed", "secret", "preset", "settings_file", "words", "limits"),
)
"""What a recorded match brings along."""


class Runner(StrEnum):
    """What plays, as --runner names it."""

    SINGLE_MATCH = "single_match"
    MULTI_MATCH = "multi_match"
    TOURNAMENT = "tournament"


class MatchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of all commands, as the command line and config.toml say them."""

    request: MatchRequest
    runner: Runner = Runner.SINGLE_MATCH
    matches: int = 100
    sprites: tuple[Path | None, ...] = ()
    """A picture for the pieces of each team, by seat number."""
    render: Render = Render.AUTO
    shows_logs: bool = False
    prints_json: bool = False
    quiet: bool = False
    verbose: bool = False
    """Whether seeds, secrets, and what bots and sandbox took are printed, too."""

    has_new_folder: bool = False
    """Whether nothing was played into its folder of results before."""

    @property
    def warns_of_root(self) -> bool:
        """Return whether it is said that bots run as root: once for each folder of results."""
        return self.verbose or self.has_new_folder

    @property
    def game(self) -> str:
        """The name of the game that is played."""
        return self.request.game

    @property
    def game_to_type(self) -> str | None:
        """The game, unless it is the one that is played where none is named."""
        file = self.request.configured
        is_usual = self.game == DEFAULT_GAME and (file is None or "game" not in file.options)
        return None if is_usual else self.game

    @property
    def rules_to_type(self) -> tuple[str, ...]:
        """What was typed of the rules: a match of the next command is to be one of these."""
        request = self.request
        named = (("--preset", request.preset), ("--settings", request.settings_file))
        repeated = (
            ("--set", request.settings),
            ("--limit", request.limits),
            ("--allow-package", request.packages),
        )
        said = [(option, str(word)) for option, word in named if word is not None]
        said += [(option, word) for option, values in repeated for word in values]
        return tuple(chain.from_iterable(said))

    @property
    def run(self) -> RunOptions:
        """Return how matches are played, and what is kept of them."""
        return self.request.run

    @property
    def out(self) -> Path:
        """The folder of results."""
        return self.run.out

    @property
    def plays_many(self) -> bool:
        """Return whether a series is played."""
        return self.runner is Runner.MULTI_MATCH and not self.request.plays_a_record

    @property
    def shows_progress(self) -> bool:
        """Return whether there is a bar: none for scripts, none under a debugger's prompt."""
        return not (self.quiet or self.prints_json or self.run.play.in_process)


def parse_match_options(context: click.Context) -> MatchOptions:
    """Return the options of the group, as they were said or as they are by default."""
    params = context.params
    return MatchOptions(
        request=MatchRequest(
            game=params["game"],
            players=parse_players(params),
            seed=params["seed"],
            secret=params["secret"],
            key=params["key"],
            past=params["past"],
            past_before=params["past_before"],
            preset=params["preset"],
            configured=params["config"],
            settings_file=params["settings_file"],
            settings=params["words"],
            limits=params["limits"],
            packages=params["packages"],
            run=_run_options(params),
        ),
        runner=Runner(params["runner"]),
        matches=params["matches"],
        sprites=parse_sprites(params),
        render=Render(params["render"]),
        shows_logs=params["shows_logs"],
        prints_json=params["prints_json"],
        quiet=params["quiet"],
        verbose=params["verbose"],
        has_new_folder=not params["out"].exists(),
    )


def _run_options(params: dict[str, Any]) -> RunOptions:
    from runners.execution.cores import available_cores  # sockets take a while to import

    return RunOptions(
        out=params["out"],
        workers=params["jobs"] or len(available_cores()),
        keeps_going=params["keeps_going"],
        play=PlayOptions(
            sandbox=Level(params["sandbox"]),
            http_origins=tuple(map(parse_origin, params["http_origins"])),
            in_process=params["in_process"],
            keep_replay=params["replay"],
            keep_notes=params["drawings"],
        ),
    )


def explicit_options(context: click.Context) -> dict[str, Any]:
    """Return what stands on the command line or in a file, of a command and of its group."""
    above = {} if context.parent is None else explicit_options(context.parent)
    unsaid = (ParameterSource.DEFAULT, None)
    own = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) not in unsaid
    }
    return {**above, **own}


def is_said(context: click.Context, name: str) -> bool:
    """Return whether an option stands on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse(context: click.Context, ignored: Sequence[str], why: str) -> None:
    """Raises: UsageError if one of these was said."""
    for option in context.command.params:
        if option.name in ignored and is_said(context, option.name):
            raise UsageError(f"{option.opts[-1]} would have no effect: {why}")


def warn(message: str) -> None:
    """Print a warning to whoever runs a server."""
    click.echo(f"warning: {message}", err=True)
