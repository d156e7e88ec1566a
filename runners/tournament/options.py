"""What can be said of a tournament, beside all that can be said of matches."""

import re
from collections.abc import Callable
from typing import Any

import click

from engine.shelves import Shelf
from runners.formats import FORMATS
from runners.options import choices_from, said_options
from runners.store_options import CLUSTER, RESULTS
from runners.tournament.entering import USUAL_FORMAT, Wanted

USUAL_NAME = "tournament"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")
TAKEN = ("bots", "series", "sprites", *map(str, Shelf))
"""Folders of --out that are none of a tournament."""
MOST_PAGES = 200
"""To watch matches: each takes a second to make, and 150 KB."""
OF_PLAN = ("game", "format", "table", "games", "rounds", "quarantine", "seed")
"""Options that are fields of the plan by the same name."""


class TournamentName(click.types.StringParamType):
    """It is a folder's name, too."""

    name = "name"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not NAME.fullmatch(value) or value in TAKEN:
            self.fail(
                f"'{value}' cannot be the name of a tournament: letters, digits, _, - and . only, "
                f"60 at most, and none of {', '.join(TAKEN)}"
            )
        return value


PAGES = click.option(
    "--pages",
    type=click.IntRange(0, MOST_PAGES),
    metavar="N",
    default=MOST_PAGES,
    show_default=True,
    help="The report has pages to watch so many matches, the most interesting first.",
)

OPTIONS = (
    click.argument("bots", nargs=-1),
    click.option(
        "--format",
        type=click.Choice(list(FORMATS)),
        help=f"Who meets whom; default: {USUAL_FORMAT}. A gauntlet is run by the first bot.",
    ),
    click.option(
        "--name",
        default=USUAL_NAME,
        show_default=True,
        type=TournamentName(),
        metavar="NAME",
        help="What it is called; the same name goes on with the same tournament.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1, 100_000),
        metavar="N",
        help="Maps of each pairing of bots, or of each table: every map is played once in every "
        "rotation of the seats, so by two bots twice, with sides exchanged; default: 1.",
    ),
    click.option(
        "--table",
        type=click.IntRange(2),
        metavar="N",
        help="How many meet at once; default: as few as the game allows. Knockouts are for two.",
    ),
    click.option(
        "--rounds",
        type=click.IntRange(1),
        metavar="N",
        help="Of a Swiss tournament or a ladder; default: as many as its bots need.",
    ),
    click.option(
        "--quarantine",
        type=click.IntRange(0),
        metavar="N",
        help="A bot that broke in so many matches in a row forfeits the rest; default: 3; "
        "0: never.",
    ),
    RESULTS,
    CLUSTER,
    click.option(
        "--keep-replays",
        "kept_replays",
        type=click.IntRange(1),
        metavar="N",
        help="Of so many matches the replays are kept, the most interesting first (finals, "
        "upsets, close matches, faults); default: of all; --no-replay: of none.",
    ),
    click.option(
        "--report/--no-report",
        default=True,
        show_default=True,
        help="At the end, write the report: pages for a browser.",
    ),
    PAGES,
    click.option(
        "--dry-run",
        is_flag=True,
        help="Only tell how many matches there will be, how long they will take, and how much "
        "disk: a few are played for it, and thrown away.",
    ),
)


def tournament_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a click command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def wanted(context: click.Context) -> Wanted:
    """What was asked for, from the words of the command line and its files."""
    said = said_options(context)
    return Wanted(
        name=context.params["name"],
        bots=context.params["bots"],
        said={name: said[name] for name in OF_PLAN if name in said},
        choices=choices_from(said),
        packages=said.get("packages", ()),
    )
