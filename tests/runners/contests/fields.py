"""Fields of made-up bots, and results of matches nobody played."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.catalog import find_game
from engine.replays.writing import Contestant
from engine.result import cpu_use
from runners.contests.ledger import Ledger, LedgerEntry, State
from runners.contests.plan import Entrant, Field, Secret, TournamentPlan
from runners.series import Fixture
from runners.storage.store import StoredResult, StoredTeam

GAME = find_game("slime_mind")
SECRET = Secret(0, 99)
Scores = Callable[[Fixture], Sequence[float]]


def a_plan(**changes: Any) -> TournamentPlan:
    usual: dict[str, Any] = {
        "name": "spring",
        "game": GAME.name,
        "rules_version": GAME.rules_version,
        "format": "round_robin",
        "seed": 1,
        "settings": GAME.settings(),
        "limits": GAME.limits,
    }
    return TournamentPlan(**usual | changes)


def a_field(count: int, **changes: Any) -> Field:
    bots = [Contestant(name=f"bot_{number}", digest=f"d{number}") for number in range(count)]
    return Field(a_plan(**changes), tuple(Entrant(bot=bot, secret=SECRET) for bot in bots))


def a_result(key: str, scores: Sequence[float], broken: Sequence[int] = ()) -> StoredResult:
    """`broken`: the seats, from 0, of bots that were out. Each used a millisecond."""
    best = [seat for seat, score in enumerate(scores, 1) if score == max(scores)]
    teams = tuple(
        StoredTeam(
            bot=Contestant(name="a", digest="d"),
            score=score,
            faults={},
            details={},
            restarts=0,
            out="crash: it broke" if seat in broken else None,
            cpu=cpu_use([1_000]),
        )
        for seat, score in enumerate(scores)
    )
    return StoredResult(
        key=key,
        winner=best[0] if len(best) == 1 else None,
        reason="last turn",
        turns=10,
        teams=teams,
        fingerprint=key,
    )


def the_earlier_wins(fixture: Fixture) -> list[float]:
    return [float(-number) for number in fixture.seats]


def tie_all(fixture: Fixture) -> list[float]:
    return [1.0 for _ in fixture.seats]


def play_all(
    field: Field, scores: Scores = the_earlier_wins, breaks: Sequence[int] = ()
) -> dict[str, StoredResult]:
    """Results of all that comes up, until nothing is open; entrants of `breaks` break each time."""
    results: dict[str, StoredResult] = {}
    while open_ones := [e for e in a_ledger(field, results) if e.state is State.OPEN]:
        for entry in open_ones:
            broken = [seat for seat, number in enumerate(entry.fixture.seats) if number in breaks]
            results[entry.key] = a_result(entry.key, scores(entry.fixture), broken)
    return results


def a_ledger(field: Field, results: Mapping[str, StoredResult]) -> Ledger:
    return Ledger(field, lambda keys: {key: results[key] for key in keys if key in results})


def list_entries(field: Field, results: dict[str, StoredResult]) -> list[LedgerEntry]:
    return list(a_ledger(field, results))
