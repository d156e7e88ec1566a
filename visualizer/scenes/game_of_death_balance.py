"""Two bars below the board of the Game of Death: the teams' living cells, and their scores."""

from itertools import accumulate

from engine.games.game_of_death import events as ev
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import make_comparison, scores_now
from visualizer.scene import Kind, Label, Thing, Tile
from visualizer.theme import ground_of_letters, ink_on

GAP, HIGH = 0.25, 1.3
"""The gap above a bar and its height, of the size of coordinates."""
LETTERS = 1.0
"""The size of the words on the bar, of that of coordinates."""
LETTER = 0.62
"""The width of a letter, as a share of its size."""
ROOM = 2 * (GAP + HIGH)
"""Each bar has one unit, so that who is ahead has the larger part (rules 7.3)."""
COUNTED_EVENTS = frozenset(
    {
        *(ev.HomesPlaced, ev.Deployed, ev.Damaged, ev.Dying, ev.Died, ev.Killed, ev.Sighted),
        *(ev.FlagTaken, ev.FlagReturned, ev.FlagOfTaken, ev.FlagLost, ev.FlagDelivered),
        *(ev.Defeated, ev.Gone),
    }
)
"""The events after which cells, or who is ahead, may be others."""
KINDS = {
    "balance": Kind("balance", ("name", "team", "has")),
    "balance words": Kind("balance words", is_seen_through=True),
}


class Balance:
    """The bar of a match: its ids, and what is drawn under each."""

    def __init__(self, first_id: int, teams: int, settings: Settings, unit: float) -> None:
        """`first_id` and the ids below it are free; `unit` is the size of coordinates."""
        self._first, self._teams, self._settings, self._unit = first_id, teams, settings, unit
        self.ids = tuple(first_id - number for number in range((4 if teams == 2 else 2) * teams))

    def thing(self, state: Battle, thing_id: int, color: str) -> Thing | None:
        """Return the part of a team, or its words; `color` is that of the team."""
        if state.sight is not None:  # a team's own copy knows little of the others
            return None
        layer, number = divmod(self._first - thing_id, self._teams)
        (row, is_words), team = divmod(layer, 2), number + 1
        counts, text = (_count_scores if row else _count_cells)(state, team)
        if not sum(counts):
            return None
        unit = self._unit
        edges = [self._settings.width * part / sum(counts) for part in (0, *accumulate(counts))]
        left, right = round(edges[team - 1], 3), round(edges[team], 3)
        top, high = self._settings.height + (GAP + row * (GAP + HIGH)) * unit, HIGH * unit
        if not is_words:
            facts = (f"team {team}", team, text)
            fill = ground_of_letters(color)
            return Tile("balance", left, top, right - left, high, fill, "", facts)
        size = LETTERS * unit
        if len(text) * LETTER * size > right - left:
            return None
        x, y = round((left + right) / 2, 3), round(top + high / 2, 3)
        return Label("balance words", x, y, size, text, ink_on(ground_of_letters(color)))

    def thing_team(self, thing_id: int) -> int:
        return (self._first - thing_id) % self._teams + 1


def _count_cells(state: Battle, team: int) -> tuple[list[float], str]:
    """Return the living cells of all teams, and those of one in words."""
    cells = [float(state.living_cells(each)) for each in state.all_teams]
    return cells, f"{cells[team - 1]:.0f} living cells"


def _count_scores(state: Battle, team: int) -> tuple[list[float], str]:
    """Return the scores of two teams while they play, and that of one in words."""
    flags, kills, _ = make_comparison(state, team)
    killed = f"{kills} {state.settings.kill_target_counts} killed"
    return [*scores_now(state)], f"{killed}{', holds the flag' if flags else ''}"
