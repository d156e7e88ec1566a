"""How Sealed Bids looks: a row for each team with its last bid and its coins, and one to bid on."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, ClassVar

from slime_mind_arena.engine.game import Ask, MatchEnded
from slime_mind_arena.visualizer.scene import (
    Annotation,
    EventStyle,
    Extent,
    Kind,
    Label,
    Mark,
    Panel,
    Scene,
    Square,
    Thing,
    Tile,
)
from slime_mind_arena.visualizer.theme import FRONT, GROUND

from sealed_bids.game import HIGHEST, ORDERS, Bid, Passed, Table

GAP = 0.1
WIDTH = HIGHEST + 3
"""Columns: of the bids, and two for the coins."""


class SealedBidsScene(Scene[Table]):
    kinds: ClassVar = {
        "bid": Kind("bid", ("team", "coins")),
        "coins": Kind("coins", ("team", "coins")),
        "ground": Kind("ground"),
    }
    event_styles: ClassVar = {
        "bid": EventStyle("{words}", None, "bids", weight=1, tells="{words}"),
        "passed": EventStyle("{words}", Mark.FAULT, "faults", weight=80, tells="{words}"),
    }
    score_name = points_name = "coins"

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, WIDTH, self.teams + 1)

    def backdrop(self) -> Sequence[Tile | Label]:
        """Return the ground, and below it the numbers for which one can bid."""
        rows = [
            Tile("ground", x, y, 1, 1, GROUND[(x + y) % 2])
            for x in range(WIDTH)
            for y in range(self.teams + 1)
        ]
        numbers = [
            Label("ground", number + 0.2, self.teams + 0.25, 0.3, str(number), FRONT)
            for number in ORDERS
        ]
        return [*rows, *numbers]

    def order_squares(self, state: Table, ask: Ask, order: int) -> list[list[Square]]:
        return [[(order, self.teams)]]

    def ids(self, state: Table) -> Iterable[int]:
        """Return for each team its number, that of its bid, and as much more for its coins."""
        return range(1, 2 * self.teams + 1)

    def thing(self, state: Table, thing_id: int) -> Thing | None:
        row, team = (thing_id - 1) % self.teams, (thing_id - 1) % self.teams + 1
        bid, coins = state.bids[row], state.coins[row]
        if thing_id > self.teams:
            text = "?" if coins is None else str(coins)
            return Label("coins", WIDTH - 1, row + 0.5, 0.6, text, FRONT, (team, text))
        if bid is None:
            return None
        x, y, size = bid + GAP, row + GAP, 1 - 2 * GAP
        return Tile("bid", x, y, size, size, self.team_color(team), "", (team, bid))

    def dirty_ids(self, event: Any) -> Collection[int]:
        if isinstance(event, MatchEnded):
            return range(1, 2 * self.teams + 1)
        return (event.team, self.teams + event.team) if hasattr(event, "team") else ()

    def annotations(self, state: Table, event: Any) -> Sequence[Annotation]:
        match event:
            case Bid(team, bid, _):
                return [Annotation("bid", team, words=f"team {team} bids {bid}")]
            case Passed(team):
                return [Annotation("passed", None, words=f"team {team} bids nothing")]
        return ()

    def panel(self, state: Table, team: int) -> Panel:
        coins, bid = state.coins[team - 1], state.bids[team - 1]
        return (
            ("coins", "?" if coins is None else coins),
            ("last bid", "-" if bid is None else bid),
        )
