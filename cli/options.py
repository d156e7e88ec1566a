"""The options of matches, which all commands share, and structs of what the command line says."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from cli.choices import (
    Choice,
    GameChoice,
    RenderChoice,
    combine,
    complete_limits,
    complete_presets,
    complete_settings,
    option,
)
from cli.command_line import merge_defaults, option_defaults
from cli.seats import SEAT_OPTIONS, SPRITES, parse_players, seat_options
from engine.bots.over_http.address import parse_origin
from engine.bots.sandbox import Level
from engine.catalog import DEFAULT_GAME, OURS
from engine.errors import UsageError
from engine.play_options import PlayOptions
from engine.streams import parse_seed
from runners.arguments import JOBS, MATCHES
from runners.configuration import (
    DEFAULT_OUT,
    Configuration,
    presets_text,
    read_existing_configuration,
)
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
        sprites=tuple(params[name] for name in SPRITES),
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
    for one in context.command.params:
        if one.name in ignored and is_said(context, one.name):
            raise UsageError(f"{one.opts[-1]} would have no effect: {why}")


def warn(message: str) -> None:
    """Print a warning to whoever runs a server."""
    click.echo(f"warning: {message}", err=True)


SECTIONS = {
    "game": "Who plays",
    "runner": "What is played",
    "jobs": "How it is played",
    "render": "What is shown and kept",
    "version": "Help",
}
"""The option that stands first below each heading of --help."""

NO_DEFAULTS = ("version", "key", "match", "past", "past_before", "words", "limits", "config")
"""What cannot stand in the [options] of config.toml; it has [settings] and [limits]."""


def parse_typed_seed(text: str) -> int:
    """Return a seed as people type it and as we print it. Raises: click.BadParameter."""
    try:
        return parse_seed(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def take_file(
    context: click.Context, option: click.Parameter, path: Path | None
) -> Configuration | None:
    """Return the file of --config: its options are defaults, over those of config.toml."""
    if path is None:
        return None
    configuration = read_existing_configuration(path)
    assert isinstance(context.command, click.Group)
    options = option_defaults(configuration, context.command, but=NO_DEFAULTS)
    context.default_map = merge_defaults(context.default_map or {}, options)
    return configuration


WHO_PLAYS = (
    option("-g", "--game", type=GameChoice(), default=DEFAULT_GAME),
    seat_options,
    option(
        "--allow-package",
        "packages",
        multiple=True,
        metavar="NAME",
        help="An installed package the bots may import; may be repeated.",
    ),
    option(
        "--allow-http",
        "http_origins",
        multiple=True,
        metavar="ORIGIN",
        help="Where bots may be asked that run elsewhere, such as https://bots.example.org; may be "
        "repeated. Without it no bot is asked over HTTP.",
    ),
)
WHAT_IS_PLAYED = (
    option(
        "-r",
        "--runner",
        type=Choice([str(runner) for runner in Runner]),
        default=str(Runner.SINGLE_MATCH),
        help="One match; many between the same bots; or a tournament of all bots, or of those "
        "named after it (see tournament --help).",
    ),
    option(
        "-m",
        "--matches",
        type=click.IntRange(*MATCHES),
        default=100,
        help="Number of matches of multi_match, rounded up to whole rotations: every map is "
        "played once in every rotation of the seats, so by two bots twice, with sides swapped. "
        "The same command resumes after an interruption, and prints the result again once all "
        "matches are played.",
    ),
    option(
        "--secret",
        type=parse_typed_seed,
        metavar="SECRET",
        help="For many matches: the secret printed after the last of them (0x...) draws the very "
        "same maps again, with the same --seed; default: a new one, kept with the results and "
        "not shown before all matches are played.",
    ),
    option(
        "--seed",
        type=parse_typed_seed,
        metavar="N",
        help="Of one match: the same seed gives the same map and the same chance: 7, or 0x1f.. "
        "as it is printed; default: a new one of 128 bits, which no bot can guess; one that you "
        "type is for tests, as a bot could foresee it. Of many: the maps follow from it and from "
        "--secret; default: 0.",
    ),
    option(
        "--match",
        "key",
        metavar="KEY",
        help="Play a recorded match again and compare; its first letters will do. The first "
        "playing stays the result.",
    ),
    option(
        "--continue",
        "past",
        metavar="[FILE]",
        is_flag=False,
        flag_value="",
        help="Resume an interrupted match from its replay (or the first letters of its key); "
        "default: the latest.",
    ),
    option(
        "--turn",
        "past_before",
        type=click.IntRange(1),
        help="With --continue --in-process: from this turn on the bots decide, in any replay and "
        "any bots (-1, -2); breakpoint() is ignored before it. With play --match: from this "
        "turn on you play.",
    ),
    option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,
        callback=take_file,
        help="A file like config.toml, read over it: see resources/tournament.sample.toml.",
    ),
    option(
        "--preset",
        metavar="NAME",
        shell_complete=complete_presets,
        help=f"Settings by name: {presets_text(OURS)}.",
    ),
    option(
        "--settings",
        "settings_file",
        type=click.Path(path_type=Path),
        help="Settings from a TOML file.",
    ),
    option(
        "--set",
        "words",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=complete_settings,
        help="One setting; may be repeated.",
    ),
    option(
        "--limit",
        "limits",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=complete_limits,
        help="One resource limit of the bots, such as cpu_ms; may be repeated.",
    ),
)
HOW_IT_IS_PLAYED = (
    option(
        "-j",
        "--jobs",
        type=click.IntRange(*JOBS),
        help="Matches played side by side by multi_match; default: one per core.",
    ),
    option(
        "--sandbox",
        type=Choice([str(level) for level in Level]),
        default=str(Level.DEFAULT),
        help="What confines bots: strict: all layers or no match; default: all this machine "
        "offers; bwrap, cgroup: that and a bubblewrap, or a cgroup by systemd-run, around each "
        "bot, or no match; off: nothing.",
    ),
    option(
        "--keep-going",
        "keeps_going",
        is_flag=True,
        help="Of many matches: play on where a bot loses nearly all its decisions. Otherwise a "
        "series, versus, tune and fairness end there and say why.",
    ),
    option(
        "--in-process",
        is_flag=True,
        help="Trusted bots in our own process, without limits: for pdb and profilers. The match "
        "is stored separately, unrated.",
    ),
)
WHAT_IS_SHOWN = (
    option(
        "--render",
        type=RenderChoice(),
        default=str(Render.AUTO),
        help="Watch the match: in a window if there is a screen; in a window; in this terminal; "
        "in the browser; not at all.",
    ),
    option("--replay/--no-replay", default=True, help="Keep replays."),
    option(
        "--drawings/--no-drawings",
        default=None,
        help="Keep in the replay what the bots draw and log (self.draw, self.log); default: of a "
        "single match.",
    ),
    option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=DEFAULT_OUT,
        help="Folder of results, replays and logs.",
    ),
    option("--bot-logs", "shows_logs", is_flag=True, help="Show what the bots printed."),
    option("--json", "prints_json", is_flag=True, help="Print the result as JSON, nothing else."),
    option(
        "-q",
        "--quiet",
        is_flag=True,
        help="Only the result, and errors: no progress bar, no notes.",
    ),
    option(
        "-v",
        "--verbose",
        is_flag=True,
        help="Also keys, seeds, secrets and CPU time; --json and the disk have them anyhow.",
    ),
)
match_options = combine((*WHO_PLAYS, *WHAT_IS_PLAYED, *HOW_IT_IS_PLAYED, *WHAT_IS_SHOWN))
