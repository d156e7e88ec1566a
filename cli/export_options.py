"""Declare the options of replay.py that say what is exported."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from engine.errors import UsageError
from visualizer.export.plan import ENDINGS, FORMS, OPTIONS, PICTURE_SIZE, ExportRequest

Command = Callable[..., Any]


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


def export_options(command: Command) -> Command:
    """Decorate a click command with `--export` and what goes with it; it has its own `--turn`."""
    for option in reversed(_options()):
        command = option(command)
    return command


def export_request_of(params: Mapping[str, Any]) -> ExportRequest:
    """Return how to export. Raises: UsageError for an option without effect."""
    request = ExportRequest(**{name: params[name] for name in OPTIONS})
    if params["export"] is None:
        _refuse(replace(request, turn=None))  # a turn can be watched, too
    return request


def _refuse(request: ExportRequest) -> None:
    """Raises: UsageError for anything that was asked for."""
    for name, (option, _) in OPTIONS.items():
        if getattr(request, name) is not None:
            raise UsageError(f"{option} needs --export FILE")


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
            help="Write a picture (of --turn, or of the end), an animation, a video or a web "
            f"page, by the ending: {', '.join(ENDINGS)}. Needs no screen; .mp4 needs ffmpeg.",
        ),
        click.option("--from", "first", type=int, metavar="N", help="The first turn of it."),
        click.option("--to", "last", type=int, metavar="N", help="The last turn of it."),
        click.option(
            "--fps", type=float, metavar="N", help=f"Frames per second.  [default: {rates}]"
        ),
        click.option(
            "--speed",
            type=float,
            metavar="X",
            help="1 is four turns per second; default: faster for longer matches, so that a file "
            f"can be shared and lasts at most so many seconds: {lasting}.",
        ),
        click.option(
            "--size", callback=read_size, metavar="WxH", help=f"In pixels.  [default: {sizes}]"
        ),
        click.option(
            "--drawings",
            is_flag=True,
            default=None,
            help="With what the bots drew and logged (self.draw, self.log).",
        ),
    ]


def _times(size: tuple[int, int]) -> str:
    return "{}x{}".format(*size)
