"""Define an option type with a fixed set of values."""

from typing import Any

import click

from engine.catalog import GAMES, OURS, find_game, find_package
from engine.support.wording import did_you_mean
from visualizer.watching.render import Render


class Choice(click.Choice[str]):
    """A choice of click's that suggests the value that may have been meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return f"{message}{did_you_mean(str(value), self.choices) or '.'}"


class GameChoice(Choice):
    """A game; those of packages are looked for where it is none of ours."""

    def __init__(self) -> None:
        super().__init__([*OURS])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in OURS:
            if find_package(value) is not None:
                find_game(value)  # which says why it is not played
            self.choices = (*GAMES,)
        return super().convert(value, param, ctx)


class RenderChoice(Choice):
    """What is shown; 0 and false, 1 and true are understood as well: it was a number once."""

    def __init__(self) -> None:
        super().__init__([str(render) for render in Render])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        word = str(value).lower()
        if word in ("0", "false"):
            value = Render.NONE
        elif word in ("1", "true"):
            value = Render.AUTO
        return super().convert(str(value), param, ctx)
