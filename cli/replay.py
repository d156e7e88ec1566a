"""Define the command `slime-mind-arena-replay`, as replay.py runs it: recorded matches."""

from msgspec.structs import replace
from visualizer.export.plan import ENDINGS
from visualizer.export.plan import FORMS
from visualizer.export.plan import OPTIONS
from visualizer.export.plan import PICTURE_SIZE
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import click
from click.decorators import FC
import msgspec

from cli.choices import RenderChoice, combine, option
from cli.command_group import SectionedCommand
from cli.command_line import run
from engine.errors import UsageError
from engine.support.signals import deferring_signals
from engine.support.typed_commands import in_examples
from runners.configuration import DEFAULT_OUT, read_configuration
from visualizer.export.plan import ExportRequest
from visualizer.watching.render import Render

EXAMPLES = in_examples("""
\b
Examples:
  python3 replay.py                       the newest replay of results/, in a window
  python3 replay.py FILE --turn 120       from turn 120 on
  python3 replay.py FILE FILE2            two of them side by side
  python3 replay.py FILE --as-team 2      as team 2 knew it
  python3 replay.py --render terminal     in this terminal, over ssh for one
  python3 replay.py FILE --info           who played, and the result (--json: for scripts)
  python3 replay.py FILE --print 120      the board at the end of turn 120
  python3 replay.py FILE --verify         play it through the rules again
  python3 replay.py FILE --export match.mp4
  python3 replay.py FILE --export kill.gif --from 120 --to 140 --speed 0.5
  python3 replay.py FILE --export turn.png --turn 400 --size 1080x1080
  python3 replay.py FILE --export match.html      all of it in a page for any browser
""")
SECTIONS = {
    "render": "Watch",
    "shows_info": "Inspect",
    "export": "Export",
    "out": "Files",
    "help": "Help",
}
"""The option that stands first below each heading of --help."""


class ReplayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is done with recorded matches."""

    render: Render = Render.AUTO
    turn: int | None = None
    """The turn to watch from, or to export."""
    shows_info: bool = False
    prints_json: bool = False
    """Whether --info and --verify print JSON."""
    verifies: bool = False
    seed_hash: str | None = None
    """What the SHA-256 of the seed must be."""
    team: int | None = None
    """The team with whose eyes it is watched; None: with everybody's."""
    printed: int | None = None
    """The turn at whose end the board is printed."""
    export: Path | None = None
    """The file to write."""
    request: ExportRequest = ExportRequest()
    out: Path = DEFAULT_OUT

    @property
    def looks_into(self) -> bool:
        """Return whether something is printed of the replay, instead of watching it."""
        return self.shows_info or self.verifies or self.printed is not None


def read_size(
    context: click.Context, option: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    """Return `960x544` as two numbers. Raises: BadParameter."""
    if text is None:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise click.BadParameter(
            f"'{text}' is not a size; expected WIDTHxHEIGHT, such as 960x544", context, option
        )
    return int(width), int(height)


def parse_export_request(params: Mapping[str, Any]) -> ExportRequest:
    """Return how to export. Raises: UsageError for an option without effect."""
    request = ExportRequest(**{name: params[name] for name in OPTIONS})
    if params["export"] is None:
        _refuse(replace(request, turn=None))  # a turn can be watched, too
    return request


def _refuse(request: ExportRequest) -> None:
    """Raises: UsageError for anything that was asked for."""
    for name, (word, _) in OPTIONS.items():
        if getattr(request, name) is not None:
            raise UsageError(f"{word} needs --export FILE")


def _export_options() -> list[Callable[[FC], FC]]:
    """Return `--export` and what goes with it; a command has its own `--turn`."""
    sizes = ", ".join(
        f"{ending} {_size_text(size)}"
        for ending, size in ((".png", PICTURE_SIZE), *((name, FORMS[name].size) for name in FORMS))
    )
    rates = ", ".join(f"{ending} {form.fps:g}" for ending, form in FORMS.items())
    lasting = ", ".join(f"{ending} {form.longest_s:g}" for ending, form in FORMS.items())
    return [
        option(
            "--export",
            type=click.Path(path_type=Path),
            help="Write a picture (of --turn, or of the end), an animation, a video or a web "
            f"page, by the ending: {', '.join(ENDINGS)}. Needs no screen; .mp4 needs ffmpeg.",
        ),
        option("--from", "first", type=int, metavar="N", help="The first turn of it."),
        option("--to", "last", type=int, metavar="N", help="The last turn of it."),
        option("--fps", type=float, metavar="N", help=f"Frames per second.  [default: {rates}]"),
        option(
            "--speed",
            type=float,
            metavar="X",
            help="1 is the usual speed; default: faster for longer matches, so that a file "
            f"can be shared and lasts at most so many seconds: {lasting}.",
        ),
        option("--highlights", is_flag=True, default=None, help="Key moments, in 30 s."),
        option("--no-fold", is_flag=True, default=None, help="Quiet turns no faster."),
        option("--size", callback=read_size, metavar="WxH", help=f"In pixels.  [default: {sizes}]"),
        option(
            "--drawings",
            is_flag=True,
            default=None,
            help="With what the bots drew and logged (self.draw, self.log).",
        ),
    ]


def _size_text(size: tuple[int, int]) -> str:
    return "{}x{}".format(*size)


@click.command(
    cls=SectionedCommand,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.argument("file_2", type=click.Path(path_type=Path), required=False)
@option(
    "--render",
    type=RenderChoice(),
    default=str(Render.AUTO),
    help="Watch it: in a window if there is a screen; in a window; in this terminal; "
    "in the browser; not at all.",
)
@option("--turn", type=click.IntRange(0), metavar="TURN", help="Watch from there; export it.")
@option(
    "--as-team",
    "team",
    type=click.IntRange(1),
    help="Watch, print or export it as team N knew it: what its pieces saw.",
)
@option(
    "--info",
    "shows_info",
    is_flag=True,
    help="Print who played, with which settings, and the result.",
)
@option("--verify", "verifies", is_flag=True, help="Play it through the rules again and compare.")
@option(
    "--json", "prints_json", is_flag=True, help="With --info, --verify: print JSON, nothing else."
)
@option(
    "--seed-hash",
    metavar="HASH",
    help="With --verify: what the page of the game showed as the SHA-256 of its seed.",
)
@option(
    "--print", "printed", type=int, metavar="TURN", help="Print the board at the end of a turn."
)
@combine(_export_options())
@option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    help="Folder in which the newest replay is looked for.",
)
@option("--live", type=click.Path(path_type=Path), hidden=True)
@click.pass_context
def cli(
    context: click.Context,
    /,
    file: Path | None,
    file_2: Path | None,
    live: Path | None,
    **_: object,
) -> None:
    """Watch a recorded match, or two side by side. Without FILE: the newest one."""
    options = parse_replay_options(context)
    with deferring_signals():  # what reads and shows replays takes a while to import
        from cli.replay_use import open_replays, use_replays, watch_parent
    if live is not None:  # we were started by main.py (visualizer/viewer.py)
        watch_parent(live, options)
        return
    with TemporaryDirectory() as folder:
        context.exit(use_replays(open_replays(file, file_2, options, Path(folder)), options))


def parse_replay_options(context: click.Context) -> ReplayOptions:
    """Return what is to be done. Raises: UsageError for an option without effect."""
    params = context.params
    if params["prints_json"] and not (params["shows_info"] or params["verifies"]):
        raise UsageError("--json would have no effect: it is for --info and --verify")
    if params["prints_json"] and params["printed"] is not None:
        raise UsageError("--json: --print prints a board, which is text; leave out one of the two")
    return ReplayOptions(
        render=Render(params["render"]),
        turn=params["turn"],
        shows_info=params["shows_info"],
        prints_json=params["prints_json"],
        verifies=params["verifies"],
        team=params["team"],
        seed_hash=parse_seed_hash(params),
        printed=params["printed"],
        export=params["export"],
        request=parse_export_request(params),
        out=params["out"],
    )


def parse_seed_hash(params: Mapping[str, Any]) -> str | None:
    """Return the hash to compare with, in small letters. Raises: UsageError."""
    typed: str | None = params["seed_hash"]
    if typed is None:
        return None
    if not params["verifies"]:
        raise UsageError("--seed-hash is compared by --verify")
    if not re.fullmatch(r"[0-9a-fA-F]{64}", typed.strip()):
        raise UsageError(
            f"--seed-hash {typed!r:.80}: expected the 64 hexadecimal digits of a SHA-256"
        )
    return typed.strip().lower()


def defaults() -> dict[str, Any]:
    """Return those [options] of config.toml that are ours as well. Raises: UsageError."""
    options = read_configuration().options
    return {name: str(options[name]) for name in ("out", "render") if name in options}


def main() -> NoReturn:
    """Run the console script."""
    sys.exit(run(cli, defaults))
