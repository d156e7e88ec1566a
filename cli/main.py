"""Define the command `slime-mind-arena`, as main.py runs it: the group and its commands."""

import sys
from typing import Any, NoReturn

import click

from cli.command_group import CommandEntry, SectionedGroup
from cli.command_line import option_defaults, run
from cli.options import NO_DEFAULTS, SECTIONS, match_options
from cli.options import parse_match_options, refuse
from engine import ENGINE_VERSION
from engine.catalog import OURS
from engine.support.signals import deferring_signals
from engine.support.typed_commands import in_examples
from runners.configuration import note_on_python_file, read_configuration

EXAMPLES = in_examples("""
\b
Examples:
  python3 main.py                             two bots drawn from playerCode
  python3 main.py -1 player_six -2 ../my.py   these two
  python3 main.py -p player_six -p ../my.py   the same; more in games for more
  python3 main.py -r multi_match -m 100 -1 player_four.py -2 player_three.py
  python3 main.py --preset small --set max_turns=200 --seed 7
  python3 main.py play                        you against a bot, in a browser
  python3 main.py -r tournament --format swiss --pairs 2
  python3 main.py report --standings          the latest tournament
  python3 main.py report                      the same as pages for a browser
  python3 main.py --match 3f9a                play a match of results/ again
  python3 main.py --continue                  resume the latest match
  python3 main.py info bots                   list the bots there are
  python3 main.py watch BOT                   play it again on each save
  python3 main.py design BOT                  the army a bot designs
  python3 main.py info settings               what --set and --limit change
  python3 main.py info sandbox                show sandbox status

\b
Defaults of all options can stand in config.toml beside main.py.
Exit codes: 0 success, 1 match not played, 2 wrong usage, 130 interrupted.
""")

COMMANDS = {
    "Play": {
        "play": CommandEntry("cli.play:play", "Play yourself, in the browser."),
    },
    "Write": {
        "new": CommandEntry(
            "cli.new:new", "Begin a bot: its file, its tests, a project around it."
        ),
        "new-game": CommandEntry(
            "cli.new:new_game",
            "Begin a game: a package that plays as it is, bots and tests.",
            is_first=False,
        ),
        "write": CommandEntry(
            "cli.write:write", "Write a bot in the browser, over its own file or folder."
        ),
        "check": CommandEntry(
            "cli.check:check", "Check a bot: does it play, how fast, what is wrong."
        ),
        "ask": CommandEntry("cli.ask:ask", "Ask a bot what it would order in a recorded turn."),
        "test": CommandEntry("cli.test:test", "Run the tests of a bot."),
        "profile": CommandEntry("cli.profile:profile", "Show where a bot's time goes."),
        "design": CommandEntry(
            "cli.design:design", "Look at what a bot designs before its matches.", is_first=False
        ),
    },
    "Compare": {
        "series": CommandEntry("cli.series:series", "Play many matches between the same bots."),
        "versus": CommandEntry(
            "cli.versus:versus", "Is A better than B? A sequential test (SPRT)."
        ),
        "tune": CommandEntry("cli.tune:tune", "Find better numbers for a bot that declares them."),
        "fairness": CommandEntry(
            "cli.fairness:fairness", "Is a side, or a seat, favored?", is_first=False
        ),
    },
    "Contest": {
        "tournament": CommandEntry(
            "cli.tournament:tournament", "Play a tournament, or resume one."
        ),
        "serve": CommandEntry(
            "cli.serve:serve", "Serve games and contests to people with accounts."
        ),
        "submit": CommandEntry("cli.submit:submit", "Hand in a bot to a server."),
        "admin": CommandEntry(
            "cli.admin:admin", "Organize a server, and back it up, on its machine."
        ),
    },
    "Watch": {
        "watch": CommandEntry("cli.watch:watch", "Play a bot again whenever its file is saved."),
        "report": CommandEntry(
            "cli.report:report", "Show how a tournament stands, and write its pages."
        ),
        "info": CommandEntry(
            "cli.info:info", "List bots and settings, and show what confines bots here."
        ),
    },
}
"""The commands by heading; each is imported when it is used, as some take a while."""
RULE_OPTIONS = ("game", "config", "preset", "settings_file", "words", "limits")
"""What says by which rules a match is played."""
PLAY_OPTIONS = (*RULE_OPTIONS, "packages", "seed", "sandbox", "out")
MATCH_OPTIONS = (*PLAY_OPTIONS, "prints_json", "quiet")
MANY_MATCHES = (*MATCH_OPTIONS, "secret", "jobs", "replay")
UNTIL_DECIDED = (*MANY_MATCHES, "keeps_going")
WATCH_OPTIONS = (*PLAY_OPTIONS, "quiet", "render", "shows_logs")
CHECK_OPTIONS = (*PLAY_OPTIONS, "prints_json", "shows_logs")
RECORD_OPTIONS = ("packages", "sandbox", "out", "shows_logs", "in_process")
"""What counts for a turn of a recorded match, which says the rest itself."""
RESULTS_OPTIONS = ("game", "config", "out", "prints_json")
PEOPLE_OPTIONS = (*PLAY_OPTIONS, "past_before")
"""What counts where people play."""
SHARED_OPTIONS = {
    "play": PEOPLE_OPTIONS,
    "serve": ("sandbox", "replay", "out"),
    "submit": ("game", "prints_json"),
    "watch": WATCH_OPTIONS,
    "series": (*MANY_MATCHES, "matches", "keeps_going"),
    "tournament": MANY_MATCHES,
    "versus": UNTIL_DECIDED,
    "tune": UNTIL_DECIDED,
    "fairness": UNTIL_DECIDED,
    "new": ("game", "prints_json"),
    "new-game": ("prints_json",),
    "write": ("game", "sandbox", "out"),
    "check": CHECK_OPTIONS,
    "test": ("game",),
    "ask": (*RECORD_OPTIONS, "prints_json"),
    "profile": CHECK_OPTIONS,
    "report": RESULTS_OPTIONS,
    "design": (*WATCH_OPTIONS, "prints_json"),
    "info": (*RULE_OPTIONS, "prints_json"),
    "admin": ("out",),
}
"""What counts, by command: the help of each names them."""
FORMER_COMMANDS = {
    "debug": "ask --debug",
    "standings": "report --standings",
    "bots": "info bots",
    "settings": "info settings",
    "sandbox": "info sandbox",
}
"""What is typed now for commands of earlier versions, which go with version 2.0."""
FORMER_OPTIONS = {
    "play": {"--from": "--match", "--resume": "--continue"},
    "ask": {"--replay": "--match"},
    "tournament": {"--games": "--pairs"},
    "fairness": {"--games": "--pairs"},
    "versus": {"--max": "--max-pairs"},
    "tune": {"--max": "--max-pairs"},
    "report": {"--games": "--export"},
    "serve": {"--workers": "--jobs"},
    "admin play": {"--workers": "--jobs"},
}
"""What is typed now for options of earlier versions, by command; they go with version 2.0."""
FIRST_PAGE_END = in_examples(f"""\
Options:
  -g, --game NAME     {", ".join(OURS)}
  -p, --player BOT    the bot of the next team; may be repeated
  --preset, --seed    what is played; --render, --json: how it is shown
  -h, --help [--all]  this page, or everything; COMMAND --help: of a command

  python3 main.py -p player_six -p ../my.py    a match of these two
  python3 main.py check ../my.py               what is wrong with a bot
  python3 main.py versus ../my.py player_six   which one is better""")
"""The end of the first page of help."""


@click.group(
    cls=SectionedGroup,
    sections=SECTIONS,
    table=COMMANDS,
    shared=SHARED_OPTIONS,
    former=FORMER_COMMANDS,
    former_options=FORMER_OPTIONS,
    first_page_end=FIRST_PAGE_END,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "allow_interspersed_args": True,  # options may stand behind a command, too
    },
    epilog=EXAMPLES,
    options_metavar="[OPTIONS]",
    subcommand_metavar="[COMMAND]",
)
@match_options
@click.version_option(ENGINE_VERSION, prog_name="Slime Mind")
@click.pass_context
def cli(context: click.Context, /, **_: object) -> None:
    """Slime Mind: bots play each other, each in a process of its own.

    Without a command a match is played: of bots drawn from playerCode, or of those you
    name: a name (player_one), or the path of a file or folder (../mine/bot.py).
    """
    context.obj = parse_match_options(context)
    _require_json(context)
    if context.invoked_subcommand is None:
        with deferring_signals():  # what plays takes a while to import
            from cli.match import play
        context.exit(play(context, context.obj))


def _require_json(context: click.Context) -> None:
    """Raises: UsageError for --json with a command that prints none."""
    command = context.invoked_subcommand
    if command is not None and "prints_json" not in SHARED_OPTIONS.get(command, ()):
        refuse(context, ("prints_json",), f"{command} prints no JSON")


def defaults() -> dict[str, Any]:
    """Return the [options] of config.toml. Raises: UsageError."""
    if note := note_on_python_file():
        click.echo(note, err=True)
    return option_defaults(read_configuration(), cli, but=NO_DEFAULTS)


def main() -> NoReturn:
    """Run the console script."""
    sys.exit(run(cli, defaults))
