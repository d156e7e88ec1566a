"""The command line for recorded matches: parse, call, print."""

import bootstrap

bootstrap.ensure()

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from engine.replay import Replay, newest_replay
from engine.verifying import verify
from runners.command_line import run
from runners.configuration import DEFAULT_OUT, read_configuration
from runners.summaries import difference_text, replay_info

EXAMPLES = """
\b
Examples:
  python3 replay.py                       the newest replay of results/
  python3 replay.py FILE --print 120      the board at the end of turn 120
  python3 replay.py FILE --verify         play it through the rules again
"""


@click.command(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--info", is_flag=True, help="Who played, with which settings, and what came out.")
@click.option("--verify", "verifies", is_flag=True, help="Compare every event with the rules.")
@click.option("--print", "turn", type=int, metavar="TURN", help="The board at the end of a turn.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    help="Where the newest replay is looked for.",
)
@click.pass_context
def cli(
    context: click.Context,
    file: Path | None,
    info: bool,
    verifies: bool,
    turn: int | None,
    out: Path,
) -> None:
    """Look at a recorded match. Without FILE: the newest one."""
    replay = Replay(newest_replay(out) if file is None else file)
    if info or not (verifies or turn is not None):
        click.echo(replay_info(replay))
    if turn is not None:
        click.echo(replay.game.text(replay.state_at(turn)))
    if verifies:
        difference = verify(replay)
        click.echo(difference_text(replay, difference))
        context.exit(0 if difference is None else 1)


def defaults() -> dict[str, Any]:
    """Where config.toml lets results go, newest replays are looked for. Raises: UsageError."""
    options = read_configuration().options
    return {"out": str(options["out"])} if "out" in options else {}


def main() -> NoReturn:
    """The console script."""
    sys.exit(run(cli, defaults))


if __name__ == "__main__":
    main()
