"""Options with a fixed set of values."""

from typing import Any

import click

from engine.suggestions import did_you_mean


class Choice(click.Choice[str]):
    """A choice of click's that suggests the value that may have been meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        message = super().get_invalid_choice_message(value, ctx).rstrip(".")
        return f"{message}{did_you_mean(str(value), self.choices) or '.'}"
