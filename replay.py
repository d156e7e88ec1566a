"""The command line for recorded matches: parse, call, print."""

import interruption

if __name__ == "__main__":
    interruption.end_quietly()

import bootstrap

bootstrap.ensure()

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from engine.errors import UsageError
from engine.replay import Replay, newest_replay
from engine.verifying import verify
from runners.command_line import run
from runners.configuration import DEFAULT_OUT, read_configuration
from runners.summaries import difference_text, replay_info
from visualizer.export.options import export_options
from visualizer.export.plan import Wishes
from visualizer.screen import Render
from visualizer.watching import sprites_for, watch, watch_live

EXAMPLES = """
\b
Examples:
  python3 replay.py                       the newest replay of results/, in a window
  python3 replay.py FILE --turn 120       from turn 120 on
  python3 replay.py FILE FILE2            two of them side by side
  python3 replay.py --render terminal     in this terminal, over ssh for one
  python3 replay.py FILE --info           who played, and what came out
  python3 replay.py FILE --print 120      the board at the end of turn 120
  python3 replay.py FILE --verify         play it through the rules again
  python3 replay.py FILE --export match.mp4
  python3 replay.py FILE --export kill.gif --from 120 --to 140 --speed 0.5
  python3 replay.py FILE --export turn.png --turn 400 --size 1080x1080
  python3 replay.py FILE --export match.html      all of it in a page for any browser
"""


@click.command(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.argument("file_2", type=click.Path(path_type=Path), required=False)
@click.option(
    "--render",
    type=click.Choice([str(render) for render in Render]),
    default=str(Render.AUTO),
    show_default=True,
    help="Watch it: in a window if there is a screen; in a window; in this terminal; not.",
)
@click.option("--turn", type=click.IntRange(0), metavar="TURN", help="Watch from there; export it.")
@click.option("--info", is_flag=True, help="Who played, with which settings, and what came out.")
@click.option("--verify", "verifies", is_flag=True, help="Compare every event with the rules.")
@click.option(
    "--print", "printed", type=int, metavar="TURN", help="The board at the end of a turn."
)
@export_options
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    help="Where the newest replay is looked for.",
)
@click.option("--live", type=click.Path(path_type=Path), hidden=True)
@click.pass_context
def cli(context: click.Context, /, file: Path | None, file_2: Path | None, **options: Any) -> None:
    """Watch a recorded match, or two side by side. Without FILE: the newest one."""
    render = Render(options["render"])
    if options["live"] is not None:  # we were started by main.py (visualizer/viewer.py)
        watch_live(options["live"], render, options["out"])
        return
    replay = Replay(newest_replay(options["out"]) if file is None else file)
    replays = [replay] if file_2 is None else [replay, Replay(file_2)]
    if options["export"] is not None:
        if file_2 is not None:
            raise UsageError("--export is of one match; name one replay")
        click.echo(exported(replay, options["export"], options["wishes"], options["out"]))
    if options["info"] or options["verifies"] or options["printed"] is not None:
        context.exit(look_into(replay, options))
    if options["export"] is not None:
        return
    if not watch(replays, render, options["turn"] or 0, options["out"], tell):
        for recorded in replays:
            click.echo(replay_info(recorded))


def look_into(replay: Replay, options: dict[str, Any]) -> int:
    """What can be said without playing it; the exit code."""
    if options["info"]:
        click.echo(replay_info(replay))
    if options["printed"] is not None:
        click.echo(replay.game.text(replay.state_at(options["printed"])))
    if not options["verifies"]:
        return 0
    difference = verify(replay)
    click.echo(difference_text(replay, difference))
    return 0 if difference is None else 1


def exported(replay: Replay, path: Path, wishes: Wishes, out: Path) -> str:
    """What was written, in words."""
    from visualizer.export.exporting import export  # what it draws with takes a while to import

    return export(replay, path, wishes, sprites_for(replay, out))


def tell(words: str) -> None:
    click.echo(words, err=True)


def defaults() -> dict[str, Any]:
    """Of the [options] of config.toml, those that are ours as well. Raises: UsageError."""
    options = read_configuration().options
    return {name: str(options[name]) for name in ("out", "render") if name in options}


def main() -> NoReturn:
    """The console script."""
    sys.exit(run(cli, defaults))


if __name__ == "__main__":
    main()
