"""The two placement rounds: bids, and centers (docs/rules/smac.md 3)."""

from collections.abc import Iterator, Mapping

from engine.fault import Fault
from engine.game import Event
from engine.games.smac.events import Bid, OrdersLost, PlacementOrdered, Settled, Skipped
from engine.games.smac.grid import AT_LEAST, make_grid, make_mask
from engine.games.smac.orders import Order, Placement, SkipList
from engine.games.smac.settings import MILLI
from engine.games.smac.state import Dish
from engine.streams import Streams


def place_centers(
    dish: Dish, orders: Mapping[int, Order | Fault], streams: Streams, number: int
) -> Iterator[Event]:
    """Play placement round `number` (rules 3.1 to 3.4).

    All results are computed first and yielded by team number, so that the events do not show the
    order of the teams, which follows from hidden bids (rules 7.1).
    """
    bids, choices = {}, {}
    for team, order in orders.items():
        if isinstance(order, Fault):
            yield OrdersLost(team, order.cause)
        placement = order if isinstance(order, Placement) else Placement()
        skipped = SkipList(placement.skips, placement.more)
        bids[team] = affordable_bid(dish, team, placement.bid, skipped)
        choices[team] = Choice(placement, skipped)
    teams = _order(dish, bids, streams, number)
    settled = _take_centers(dish, teams, choices, streams, number)
    yield PlacementOrdered(teams)
    for team, bid in bids.items():
        bank = dish.team(team).bank
        assert bank is not None
        skipped = choices[team].skipped
        if skipped.skips:
            yield Skipped(team, tuple(skipped.skips), skipped.more)
        yield Bid(team, bid, bank - bid * MILLI)
    for team in bids:
        center = settled[team]
        yield Settled(team, center, () if center is None else make_grid(dish.side).block(center))


class Choice:
    """A team's list of centers, and the parts of its answer that were skipped."""

    def __init__(self, placement: Placement, skipped: SkipList) -> None:
        self.centers = placement.centers
        self.skipped = skipped


def affordable_bid(dish: Dish, team: int, bid: int, skipped: SkipList) -> int:
    """Return the bid, or 0 if the team's bank does not have that much."""
    reason = why_not_bid(dish, team, bid)
    if reason is None:
        return bid
    skipped.add(f"bid {bid}", reason)
    return 0


def why_not_bid(dish: Dish, team: int, bid: int) -> str | None:
    bank = dish.team(team).bank
    assert bank is not None, "another team's bank is not known"
    return None if bid * MILLI <= bank else f"the bank has {bank // MILLI}"


def why_not_center(dish: Dish, team: int, cell: int, taken: int = 0) -> str | None:
    """Return why a team's cluster cannot stand there, None if it can (rules 3.2, 3.4).

    `taken` is the set of cells that others got in this round.
    """
    grid = make_grid(dish.side)
    block = grid.block(cell)
    if len(block) < 9:
        return "its 3 x 3 cells are not all on the board"
    if any(dish.terrain[part] for part in block):
        return "there is terrain in its 3 x 3 cells"
    if (_mask_of_others(dish, team) | taken) & grid.mask(block):
        return "another team is in its 3 x 3 cells"
    least = dish.settings.second_center_min_distance
    for center in dish.team(team).centers:
        distance = grid.distance(cell, center)
        if distance < least:
            return f"is {distance} from the first center; {least} is the least"
    return None


def free_centers(dish: Dish, team: int, taken: int = 0) -> tuple[int, ...]:
    """Return all centers for which `why_not_center` returns None, computed at once."""
    grid = make_grid(dish.side)
    barred = make_mask(dish.terrain, AT_LEAST[1]) | _mask_of_others(dish, team) | taken
    free = grid.inner & ~grid.spread(barred)
    for center in dish.team(team).centers:
        free &= ~grid.mask(grid.block(center, dish.settings.second_center_min_distance - 1))
    return grid.cells(free)


def _mask_of_others(dish: Dish, team: int) -> int:
    mask = 0
    for other, layer in enumerate(dish.heights, 1):
        if other != team:
            mask |= make_mask(layer, AT_LEAST[1])
    return mask


def _order(dish: Dish, bids: Mapping[int, int], streams: Streams, number: int) -> tuple[int, ...]:
    """Return the teams by bid, equal ones by lot (rules 3.1), in round 2 reversed (rules 3.4)."""
    before = dish.placement_order
    if before is not None:
        return tuple(sorted(bids, key=lambda team: (-bids[team], -before.index(team))))
    random = streams[f"placement/{number}"].random
    return tuple(sorted(bids, key=lambda team: (-bids[team], random())))


def _take_centers(
    dish: Dish,
    teams: tuple[int, ...],
    choices: Mapping[int, Choice],
    streams: Streams,
    number: int,
) -> dict[int, int | None]:
    """Return the center of each team; None where nothing is free (rules 3.1)."""
    grid, taken = make_grid(dish.side), 0
    settled: dict[int, int | None] = {}
    for team in teams:
        center = _first_free(dish, team, choices[team], taken)
        if center is None:
            free = free_centers(dish, team, taken)
            # A stream per team, so that nobody's luck depends on what others have ordered.
            center = streams[f"placement/{number}/{team}"].choice(free) if free else None
        settled[team] = center
        if center is not None:
            taken |= grid.mask(grid.block(center))
    return settled


def _first_free(dish: Dish, team: int, choice: Choice, taken: int) -> int | None:
    grid = make_grid(dish.side)
    for x, y in choice.centers:
        reason = why_not_center(dish, team, grid.cell(x, y), taken)
        if reason is None:
            return grid.cell(x, y)
        choice.skipped.add(f"center {x} {y}", reason)
    return None
