"""The command `submit`: a bot is handed in to a server."""

import click

from cli.completion import complete_bots
from cli.options import MatchOptions
from engine.support.signals import signals_held


@click.command(
    epilog="Exit codes: 0 accepted, 1 refused, 2 wrong usage, 130 stopped (the checks go on)."
)
@click.argument("bot", shell_complete=complete_bots)
@click.option(
    "--server",
    default="http://127.0.0.1:8000",
    show_default=True,
    metavar="URL",
    help="The address of the server.",
)
@click.option(
    "--token",
    envvar="SLIME_MIND_TOKEN",
    metavar="TOKEN",
    help="A token made on your own page there; better kept in the environment, as "
    "SLIME_MIND_TOKEN.",
)
@click.option(
    "--name", default="", metavar="NAME", help="The bot's name there; default: that of its file."
)
@click.option(
    "--ladder",
    default="",
    metavar="NAME",
    help="The ladder it is to play on; default: the first one of the game (-g).",
)
@click.pass_obj
def submit(
    options: MatchOptions, /, bot: str, server: str, token: str | None, name: str, ladder: str
) -> None:
    """Hand in a bot to a server.

    BOT is a file or folder, a name in playerCode, or a zip. It is checked at once and plays a
    first match; what is refused is said with its line and reason.
    """
    with signals_held():
        from cli.submit_run import Submission, submit_there
    submit_there(
        Submission(
            bot=bot,
            server=server,
            token=token or "",
            name=name,
            ladder=ladder,
            game=options.game,
            prints_json=options.prints_json,
        )
    )
