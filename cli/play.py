"""The command `play`: a person at the board, against bots or friends, in the browser."""

from pathlib import Path

import click

from cli.completion import complete_bots
from engine.support.signals import signals_held


@click.command(
    epilog="Exit codes: 0 the game was over, 1 it could not be played, 2 wrong usage, 130 stopped "
    "(the game is kept)."
)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    shell_complete=complete_bots,
    help="A bot to play against; may be repeated; default: bots drawn at random fill the seats.",
)
@click.option(
    "--seat",
    type=click.IntRange(1, 6),
    default=1,
    show_default=True,
    metavar="N",
    help="The first seat in which a person sits.",
)
@click.option(
    "--people",
    type=click.IntRange(1, 6),
    default=1,
    show_default=True,
    metavar="N",
    help="How many people play: at this screen, or each from a link with --lan.",
)
@click.option(
    "--lan", is_flag=True, help="Also for others in this network: each gets a link to a seat."
)
@click.option(
    "--clock",
    default="none",
    show_default=True,
    metavar="TIME",
    help="How long people may think: 10+5 is ten minutes and five seconds for each decision, 3d "
    "three days for each.",
)
@click.option(
    "--substitute",
    metavar="BOT",
    shell_complete=complete_bots,
    help="The bot that plays for whoever was late three turns in a row (SMAC with --clock); "
    "default: one drawn at random.",
)
@click.option(
    "--from",
    "past",
    type=click.Path(path_type=Path),
    metavar="REPLAY",
    help="Play on from a replay against the bots of then, as the team of --seat; the first turn "
    "that is played anew is that of --turn, or the one after the replay's last.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    metavar="N",
    help="The server's port; default: one that is free.",
)
@click.option(
    "--resume/--new", "resumes", default=None, help="Go on with the last game; or begin another."
)
@click.option("--browser/--no-browser", default=True, help="Whether a browser is opened.")
@click.pass_context
def play(
    context: click.Context,
    /,
    against: tuple[str, ...],
    seat: int,
    people: int,
    lan: bool,
    clock: str,
    substitute: str | None,
    past: Path | None,
    port: int,
    resumes: bool | None,
    browser: bool,
) -> None:
    """Play yourself, in the browser: Smack!, SMAC.

    The game is kept with every move: after Ctrl-C the same command goes on with it.
    """
    with signals_held():  # what serves takes a while to import
        from cli.play_run import Wishes, play_here
    wishes = Wishes(
        against=against,
        seat=seat,
        people=people,
        lan=lan,
        clock=clock,
        substitute=substitute,
        past=past,
        port=port,
        resumes=resumes,
        opens_browser=browser,
    )
    play_here(context, wishes)
