"""Many matches of SMAC at once, each a row of one array."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.game import Event, MatchEnded
from engine.games.smac.game import Smac
from engine.games.smac.pieces import Fight, Selection, Team
from engine.games.smac.settings import MILLI, Characteristics, Settings
from engine.games.smac.state import Dish
from learning.simulation.match_rows import MatchRows
from learning.smac import layout
from learning.smac.chance import seed_words
from learning.smac.layout import Cells, Row, cells_of, settings_row
from learning.smac.log import AT_VICTORY, new_log
from learning.smac.orders import check
from learning.smac.players import Player, advance, orders_of_players
from learning.smac.reader import ENDINGS, SCORE_UNITS, SPECIALS, STAGES, cell_of, events_of
from learning.smac.rules import new_match


class Matches(MatchRows):
    """Matches of SMAC, with the same number of teams: see MatchRows."""

    turn_at = layout.TURN

    def __init__(
        self,
        settings: Settings,
        seeds: Sequence[int],
        *,
        teams: int = 2,
        has_log: bool = False,
    ) -> None:
        """Begin a match from each seed; with a log `events` says what the last orders led to.

        Raises: ValueError for a number of teams that SMAC does not have.
        """
        counts = Smac.team_counts
        if teams not in counts:
            raise ValueError(f"teams = {teams}: expected {counts[0]} to {counts[-1]}")
        self.settings = settings
        self.s = settings_row(settings, teams)
        """The settings as numbers (layout.py)."""
        self._players = np.full((len(seeds), teams), Player.OUTSIDE, np.int64)
        self._chance = np.ones((len(seeds), 1), np.int64)
        log = new_log(self.s) if has_log else None
        super().__init__(seeds, int(self.s[layout.WIDTH]), no_log=new_log(), log=log)

    def _begin(self, number: int, seed: int) -> None:
        new_match(self.s, self.rows[number], *seed_words(seed), self._log)

    def no_orders(self, most: int) -> Row:
        """Return orders of all teams of all matches, room for so many each, that do nothing.

        Their shape is (matches, teams, 3 + most); layout.py says what is where.
        """
        shape = (*self._players.shape, layout.FIRST_ORDER + most)
        return np.full(shape, layout.NONE, np.int64)

    def random_orders(self, chance: Row, most: int) -> Row:
        """Return orders of all teams by `Player.RANDOM`; `chance` changes: (matches, 1), not 0."""
        orders, players = self.no_orders(most), np.full_like(self._players, Player.RANDOM)
        orders_of_players(self.s, self.rows, orders, players, chance)
        return orders

    def play(self, orders: NDArray[np.integer]) -> None:
        """Play a decision of all teams in each match that is not over.

        The orders are (matches, teams, 3 + the most orders of a team); those of teams that are
        out are not read. Raises: ValueError if they are no orders.
        """
        self._play(self._checked(orders))

    def _checked(self, orders: NDArray[np.integer]) -> Row:
        given = np.asarray(orders)
        most = layout.FIRST_ORDER + layout.MOST_ORDERS
        is_shaped = given.ndim == 3 and given.shape[:2] == self._players.shape
        if given.dtype.kind not in "iu" or not is_shaped or not 3 <= given.shape[2] <= most:
            raise ValueError(
                f"orders: expected whole numbers of shape {self._players.shape} and then 3 to "
                f"{most}, not {given.dtype} of shape {given.shape}"
            )
        check(given, int(self.s[layout.SIDE]), self.is_placement)
        return np.array(given, np.int64)

    def _advance(self, part: slice, orders: Row) -> None:
        rows, players, chance = self.rows[part], self._players[part], self._chance[part]
        advance(self.s, rows, orders, players, chance, 1, self._log)

    @property
    def side(self) -> int:
        """Cells along an edge of the board."""
        return int(self.s[layout.SIDE])

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether each match is over."""
        found: NDArray[np.bool_] = self.rows[:, layout.ENDED] != layout.RUNNING
        return found

    @property
    def is_placement(self) -> NDArray[np.bool_]:
        """Whether each match is in a placement round."""
        found: NDArray[np.bool_] = self.rows[:, layout.STAGE] < layout.ORDERS
        return found

    @property
    def playing(self) -> NDArray[np.bool_]:
        """Whether each team of each match is still in it: (matches, teams)."""
        return np.equal(self._of_teams(layout.OUT_IN), 0)

    @property
    def scores(self) -> NDArray[np.float64]:
        """The points of the teams of each match: (matches, teams); until its end, production."""
        now = self._of_teams(layout.PRODUCTION) / MILLI
        return np.where(self.is_over[:, None], self._of_teams(layout.SCORE) / SCORE_UNITS, now)

    def board(self, number: int) -> Dish:
        """Return a match as the engine's dish; which orders were skipped is in `events` alone."""
        return dish_of(self.settings, self.s, self.rows[number])

    def _of_teams(self, field: int) -> Row:
        first = layout.TEAMS_AT + field
        end = layout.TEAMS_AT + layout.TEAM_SIZE * self._players.shape[1]
        return self.rows[:, first : end : layout.TEAM_SIZE]

    def _logged(self, number: int) -> list[Event]:
        return events_of(self._log, self.s)


def dish_of(settings: Settings, s: Row, m: Row) -> Dish:
    """Return a row as the engine's dish."""
    side, teams = int(s[layout.SIDE]), int(s[layout.TEAMS])
    layers = cells_of(s, m).reshape(-1, side + 2, side + 2)[:, 1:-1, 1:-1]
    flat = layers.reshape(len(layers), -1)
    heights = flat[layout.HEIGHTS + 1 : layout.HEIGHTS + 1 + teams]
    unusual = flat[layout.UNUSUAL]
    ended, order = int(m[layout.ENDED]), m[layout.PLACED_FIRST :][:teams].tolist()
    scores = [int(_team(m, team)[layout.SCORE]) for team in range(1, teams + 1)]
    ending = MatchEnded(tuple(score / SCORE_UNITS for score in scores), ENDINGS[ended])
    return Dish(
        settings=settings,
        side=side,
        terrain=_bytes(flat[layout.TERRAIN]),
        owners=_bytes(flat[layout.OWNER]),
        heights=[_bytes(layer) for layer in heights],
        since=_bytes(flat[layout.SINCE]),
        teams=[_team_of(side, _team(m, team)) for team in range(1, teams + 1)],
        turn=int(m[layout.TURN]),
        stage=STAGES[AT_VICTORY if ended else int(m[layout.STAGE])],
        unusual={cell: int(unusual[cell]) for cell in np.flatnonzero(unusual).tolist()},
        fights=_fights_of(flat, teams),
        placement_order=tuple(order) if order[0] else None,
        ending=ending if ended else None,
    )


def _bytes(layer: Cells) -> bytearray:
    return bytearray(layer.astype(np.uint8).tobytes())


def _team(m: Row, team: int) -> Row:
    return m[layout.TEAMS_AT + (team - 1) * layout.TEAM_SIZE :][: layout.TEAM_SIZE]


def _team_of(side: int, numbers: Row) -> Team:
    fields = numbers.tolist()
    points, levels = (
        Characteristics(*fields[first : first + layout.CHARACTERISTICS])
        for first in (layout.POINTS, layout.LEVELS)
    )
    chosen, used, centers = (
        fields[field] for field in (layout.SELECTED, layout.USED, layout.CENTERS)
    )
    return Team(
        points=points,
        bank=fields[layout.BANK],
        selection=Selection(SPECIALS[chosen - 1] if chosen else None, fields[layout.SELECTED_IN]),
        levels=levels,
        used=[SPECIALS[special] for special in fields[layout.USED_1 :][:used]],
        centers=[cell_of(side, place) for place in fields[layout.CENTER_1 :][:centers]],
        production=fields[layout.PRODUCTION],
        shelled_in=fields[layout.SHELLED_IN] or None,
        blighted_in=fields[layout.BLIGHTED_IN] or None,
        out_in=fields[layout.OUT_IN] or None,
    )


def _fights_of(flat: Cells, teams: int) -> dict[int, Fight]:
    first = layout.HEIGHTS + 1 + teams
    fights = {}
    for cell in np.flatnonzero(flat[layout.FOUGHT_IN]).tolist():
        turn, owner, rounds, winner, left = flat[layout.FOUGHT_IN : layout.FOUGHT_LEFT + 1][
            :, cell
        ].tolist()
        heights = tuple(flat[first : first + teams, cell].tolist())
        fights[cell] = Fight(turn, cell, owner, heights, rounds, winner, left)
    return fights
