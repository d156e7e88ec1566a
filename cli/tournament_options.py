"""Declare the options of tournaments, beside those of matches."""

from typing import Any

import click

from cli.choices import Choice, combine, complete_bots, option
from cli.store_options import CLUSTER, RESULTS, StoreOptions
from runners.arguments import MAP_PAIRS, ROUNDS
from runners.contests.tournament_request import TournamentRequest, why_no_name
from runners.formats import FORMATS, USUAL_FORMAT
from runners.match_request import RunOptions

USUAL_NAME = "tournament"
MAX_PAGES = 200
"""Pages to watch matches: each takes a second to make, and 150 KB."""
OF_PLAN = ("game", "format", "table", "games", "rounds", "quarantine", "decides", "seed")
"""Options that are fields of a tournament's plan by the same name."""


class TournamentName(click.types.StringParamType):
    """The name of a tournament, which is that of a folder, too."""

    name = "name"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if why := why_no_name(value):
            self.fail(why)
        return value


PAGES = option(
    "--pages",
    type=click.IntRange(0, MAX_PAGES),
    default=MAX_PAGES,
    help="Pages of the report to watch matches, the most interesting ones first.",
)

OPTIONS = (
    click.argument("bots", nargs=-1, shell_complete=complete_bots),
    option(
        "--format",
        type=Choice(list(FORMATS)),
        help=f"Pairing system; default: {USUAL_FORMAT}. In a gauntlet the first bot plays all "
        "others.",
    ),
    option(
        "--name",
        default=USUAL_NAME,
        type=TournamentName(),
        metavar="NAME",
        help="Its name; the same name resumes the same tournament.",
    ),
    option(
        "--pairs",
        "games",
        type=click.IntRange(*MAP_PAIRS),
        help="Map pairs per pairing: every map is played twice, with sides swapped; of N-player "
        "matches once in every rotation of the seats; default: 1.",
    ),
    option(
        "--table",
        type=click.IntRange(2),
        help="N-player matches; default: as few players as the game allows. Knockouts are for two.",
    ),
    option(
        "--rounds",
        type=click.IntRange(*ROUNDS),
        help="Rounds of a Swiss tournament or a ladder; default: as many as its bots need.",
    ),
    option(
        "--quarantine",
        type=click.IntRange(0),
        help="A bot that breaks in N matches in a row forfeits the rest; default: 3; 0: never.",
    ),
    option(
        "--decide",
        "decides",
        is_flag=True,
        help="A pairing ends once it is known who of the two is better, with 95 % confidence; "
        "--pairs says after how many map pairs at the latest.",
    ),
    RESULTS,
    CLUSTER,
    option(
        "--keep-replays",
        "kept_replays",
        type=click.IntRange(1),
        help="Keep the replays of the N most interesting matches (finals, upsets, close matches, "
        "faults); default: of all; --no-replay: of none.",
    ),
    option(
        "--report/--no-report",
        "writes_report",
        default=True,
        help="At the end, write the report: pages for a browser.",
    ),
    PAGES,
    option(
        "--dry-run",
        "is_dry_run",
        is_flag=True,
        help="Only estimate the number of matches, their time and disk space: a few are played "
        "for it, and discarded.",
    ),
)
tournament_options = combine(OPTIONS)


class TournamentOptions(StoreOptions, frozen=True, kw_only=True):
    """The options of the command, by the names of its parameters, and those of its group."""

    said: dict[str, Any]
    """Those that were given, by the command line or a file."""
    bots: tuple[str, ...]
    format: str | None
    name: str
    games: int | None
    table: int | None
    rounds: int | None
    quarantine: int | None
    decides: bool
    cluster: str | None
    """What `match` says, too."""
    kept_replays: int | None
    writes_report: bool
    pages: int
    is_dry_run: bool

    @property
    def request(self) -> TournamentRequest:
        """Return what is asked of the tournament."""
        return TournamentRequest(
            name=self.name,
            bots=self.bots,
            said={name: self.said[name] for name in OF_PLAN if name in self.said},
            match=self.match.request,
        )

    @property
    def run(self) -> RunOptions:
        """Return how matches are played, and what is kept of them."""
        return self.match.run

    @property
    def prints_json(self) -> bool:
        """Return whether only JSON is printed."""
        return self.match.prints_json
