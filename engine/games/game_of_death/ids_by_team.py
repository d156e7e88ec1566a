"""Grouping ids, so that one event is about many shapes: by team, and by a common value."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from engine.game import Event
from engine.games.game_of_death.events import Ids, Nothing, Reason
from engine.games.game_of_death.state import Battle

W = TypeVar("W")


class IdsByTeam(Generic[W]):
    """Ids by team and value, iterated in a fixed order whatever order they were added in."""

    def __init__(self, battle: Battle) -> None:
        self._team_of = battle.piece_team
        self._ids: dict[tuple[int, W], list[int]] = {}

    def add(self, shape_id: int, what: W) -> None:
        self._ids.setdefault((self._team_of(shape_id), what), []).append(shape_id)

    def __iter__(self) -> Iterator[tuple[int, W, Ids]]:
        # Sorted by text: a Command, None and a pair of numbers cannot be compared with each other.
        for team, what in sorted(self._ids, key=lambda key: (key[0], str(key[1]))):
            yield team, what, tuple(self._ids[team, what])


def without_effect(refused: IdsByTeam[Reason]) -> Iterator[Event]:
    for team, reason, ids in refused:
        yield Nothing(team, reason, ids)


def by_team(battle: Battle, ids: Iterable[int]) -> Iterator[tuple[int, Ids]]:
    """Yield the ids of each team that has any, in ascending order."""
    ordered = sorted(ids)
    for team in battle.all_teams if ordered else ():
        own = tuple(shape_id for shape_id in ordered if battle.piece_team(shape_id) == team)
        if own:
            yield team, own
