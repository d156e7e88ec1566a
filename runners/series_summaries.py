"""What came of many matches, in words and in JSON."""

from typing import Any

import msgspec

from runners.commands import Commands
from runners.multi_match import A, SeriesResult
from runners.summaries import MAY_DIFFER, gaps_of, rounds_lost
from runners.tallies import Tally


def series_summary(result: SeriesResult, commands: Commands) -> str:
    """The rates with their intervals, by side, faults, and how to play one again."""
    names = _names(result)
    means = [f"{name} {result.mean_score(player):.1f}" for player, name in enumerate(names)]
    lines = [
        _heading(result, names),
        "",
        *(_duel(result, names[A]) if len(names) == 2 else _tables(result, names)),
        "",
        f"  mean score        {', '.join(means)}",
        f"  really different  {result.distinct} of {len(result.played)} matches",
    ]
    for player, name in enumerate(names):
        lines += _faults(result, player, name)
    lines += [f"  not played        {failure}" for failure in result.failures]
    lines += _compared(result)
    lines += gaps_of(result.played[0].result.sandbox) if result.played else []
    lines.append("")
    if result.csv is not None:
        lines.append(f"every match, with its key:  {result.csv}")
    if result.played and not result.series.in_process:
        again = commands.again(result.played[0].result.key)
        lines.append(f"play one of them again:     {again}")
    return "\n".join(lines)


def series_as_json(result: SeriesResult) -> str:
    """For scripts: the figures, then the matches in the order of the schedule."""
    series = result.series
    players = range(series.teams)
    return msgspec.json.encode(
        {
            "players": series.contestants,
            "seed": series.seed,
            "matches": series.matches,
            "played": len(result.played),
            "was_stopped": result.was_stopped,
            **(_duel_json(result) if series.teams == 2 else {}),
            "tallies": [_tally_json(result, player) for player in players],
            "mean_scores": [result.mean_score(player) for player in players],
            "faults": [result.faults(player) for player in players],
            "distinct": result.distinct,
            "failures": result.failures,
            "csv": None if result.csv is None else str(result.csv),
            "results": [played.result for played in result.played],
        }
    ).decode()


def _names(result: SeriesResult) -> list[str]:
    """Of more than two with a number behind them where they would not tell the bots apart."""
    names = [contestant.name for contestant in result.series.contestants]
    if len(names) == 2 or len(set(names)) == len(names):
        return names
    return [f"{name} ({number})" for number, name in enumerate(names, 1)]


def _heading(result: SeriesResult, names: list[str]) -> str:
    series = result.series
    who = " against ".join(names) if len(names) == 2 else f"{', '.join(names[:-1])} and {names[-1]}"
    count = f"{len(result.played)} of {series.matches} matches"
    stopped = ", stopped" if result.was_stopped else ""
    return f"{who}: {count}, seed {series.seed}{stopped}"


def _duel(result: SeriesResult, a: str) -> list[str]:
    """Two bots: how the first one did; the other's figures are the same from the other end."""
    width = max(len(a), len("  as team 1"))
    heads = f"{'games':>7}{'wins':>6}{'draws':>7}{'losses':>8}  win rate (95 % interval)"
    return [
        f"  {'':<{width}}{heads}",
        _duel_line(a, result.tally(A), width),
        _duel_line("  as team 1", result.tally(A, seat=1), width),
        _duel_line("  as team 2", result.tally(A, seat=2), width),
    ]


def _duel_line(label: str, tally: Tally, width: int) -> str:
    counts = f"{tally.games:>7}{tally.wins:>6}{tally.draws:>7}{tally.losses:>8}"
    return f"  {label:<{width}}{counts}  {_rate(tally)}"


def _tables(result: SeriesResult, names: list[str]) -> list[str]:
    """More than two: how each did, and from which seat."""
    width = max(map(len, [*names, "points as"]))
    seats = range(1, len(names) + 1)
    lines = [f"  {'':<{width}}{'games':>7}{'wins':>6}{'mean place':>12}  points (95 % interval)"]
    for player, name in enumerate(names):
        tally = result.tally(player)
        place = "-" if tally.mean_place is None else f"{tally.mean_place:.2f}"
        counts = f"{tally.games:>7}{tally.wins:>6}{place:>12}"
        lines.append(f"  {name:<{width}}{counts}  {_rate(tally)}")
    lines += ["", f"  {'points as':<{width}}" + "".join(f"{f'team {seat}':>9}" for seat in seats)]
    for player, name in enumerate(names):
        rates = (f"{_bare_rate(result.tally(player, seat)):>9}" for seat in seats)
        lines.append(f"  {name:<{width}}{''.join(rates)}")
    return lines


def _rate(tally: Tally) -> str:
    if not tally.games:
        return "     -"
    low, high = tally.interval
    return f"{tally.rate:6.1%} ({low:.1%} to {high:.1%})"


def _bare_rate(tally: Tally) -> str:
    return f"{tally.rate:.1%}" if tally.games else "-"


def _faults(result: SeriesResult, player: int, name: str) -> list[str]:
    faults = result.faults(player)
    if not faults:
        return []
    keys = [match.result.key for match in result.played if match.team(player).faults]
    where = f"in {len(keys)} matches, first in {keys[0]}"
    return [f"  lost by {name}: {rounds_lost(faults)} {where}"]


def _compared(result: SeriesResult) -> list[str]:
    """What these matches are, where they are not the results."""
    lines = []
    if result.series.in_process:
        lines.append("  apart             no results, as nobody judged them")
    keys = [match.result.key for match in result.played if match.result.differs]
    if keys:
        lines.append(
            f"  again             {len(keys)} came out differently from their first playing, "
            f"{MAY_DIFFER}; first {keys[0]}"
        )
    return lines


def _tally_json(result: SeriesResult, player: int) -> dict[str, Any]:
    tally = result.tally(player)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "mean_place": tally.mean_place,
        "points": tally.rate,
        "interval_95": tally.interval,
        "by_seat": [
            {"games": of_seat.games, "wins": of_seat.wins, "points": of_seat.rate}
            for of_seat in (
                result.tally(player, seat) for seat in range(1, result.series.teams + 1)
            )
        ],
    }


def _duel_json(result: SeriesResult) -> dict[str, Any]:
    """Of the first of two."""
    whole = result.tally(A)
    return {
        "wins": whole.wins,
        "draws": whole.draws,
        "losses": whole.losses,
        "win_rate": whole.rate,
        "interval_95": whole.interval,
        "by_side": [
            {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
            for tally in (result.tally(A, seat=1), result.tally(A, seat=2))
        ],
    }
