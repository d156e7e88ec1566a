"""The command `watch`: a bot plays again whenever its file is saved."""

import click

from cli.completion import complete_bots
from cli.options import is_said, refuse
from cli.seats import PLAYERS
from engine.errors import UsageError
from engine.support.signals import signals_held
from visualizer.watching.render import Render

IGNORED = (
    *("runner", "matches", "jobs", "secret", "keeps_going", "key", "past", "past_before"),
    *("in_process", "replay", "drawings", *PLAYERS),
)


@click.command(epilog="Exit codes: 0 the viewer was closed, 2 wrong usage, 130 interrupted.")
@click.argument("file", metavar="BOT", shell_complete=complete_bots)
@click.option(
    "--against",
    metavar="BOT",
    multiple=True,
    shell_complete=complete_bots,
    help="Who plays against it; may be repeated where more than two play; default: one that is "
    "drawn, and then stays.",
)
@click.option(
    "--team",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="The team that BOT plays.",
)
@click.pass_context
def watch(context: click.Context, /, file: str, against: tuple[str, ...], team: int) -> None:
    """Play a bot again whenever its file is saved.

    Always on the same map (--seed), in the sandbox. The window, or the page of --render web, stays
    open at the same turn. Below each result stands the first order that is another one now.
    """
    assert context.parent is not None
    refuse(context.parent, IGNORED, "watch plays single matches, again and again")
    if is_said(context.parent, "render") and context.obj.render is Render.TERMINAL:
        raise UsageError(
            "--render terminal: watch prints what changed in the terminal; choose window or web"
        )
    with signals_held():  # what plays takes a while to import
        from cli.watch_run import Rerun, play_on_each_save
    context.exit(play_on_each_save(Rerun.of(context.obj, file, against, team)))
