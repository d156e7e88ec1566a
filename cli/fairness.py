"""Measure whether a side, or a seat, is favored: the command `fairness`."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from cli.choices import complete_bots, option
from cli.store_options import CLUSTER, RESULTS, StoreOptions, sandbox_lines
from engine.catalog import find_game
from engine.errors import UsageError
from engine.support.lazy_import import lazy_imports
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.team_counts import fewest_teams, require_teams

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import fault_lines, questions
    from engine.bots import finding
    from runners import observers, planning
    from runners import series as match_series
    from runners.questions import audit as audits
    from runners.statistics import fairness as seat_statistics
    from runners.storage import kept_series
    from runners.storage import store as stores


FAVORED = 3
"""The exit code if a side, or a seat, is favored."""
MAX_MATCHES = 1_000_000
NAMED = 3
"""How many maps are shown."""


@click.command(
    epilog="Exit codes: 0 no side is favored beyond chance, 3 one is, 1 a match could not be "
    "played, or a bot loses nearly all its decisions, 2 wrong usage, 130 interrupted."
)
@click.argument("bots", nargs=-1, shell_complete=complete_bots)
@option(
    "--pairs",
    "games",
    type=click.IntRange(1, 100_000),
    default=10,
    help="Map pairs of every two bots; every bot plays itself on the same maps, too.",
)
@option(
    "--table",
    type=click.IntRange(2),
    help="Play N-player matches, of all groups of N bots, in all rotations of the seats; "
    "default: as few players as the game allows.",
)
@RESULTS
@CLUSTER
@click.pass_context
def fairness(
    context: click.Context, /, results: str | None, cluster: str | None, **asked: Any
) -> None:
    """Is a side, or a seat, favored? Bots play each other on mirrored maps, and themselves.

    Those you name, or all of playerCode but the template. What was played is kept: the same
    command resumes, or just prints the answer again.
    """
    store = questions.parse_question_options(context)
    context.exit(answer_question(FairnessQuestion(store=store, **asked)))


class FairnessQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: of whom, and on how many maps."""

    store: StoreOptions
    bots: tuple[str, ...]
    """The bots as they were named; none: all of the game."""
    games: int
    """Maps."""
    table: int | None
    """The seats of a match; None: as few as the game allows."""


def answer_question(asked: FairnessQuestion) -> int:
    """Play all that is needed, print the answer, and return the exit code."""
    found, places = find_out(asked)
    if asked.store.match.prints_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        click.echo("\n".join([_answer_text(found, places), *sandbox_lines(asked.store)]))
    if found.hopeless is not None:
        return fault_lines.CANNOT_PLAY
    return 0 if found.is_fair else FAVORED


def find_out(asked: FairnessQuestion) -> tuple[audits.Audit, fault_lines.FaultPlaces]:
    """Return what was found, and where. Raises: UsageError, EngineFailure, KeyboardInterrupt."""
    match = asked.store.match
    bots = _find_bots(asked)
    series = questions.plan_series(
        asked.store, (str(bots[0].path),) * _parse_seats(asked), asked.games
    )
    total = _count_matches(len(bots), series)
    copies = finding.Copies(match.out / "bots")
    for bot in bots:
        copies.save(bot)
    with (
        questions.open_store_and_pool(asked.store) as (store, pool),
        questions.new_bar(asked.store, total=total, unit="match") as bar,
    ):
        contestants = [planning.make_contestant(bot) for bot in bots]
        saved = kept_series.with_saved_secret(series, store, contestants)
        files = dict(zip(contestants, (bot.path for bot in bots), strict=True))
        places = fault_lines.FaultPlaces(
            commands=asked.store.commands, game=match.game, files=files
        )
        is_wanted = match.shows_progress and match.run.cluster is None
        forecast = observers.Forecast(total, match.run.workers, is_wanted=is_wanted)

        def watch(result: stores.StoredResult) -> None:
            forecast.add_match(result.teams)
            bar.update()

        with forecast:
            return audits.hold_audit(contestants, saved, store, pool, watch), places


def _find_bots(asked: FairnessQuestion) -> list[finding.Bot]:
    """Return those who play. Raises: UsageError if there is none."""
    request = asked.store.match.request
    folder = planning.bots_folder(request.game)
    if asked.bots:
        bots, _ = planning.resolve_bots(asked.bots, folder, request.packages)
    else:
        bots, _ = planning.all_bots(folder, request.packages)
    if not bots:
        raise UsageError(f"no bots in {folder}: name one")
    return bots


def _parse_seats(asked: FairnessQuestion) -> int:
    """Return the seats of a match. Raises: UsageError for so many as the game cannot have."""
    game = find_game(asked.store.match.game)
    seats = asked.table or fewest_teams(game, least=2)
    require_teams(game, seats)
    return seats


def _count_matches(bots: int, series: match_series.Series) -> int:
    """Return how many matches that takes. Raises: UsageError for more than one would wait for."""
    total = audits.count_matches(bots, series)
    if total > MAX_MATCHES:
        raise UsageError(
            f"of {bots} bots there are {total} matches to play, and {MAX_MATCHES} at most are: "
            "name fewer bots, or take fewer --pairs"
        )
    return total


def _answer_text(found: audits.Audit, places: fault_lines.FaultPlaces) -> str:
    """Return the answer for people."""
    if found.hopeless is not None:
        lost = fault_lines.loss_lines(found.lost_decisions, places)
        return "\n".join(
            [*lost, "", f"{fault_lines.why_given_up(found.hopeless)}, or leave it out"]
        )
    names = ", ".join(one_line(bot.name) for bot in found.bots)
    seats = len(found.alone.seats)
    side, how, sets = "side", "in side-swapped pairs", "pairs"
    if seats > 2:
        side, how, sets = "seat", f"in {seats}-player matches, in all rotations", "sets"
    lines = [f"is a {side} favored? asked of {names}"]
    if found.between.sets:
        between = found.between
        lines += ["", f"against each other, {how}:", *_fairness_figures(between)]
        lines += [f"  decided by {side}: {between.decided_by_side} of {between.sets} {sets}"]
    lines += ["", "against themselves:", *_fairness_figures(found.alone)]
    if found.lost_decisions:
        lines += ["", *fault_lines.loss_lines(found.lost_decisions, places)]
    return "\n".join([*lines, "", f"maps follow from secret {found.secret}, seed {found.seed}"])


def _fairness_figures(found: seat_statistics.Fairness) -> list[str]:
    seats = found.seats if len(found.seats) > 2 else found.seats[:1]  # of two one says it all
    return [
        f"  {found.describe()}",
        *(f"  team {seat.number}: {_advantage_text(seat)}" for seat in seats),
        *(
            f"  seed {one.seed}: {one.share:.0%} of the points for team {one.seat} "
            f"({pluralize(one.sets, 'set')})"
            for one in found.offenders[:NAMED]
        ),
    ]


def _advantage_text(seat: seat_statistics.Seat) -> str:
    """Return the advantage of a seat, in Elo."""
    best, limits = seat.elo, seat.elo_interval
    if best is None:
        return "won everything" if seat.share else "won nothing"
    low, high = ("no limit" if limit is None else f"{limit:+.0f}" for limit in limits)
    return f"{best:+.0f} Elo ({low} to {high})"
