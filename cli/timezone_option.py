"""The time zone in which times are typed that say none."""

from datetime import tzinfo

import click

from engine.errors import UsageError
from runners.contests.times import BadTime, parse_time_zone


def _read(context: click.Context, option: click.Parameter, name: str) -> tzinfo:
    """Raises: UsageError."""
    try:
        return parse_time_zone(name)
    except BadTime as error:
        raise UsageError(f"--timezone: {error}") from error


TIMEZONE = click.option(
    "--timezone",
    envvar="SLIME_MIND_TIMEZONE",
    default="UTC",
    show_default=True,
    metavar="NAME",
    callback=_read,
    help="The time zone, such as Europe/Berlin, of times that say none.",
)
