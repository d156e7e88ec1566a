"""A bar below the board of the Game of Death: the teams' living cells, and who is ahead."""

from itertools import accumulate
from typing import NamedTuple

from engine.games.game_of_death import events as ev
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import compare, scores_now
from visualizer.scene import Kind, Label, Thing, Tile
from visualizer.theme import ground_of_letters, ink_on

GAP, HIGH = 0.35, 1.5
"""The gap above the bar and its height, of the size of coordinates."""
LETTERS = 1.0
"""The size of the words on the bar, of that of coordinates."""
LETTER = 0.62
"""The width of a letter, as a share of its size."""
ROOM = GAP + HIGH
COUNTED = frozenset(
    {
        *(ev.HomesPlaced, ev.Deployed, ev.Damaged, ev.Dying, ev.Died, ev.Killed, ev.Sighted),
        *(ev.FlagTaken, ev.FlagReturned, ev.FlagOfTaken, ev.FlagLost, ev.FlagDelivered),
        *(ev.Defeated, ev.Gone),
    }
)
"""The events after which cells, or who is ahead, may be others."""
KINDS = {
    "living": Kind("living", ("name", "team", "living cells")),
    "living words": Kind("living words", is_seen_through=True),
}


class Balance:
    """The bar of a match: its ids, and what is drawn under each."""

    def __init__(self, first_id: int, teams: int, place: "Place") -> None:
        """`first_id` and the ids below it are free."""
        self._first, self._teams, self._place = first_id, teams, place
        self.ids = tuple(first_id - number for number in range(2 * teams))

    def thing(self, state: Battle, thing_id: int, color: str) -> Thing | None:
        """Return the part of a team, or its words; `color` is that of the team."""
        if state.sight is not None:  # a team's own copy knows little of the others
            return None
        cells = [state.living_cells(team) for team in state.all_teams]
        if not sum(cells):
            return None
        team, place = self.thing_team(thing_id), self._place
        edges = [place.width * part / sum(cells) for part in (0, *accumulate(cells))]
        left, right = round(edges[team - 1], 3), round(edges[team], 3)
        top, high = place.top + GAP * place.unit, HIGH * place.unit
        if self._first - thing_id < self._teams:
            facts = (f"team {team}", team, cells[team - 1])
            fill = ground_of_letters(color)
            return Tile("living", left, top, right - left, high, fill, "", facts)
        words = f"{cells[team - 1]} living cells{', ahead' if team == leader(state) else ''}"
        size = LETTERS * place.unit
        if len(words) * LETTER * size > right - left:
            return None
        x, y = round((left + right) / 2, 3), round(top + high / 2, 3)
        return Label("living words", x, y, size, words, ink_on(ground_of_letters(color)))

    def thing_team(self, thing_id: int) -> int:
        return (self._first - thing_id) % self._teams + 1


class Place(NamedTuple):
    """The place below the board."""

    width: float
    top: float
    unit: float
    """The size of coordinates."""


def leader(state: Battle) -> int | None:
    """Return the team that would win if this was the last turn, if there is one (rules 7.3)."""
    if state.teams == 2:
        return compare(state)[0]
    scores = scores_now(state)
    first = max(scores)
    return scores.index(first) + 1 if scores.count(first) == 1 else None
