"""Answering whether a side, or a seat, is favored: playing bots on mirrored maps."""

import click
import msgspec

from cli.fault_lines import CANNOT_PLAY, FaultPlaces, loss_lines, why_given_up
from cli.questions import new_bar, opened, series_between
from cli.store_options import StoreOptions, sandbox_lines
from engine.bots.finding import Bot, Copies
from engine.catalogue import game_named
from engine.errors import UsageError
from engine.support.sanitizing import one_line
from engine.support.wording import counted
from runners.observers import Forecast
from runners.planning import all_bots, bots_folder, contestant_of, named_bots
from runners.questions.audit import Audit, count_matches, hold_audit
from runners.series import Series
from runners.statistics.fairness import Fairness, Seat
from runners.storage.kept_series import with_kept_secret
from runners.storage.store import KeptResult
from runners.team_counts import fewest_teams, require_teams

FAVORED = 3
"""The exit code if a side, or a seat, is favored."""
MOST_MATCHES = 1_000_000
NAMED = 3
"""How many maps are shown."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: of whom, and on how many maps."""

    store: StoreOptions
    bots: tuple[str, ...]
    """The bots as they were named; none: all of the game."""
    maps: int
    seats: int | None
    """The seats of a match; None: as few as the game allows."""


def answer_question(asked: Question) -> int:
    """Play all that is needed, print the answer, and return the exit code."""
    found, places = find_out(asked)
    if asked.store.match.prints_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        click.echo("\n".join([_text(found, places), *sandbox_lines(asked.store)]))
    if found.hopeless is not None:
        return CANNOT_PLAY
    return 0 if found.is_fair else FAVORED


def find_out(asked: Question) -> tuple[Audit, FaultPlaces]:
    """Return what was found, and where. Raises: UsageError, EngineFailure, KeyboardInterrupt."""
    match = asked.store.match
    bots = _bots(asked)
    series = series_between(asked.store, (str(bots[0].path),) * _seats(asked), asked.maps)
    total = _counted(len(bots), series)
    copies = Copies(match.out / "bots")
    for bot in bots:
        copies.keep(bot)
    with (
        opened(asked.store) as (store, pool),
        new_bar(asked.store, total=total, unit="match") as bar,
    ):
        contestants = [contestant_of(bot) for bot in bots]
        kept = with_kept_secret(series, store, contestants)
        files = dict(zip(contestants, (bot.path for bot in bots), strict=True))
        places = FaultPlaces(commands=asked.store.commands, game=match.game, files=files)
        is_wanted = match.shows_progress and match.run.cluster is None
        forecast = Forecast(total, match.run.workers, is_wanted=is_wanted)

        def watch(result: KeptResult) -> None:
            forecast.heard(result.teams)
            bar.update()

        with forecast:
            return hold_audit(contestants, kept, store, pool, watch), places


def _bots(asked: Question) -> list[Bot]:
    """Return those who play. Raises: UsageError if there is none."""
    request = asked.store.match.request
    folder = bots_folder(request.game)
    if asked.bots:
        bots, _ = named_bots(asked.bots, folder, request.packages)
    else:
        bots, _ = all_bots(folder, request.packages)
    if not bots:
        raise UsageError(f"no bots in {folder}: name one")
    return bots


def _seats(asked: Question) -> int:
    """Return the seats of a match. Raises: UsageError for so many as the game cannot have."""
    game = game_named(asked.store.match.game)
    seats = asked.seats or fewest_teams(game, least=2)
    require_teams(game, seats)
    return seats


def _counted(bots: int, series: Series) -> int:
    """Return how many matches that takes. Raises: UsageError for more than one would wait for."""
    total = count_matches(bots, series)
    if total > MOST_MATCHES:
        raise UsageError(
            f"of {bots} bots there are {total} matches to play, and {MOST_MATCHES} at most are: "
            "name fewer bots, or take fewer --games"
        )
    return total


def _text(found: Audit, places: FaultPlaces) -> str:
    """Return the answer for people."""
    if found.hopeless is not None:
        lost = loss_lines(found.lost_decisions, places)
        return "\n".join([*lost, "", f"{why_given_up(found.hopeless)}, or leave it out"])
    names = ", ".join(one_line(bot.name) for bot in found.bots)
    seats = len(found.alone.seats)
    side, how, sets = "side", "in side-swapped pairs", "pairs"
    if seats > 2:
        side, how, sets = "seat", f"in {seats}-player matches, in all rotations", "sets"
    lines = [f"is a {side} favored? asked of {names}"]
    if found.between.sets:
        between = found.between
        lines += ["", f"against each other, {how}:", *_figures(between)]
        lines += [f"  decided by {side}: {between.decided_by_side} of {between.sets} {sets}"]
    lines += ["", "against themselves:", *_figures(found.alone)]
    if found.lost_decisions:
        lines += ["", *loss_lines(found.lost_decisions, places)]
    return "\n".join([*lines, "", f"maps follow from secret {found.secret}, seed {found.seed}"])


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
    """Return the advantage of a seat, in Elo."""
    best, limits = seat.elo, seat.elo_interval
    if best is None:
        return "won everything" if seat.share else "won nothing"
    low, high = ("no limit" if limit is None else f"{limit:+.0f}" for limit in limits)
    return f"{best:+.0f} Elo ({low} to {high})"
