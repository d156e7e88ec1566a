"""Declare the options of matches, which all commands share."""

from pathlib import Path

import click

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
from cli.options import Runner
from cli.seats import seat_options
from engine.bots.sandbox import Level
from engine.catalog import DEFAULT_GAME, OURS
from engine.streams import parse_seed
from runners.arguments import JOBS, MATCHES
from runners.configuration import (
    DEFAULT_OUT,
    Configuration,
    presets_text,
    read_existing_configuration,
)
from visualizer.watching.render import Render

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
    option(*("-g", "--game"), type=GameChoice(), default=DEFAULT_GAME),
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
