"""`main.py fairness BOTS`: is a side, or a seat, favoured? The exit code is the answer."""

from typing import Any

import click
import msgspec

from engine.bots.finding import Copies
from engine.bots.wire import one_line
from engine.catalogue import game_named
from engine.errors import UsageError
from runners.fairness import Fairness, Seat
from runners.multi_match import Series
from runners.options import Options, plan_from
from runners.planning import all_bots, bots_folder, contestant_of, named_bots
from runners.questions.asking import new_bar, opened, options_of
from runners.questions.audit import Audit, count_matches, hold_audit
from runners.store_options import CLUSTER, RESULTS
from runners.team_counts import fewest_teams, require_teams
from runners.tournament.table import counted

FAVOURED = 3
"""The exit code."""
MOST_MATCHES = 1_000_000
NAMED = 3
"""Maps that are shown."""


@click.command(
    epilog="Exit codes: 0 no side is favoured beyond chance, 3 one is, 1 a match could not be "
    "played, 2 wrong usage, 130 stopped."
)
@click.argument("bots", nargs=-1)
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=10,
    show_default=True,
    metavar="N",
    help="Maps; on each every two bots play a mirrored pair, and every bot plays itself.",
)
@click.option(
    "--table",
    type=click.IntRange(2),
    metavar="N",
    help="How many play at once, all tables of so many there are, in all rotations of the seats; "
    "default: as few as the game allows.",
)
@RESULTS
@CLUSTER
@click.pass_context
def fairness(context: click.Context, /, **own: Any) -> None:
    """Is a side, or a seat, favoured? Bots play each other on mirrored maps, and themselves.

    Those you name, or all of playerCode but the template. What was played is kept: the same
    command goes on, or just gives the answer again.
    """
    options = options_of(context)
    found = find_out(options)
    click.echo(msgspec.json.encode(found).decode() if options["prints_json"] else _text(found))
    context.exit(0 if found.is_fair else FAVOURED)


def find_out(options: Options) -> Audit:
    """Raises: UsageError, EngineFailure, KeyboardInterrupt."""
    folder, packages = bots_folder(options["game"]), options["packages"]
    bots = named_bots(options["bots"], folder) if options["bots"] else all_bots(folder, packages)[0]
    if not bots:
        raise UsageError(f"no bots in {folder}: name one")
    seats = _seats(options)
    series = plan_from(options, [str(bots[0].path)] * seats).series(options["games"])
    total = _counted(len(bots), series)
    copies = Copies(options["out"] / "bots")
    for bot in bots:
        copies.keep(bot)
    with opened(options) as (store, pool), new_bar(options, total=total, unit="match") as bar:
        contestants = [contestant_of(bot) for bot in bots]
        return hold_audit(contestants, series, store, pool, bar.update)


def _seats(options: Options) -> int:
    """Of a match. Raises: UsageError for so many as the game cannot have."""
    game = game_named(options["game"])
    seats: int = options["table"] or fewest_teams(game, least=2)
    require_teams(game, seats)
    return seats


def _counted(bots: int, series: Series) -> int:
    """How many matches that takes. Raises: UsageError for more than anybody would wait for."""
    total = count_matches(bots, series)
    if total > MOST_MATCHES:
        raise UsageError(
            f"of {bots} bots there are {total} matches to play, and {MOST_MATCHES} at most are: "
            "name fewer bots, or take fewer --games"
        )
    return total


def _text(found: Audit) -> str:
    """For people."""
    names = ", ".join(one_line(bot.name) for bot in found.bots)
    seats = len(found.alone.seats)
    side, how, sets = "side", "in mirrored pairs", "pairs"
    if seats > 2:
        side, how, sets = "seat", f"at tables of {seats}, in all rotations", "sets"
    lines = [f"is a {side} favoured? asked of {names}"]
    if found.between.sets:
        between = found.between
        lines += ["", f"against each other, {how}:", *_figures(between)]
        lines += [f"  decided by {side}: {between.decided_by_side} of {between.sets} {sets}"]
    return "\n".join([*lines, "", "against themselves:", *_figures(found.alone)])


def _figures(found: Fairness) -> list[str]:
    seats = found.seats if len(found.seats) > 2 else found.seats[:1]  # of two one says it all
    return [
        f"  {found.words()}",
        *(f"  team {seat.number}: {_advantage(seat)}" for seat in seats),
        *(
            f"  seed {one.seed}: {one.share:.0%} of the points for team {one.seat} "
            f"({counted(one.sets, 'set', 'sets')})"
            for one in found.offenders[:NAMED]
        ),
    ]


def _advantage(seat: Seat) -> str:
    """In Elo."""
    best, limits = seat.elo, seat.elo_interval
    if best is None:
        return "won everything" if seat.share else "won nothing"
    low, high = ("no limit" if limit is None else f"{limit:+.0f}" for limit in limits)
    return f"{best:+.0f} Elo ({low} to {high})"
