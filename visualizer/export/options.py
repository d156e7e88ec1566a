"""The options of the command line that say what is exported."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from engine.errors import UsageError
from visualizer.export.plan import ENDINGS, FORMS, OPTIONS, PICTURE_SIZE, Wishes

Command = Callable[..., Any]


def read_size(
    context: click.Context, option: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    """`960x544`. Raises: BadParameter."""
    if text is None:
        return None
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise click.BadParameter(f"'{text}' is no size; write it like 960x544", context, option)
    return int(width), int(height)


def export_options(command: Command) -> Command:
    """Adds `--export` and what goes with it: the arguments `export` and `wishes`.

    The command has a `turn` of its own, which is a wish as well.
    """

    @wraps(command)
    def with_wishes(*arguments: Any, export: Path | None, turn: int | None, **others: Any) -> Any:
        wishes = Wishes(**{name: others.pop(name) for name in OPTIONS if name != "turn"})
        if export is None:
            _refuse(wishes)
        wishes = replace(wishes, turn=turn)
        return command(*arguments, export=export, wishes=wishes, turn=turn, **others)

    decorated: Command = with_wishes
    for option in reversed(_options()):
        decorated = option(decorated)
    return decorated


def _refuse(wishes: Wishes) -> None:
    for name, (option, _) in OPTIONS.items():
        if getattr(wishes, name) is not None:
            raise UsageError(f"{option} goes with --export FILE")


def _options() -> list[Callable[[Command], Command]]:
    sizes = ", ".join(
        f"{ending} {_times(size)}"
        for ending, size in ((".png", PICTURE_SIZE), *((name, FORMS[name].size) for name in FORMS))
    )
    rates = ", ".join(f"{ending} {form.fps:g}" for ending, form in FORMS.items())
    lasting = ", ".join(f"{ending} {form.longest_s:g}" for ending, form in FORMS.items())
    return [
        click.option(
            "--export",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help=f"Make a picture (of --turn, or of the end), an animation, a video or a page of "
            f"it, by the ending: {', '.join(ENDINGS)}. Needs no screen; .mp4 needs ffmpeg.",
        ),
        click.option("--from", "first", type=int, metavar="N", help="The first turn to be shown."),
        click.option("--to", "last", type=int, metavar="N", help="The last one."),
        click.option(
            "--fps", type=float, metavar="N", help=f"Pictures per second.  [default: {rates}]"
        ),
        click.option(
            "--speed",
            type=float,
            metavar="X",
            help="1 is four turns per second. Unless said, longer matches play faster, so that "
            f"a file can be shared: they last at most so many seconds: {lasting}.",
        ),
        click.option(
            "--size", callback=read_size, metavar="WxH", help=f"In pixels.  [default: {sizes}]"
        ),
    ]


def _times(size: tuple[int, int]) -> str:
    return "{}x{}".format(*size)
