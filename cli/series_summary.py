"""Format the summary of a series, for people and for scripts."""

import msgspec

from cli.fault_lines import FaultPlaces, loss_lines, why_given_up
from cli.match_summary import MAY_DIFFER
from cli.sandbox_warnings import protection_warnings
from engine.result_folder import ResultFolder
from engine.streams import seed_text
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.commands import Commands
from runners.series import A, SeriesResult, Tally


def series_summary(
    result: SeriesResult,
    commands: Commands,
    *,
    is_verbose: bool = False,
    warns_of_root: bool = True,
) -> str:
    """Return rates with their intervals, by side, faults, and where every match is listed.

    `is_verbose`: with the seed and the secret of its maps, and how to play a match again.
    """
    names = _player_names(result)
    means = [f"{name} {result.mean_score(player):.1f}" for player, name in enumerate(names)]
    lines = [
        _heading_text(result, names),
        "",
        *(_duel_lines(result, names[A]) if len(names) == 2 else _table_lines(result, names)),
        "",
        f"  mean score        {', '.join(means)}",
        f"  distinct games    {result.distinct} of {pluralize(len(result.played), 'match')}",
    ]
    lines += loss_lines(result.lost_decisions, _fault_places(result, commands), names)
    lines += [f"  not played        {failure}" for failure in result.failures]
    lines += _comparison_lines(result)
    lines += _void_lines(result)
    lines += [
        f"  sandbox           {warning}"
        for match in result.played[:1]  # it is the same in all matches
        for warning in protection_warnings(match.result.sandbox, warns_of_root=warns_of_root)
    ]
    lines += _next_lines(result, is_verbose=is_verbose)
    if result.hopeless is not None:
        lines += ["", why_given_up(result.hopeless)]
    lines.append("")
    if result.csv is not None:
        lines.append(f"every match, with its key:  {result.csv}")
    if is_verbose and result.played and not result.series.run.play.in_process:
        again = commands.play_again_command(result.played[0].result.key)
        lines.append(f"play one of them again:     {again}")
    return "\n".join(lines)


def series_as_json(result: SeriesResult) -> str:
    """Return the figures for scripts, then the matches in the order of the schedule."""
    series = result.series
    players = range(series.teams)
    return msgspec.json.encode(
        {
            "players": series.contestants,
            "seed": seed_text(series.seed),
            "secret": _secret_text(result),
            "matches": series.matches,
            "played": len(result.played),
            "played_before": result.known,
            "was_stopped": result.was_stopped,
            **(_duel_json(result) if series.teams == 2 else {}),
            "tallies": [_tally_json(result, player) for player in players],
            "mean_scores": [result.mean_score(player) for player in players],
            "faults": [result.faults(player) for player in players],
            "lost_decisions": result.lost_decisions,
            "distinct": result.distinct,
            "failures": result.failures,
            "void_tries": sum(len(match.result.void_tries) for match in result.played),
            "sandbox": result.played[0].result.sandbox if result.played else None,
            "csv": None if result.csv is None else str(result.csv),
            "results": [played.result.with_text_seed() for played in result.played],
        }
    ).decode()


def _player_names(result: SeriesResult) -> list[str]:
    """Return the names; of more than two with a number where they are the same."""
    names = [contestant.name for contestant in result.series.contestants]
    if len(names) == 2 or len(set(names)) == len(names):
        return names
    return [f"{name} ({number})" for number, name in enumerate(names, 1)]


def _heading_text(result: SeriesResult, names: list[str]) -> str:
    series = result.series
    who = " against ".join(names) if len(names) == 2 else f"{', '.join(names[:-1])} and {names[-1]}"
    count = f"{len(result.played)} of {pluralize(series.matches, 'match')}"
    stopped = ", stopped" if result.was_stopped else ""
    return f"{who}: {count}{stopped}"


def _secret_text(result: SeriesResult) -> str | None:
    """Return what the maps were drawn from; None while one of them is still to be played."""
    secret = result.published_secret
    return None if secret is None else seed_text(secret)


def _next_lines(result: SeriesResult, *, is_verbose: bool) -> list[str]:
    """Return what had been played before, and what is still to play or may be known now."""
    lines, secret = [], _secret_text(result)
    if result.known:
        lines.append(f"  played before     {pluralize(result.known, 'match')}, not played again")
    if secret is not None and is_verbose:
        seed = seed_text(result.series.seed)
        lines.append(f"  maps              follow from secret {secret}, seed {seed}")
        lines.append("  other maps        --seed N with another N")
    elif secret is None and not result.series.run.play.in_process:
        lines.append("  to resume         the same command, with the same bots")
    return lines


def _duel_lines(result: SeriesResult, a: str) -> list[str]:
    """Return how the first of two did; the other's figures are the same, mirrored."""
    width = max(len(a), len("  as team 1"))
    heads = f"{'games':>7}{'wins':>6}{'draws':>7}{'losses':>8}  win rate (95 % interval)"
    return [
        f"  {'':<{width}}{heads}",
        _duel_line(a, result.count_results(A), width),
        _duel_line("  as team 1", result.count_results(A, seat=1), width),
        _duel_line("  as team 2", result.count_results(A, seat=2), width),
    ]


def _duel_line(label: str, tally: Tally, width: int) -> str:
    counts = f"{tally.games:>7}{tally.wins:>6}{tally.draws:>7}{tally.losses:>8}"
    return f"  {label:<{width}}{counts}  {_rate(tally)}"


def _table_lines(result: SeriesResult, names: list[str]) -> list[str]:
    """Return how each of more than two did, and from which seat."""
    width = max(map(len, [*names, "points as"]))
    seats = range(1, len(names) + 1)
    lines = [f"  {'':<{width}}{'games':>7}{'wins':>6}{'mean place':>12}  points (95 % interval)"]
    for player, name in enumerate(names):
        tally = result.count_results(player)
        place = "-" if tally.mean_place is None else f"{tally.mean_place:.2f}"
        counts = f"{tally.games:>7}{tally.wins:>6}{place:>12}"
        lines.append(f"  {name:<{width}}{counts}  {_rate(tally)}")
    lines += ["", f"  {'points as':<{width}}" + "".join(f"{f'team {seat}':>9}" for seat in seats)]
    for player, name in enumerate(names):
        rates = (f"{_bare_rate(result.count_results(player, seat)):>9}" for seat in seats)
        lines.append(f"  {name:<{width}}{''.join(rates)}")
    return lines


def _rate(tally: Tally) -> str:
    if not tally.games:
        return "     -"
    low, high = tally.interval
    return f"{tally.rate:6.1%} ({low:.1%} to {high:.1%})"


def _bare_rate(tally: Tally) -> str:
    return f"{tally.rate:.1%}" if tally.games else "-"


def _fault_places(result: SeriesResult, commands: Commands) -> FaultPlaces:
    """Return where the matches are: those in process are stored separately."""
    series = result.series
    return FaultPlaces(
        commands=commands,
        game=series.spec.game,
        files=series.own_files,
        folder=ResultFolder.IN_PROCESS if series.run.play.in_process else ResultFolder.MATCHES,
    )


def _comparison_lines(result: SeriesResult) -> list[str]:
    """Return what these matches are, where they are not the results."""
    lines = []
    if result.series.run.play.in_process:
        lines.append("  unrated           played in process: no results, stored separately")
    keys = [match.result.key for match in result.played if match.result.differs]
    differ = "differs" if len(keys) == 1 else "differ"
    if keys:
        lines.append(
            f"  again             {len(keys)} {differ} from the first playing, "
            f"{MAY_DIFFER}; first {keys[0]}"
        )
    return lines


def _void_lines(result: SeriesResult) -> list[str]:
    """Return how many matches were begun again, and why the first of them was."""
    again = [match.result for match in result.played if match.result.void_tries]
    if not again:
        return []
    count, first = pluralize(len(again), "match"), again[0]
    why = one_line(first.void_tries[0])
    return [f"  void              {count} played again, first {first.key}: {why}"]


def _tally_json(result: SeriesResult, player: int) -> dict[str, object]:
    tally = result.count_results(player)
    return {
        "games": tally.games,
        "wins": tally.wins,
        "mean_place": tally.mean_place,
        "points": tally.rate,
        "interval_95": tally.interval,
        "by_seat": [
            {"games": of_seat.games, "wins": of_seat.wins, "points": of_seat.rate}
            for of_seat in (
                result.count_results(player, seat) for seat in range(1, result.series.teams + 1)
            )
        ],
    }


def _duel_json(result: SeriesResult) -> dict[str, object]:
    """Return the figures of the first of two."""
    whole = result.count_results(A)
    return {
        "wins": whole.wins,
        "draws": whole.draws,
        "losses": whole.losses,
        "win_rate": whole.rate,
        "interval_95": whole.interval,
        "by_side": [
            {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
            for tally in (result.count_results(A, seat=1), result.count_results(A, seat=2))
        ],
    }
