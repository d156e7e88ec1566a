"""The end of a match: who has won, and what is disclosed (docs/rules/game_of_death.md 7)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.game import Event, MatchEnded
from engine.games.game_of_death.events import Disclosed
from engine.games.game_of_death.state import TEAMS, Battle

DELIVERY = "flag brought home"
ELIMINATION = "no living shapes"
LAST_TURN = "last turn"
ILLEGAL = "no legal army"


def end_match(battle: Battle, winners: Sequence[int], reason: str) -> Iterator[Event]:
    """End the match: with one winner, or by comparison (rules 7.3); then disclose types (7.4)."""
    winner: int | None
    if len(winners) == 1:
        winner = winners[0]
    else:
        winner, by = compare(battle)
        reason = f"{reason}: {by}"
    for team in TEAMS:
        types = disclosed_to(battle, team)
        if types:
            yield Disclosed(team, types)
    yield end_of(battle, winner, reason)


def compare(battle: Battle) -> tuple[int | None, str]:
    """Return the team that is ahead, if any, and what decided it (rules 7.3)."""
    values = {team: comparison_of(battle, team) for team in TEAMS}
    for place, by in enumerate(("the flag held", "more cells", "more hp")):
        first, second = (values[team][place] for team in TEAMS)
        if first != second:
            return (1 if first > second else 2), by
    return None, "all equal"


class Comparison(NamedTuple):
    """What is compared in a tie, in this order (rules 7.3)."""

    holds_flag: bool
    cells: int
    hp: int


def comparison_of(battle: Battle, team: int) -> Comparison:
    living = list(battle.living(team))
    return Comparison(
        holds_flag=bool(battle.bearers[2 - team]),
        cells=sum(battle.geometry(shape).size for shape in living),
        hp=sum(shape.hp for shape in living),
    )


def disclosed_to(battle: Battle, team: int) -> tuple[int, ...]:
    """Return the enemy's types of which more than `disclosure_pct` were killed (rules 7.4)."""
    enemy = 2 - team
    percent = battle.settings.disclosure_pct
    pairs = zip(battle.types[enemy], battle.killed[enemy], strict=True)
    return tuple(
        number
        for number, (drawn, killed) in enumerate(pairs)
        # In integers: 4 of 5 is exactly 80 %, and not more (rules 9.14).
        if killed * 100 > percent * drawn.count
    )


def end_of(battle: Battle, winner: int | None, reason: str) -> MatchEnded:
    """Return the end with its scores: the winner's living cells, the loser 0 (rules 7.5)."""
    cells = tuple(
        float(battle.living_cells(team)) if winner in (None, team) else 0.0 for team in TEAMS
    )
    return MatchEnded(cells, reason)
