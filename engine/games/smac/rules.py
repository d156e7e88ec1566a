"""The turn of SMAC, as a list of named stages (docs/rules/smac.md 5).

What happens simultaneously in all cells is computed first and yielded afterwards, in a few events
for all cells: an event that was applied halfway would change what comes after it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.fault import Fault
from engine.game import Event, MatchEnded, Stage
from engine.games.smac.allocation import Account, carry_out_all, compute_claims
from engine.games.smac.combat import fight, find_contested_cells
from engine.games.smac.events import (
    Banked,
    Claimed,
    Died,
    Fought,
    Grown,
    Invested,
    OrdersLost,
    Placed,
    Produced,
    Reduced,
    Rose,
    Selected,
    Skipped,
    WentOut,
)
from engine.games.smac.grid import AT_LEAST, EQUALS, make_grid, make_mask
from engine.games.smac.growth import find_unsupported, growth, growth_thresholds, reductions
from engine.games.smac.orders import ORDERS, PLACEMENTS, Order, Orders, SkipList
from engine.games.smac.placement import place_centers
from engine.games.smac.production import production
from engine.games.smac.setup import set_up
from engine.games.smac.specials import carry_out, in_order_of_use, why_not_select, why_not_use
from engine.games.smac.state import Dish
from engine.streams import Streams

Events = Iterator[Event]
TeamOrders = Mapping[int, Order | Fault]
"""The order of each team in the match, or the fault that stands for it."""

SOLE_SURVIVOR = "sole survivor"
NOBODY_LEFT = "nobody is left"
PRODUCTION = "production"
LAST_TURN = "last turn"


def begin_match(dish: Dish, streams: Streams) -> Events:
    """Set up the dish and begin the first placement round, which belongs to turn 1."""
    yield from set_up(dish, streams)
    yield Stage(1, PLACEMENTS[0])


def play_stage(dish: Dish, orders: Sequence[Order | Fault], streams: Streams) -> Events:
    """Play from one decision of all teams to the next."""
    # `asks` listed the same teams in the same order: those in `dish.playing`.
    team_orders = dict(zip(dish.playing, orders, strict=True))
    if dish.stage == PLACEMENTS[0]:
        yield from place_centers(dish, team_orders, streams, 1)
        yield Stage(1, PLACEMENTS[1])
    elif dish.stage == PLACEMENTS[1]:
        yield from place_centers(dish, team_orders, streams, 2)
        yield from play_stages(dish, team_orders, streams, AFTER_PLACEMENT)
        yield from end_or_continue(dish, reason_without_opponents(dish), turn=1)
    else:
        yield from play_stages(dish, team_orders, streams, TURN)
        yield from end_or_continue(dish, reason_to_end(dish), turn=dish.turn + 1)


def play_stages(dish: Dish, team_orders: TeamOrders, streams: Streams, stages: "Stages") -> Events:
    """Play these stages, each behind the event that marks it."""
    for name, stage in stages:
        yield Stage(dish.turn, name)
        yield from stage(dish, team_orders, streams)


def end_or_continue(dish: Dish, reason: str | None, turn: int) -> Events:
    """End the match for this reason, or begin a turn: all teams in it are asked for orders."""
    if reason is None:
        yield Stage(turn, ORDERS)
    else:
        yield MatchEnded(final_scores(dish), reason)


def allocate(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Carry out sealed orders (rules 5.1 to 5.4)."""
    # Whether an order is legal depends on its team alone, so teams are worked out one by one.
    # The passes of rules 5.1 decide only who was first in an empty cell (`claims`).
    accounts = {team: Account(dish, team) for team in team_orders}
    skipped = {}
    for team, order in team_orders.items():
        if isinstance(order, Fault):
            yield OrdersLost(team, order.cause)
        orders = order if isinstance(order, Orders) else Orders()
        skipped[team] = carry_out_all(accounts[team], orders)
    # A stream per turn: how many lots one turn draws must not shift those of the next.
    claimed = compute_claims(dish, accounts, streams[f"allocation/{dish.turn}"])
    for team, account in accounts.items():
        yield from _skipped_events(team, skipped[team])
        yield from _order_results(dish, team, account, claimed[team])


def grow(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Let all stacks grow once, simultaneously (rules 5.5)."""
    grid, thresholds = make_grid(dish.side), growth_thresholds(dish.settings)
    grown = [
        (team, grid.cells(growth(dish, team, dish.layer(team), thresholds)))
        for team in dish.playing
    ]
    for team, cells in grown:
        if cells:
            layer = dish.layer(team)
            yield Grown(team, cells, tuple(layer[cell] + 1 for cell in cells))


def use_specials(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Carry out specials in the order of the table, then select new ones (rules 8.1, 8.4)."""
    orders = {team: order for team, order in team_orders.items() if isinstance(order, Orders)}
    uses = {team: order.use for team, order in orders.items() if order.use is not None}
    skipped = {team: SkipList() for team in orders}
    for team in in_order_of_use(dish, uses, streams[f"specials/{dish.turn}"]):
        # Checked only now: an earlier special may have removed its target (rules 8.4).
        reason = why_not_use(dish, team, uses[team])
        if reason is None:
            yield from carry_out(dish, team, uses[team])
        else:
            skipped[team].add(uses[team], reason)
    for team, order in orders.items():
        yield from _select(dish, team, order, skipped[team])
        yield from _skipped_events(team, skipped[team])


def fight_all(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Fight in each contested cell; whoever is left in a cell owns it (rules 5.6, 2.4)."""
    stream = streams[f"combat/{dish.turn}"]
    # A list: all fights are drawn from the dish as it was before the first of them.
    for report in [fight(dish, cell, stream) for cell in find_contested_cells(dish)]:
        yield Fought(report)
    grid = make_grid(dish.side)
    for team in dish.playing:
        stacks = make_mask(dish.layer(team), AT_LEAST[1])
        cells = grid.cells(stacks & ~make_mask(dish.owners, EQUALS[team]))
        if cells:
            yield Claimed(team, cells)


def kill_unsupported(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Remove stacks with too little support (rules 5.11)."""
    # Teams do not support each other, so one after the other is as good as all at once.
    grid = make_grid(dish.side)
    for team in dish.playing:
        cells = grid.cells(find_unsupported(dish, dish.layer(team)))
        if cells:
            yield Died(team, cells)


def reduce_stacks(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Reduce stacks to what their neighbors hold (rules 5.12)."""
    for team in dish.playing:
        left = reductions(dish, dish.layer(team))
        if left:
            cells = tuple(sorted(left))
            yield Reduced(team, cells, tuple(left[cell] for cell in cells))


def produce(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Add production to the banks, half of it under a BLIGHT (rules 5.15, 8.3)."""
    teams = range(1, len(dish.teams) + 1)
    yield Produced(tuple(production(dish, team, dish.layer(team)) for team in teams))
    for number in dish.playing:
        team = dish.team(number)
        assert team.bank is not None
        # rules 8.3: halved down to the thousandth; `Produced` above has the whole, for victory.
        income = team.production // 2 if team.blighted_in == dish.turn else team.production
        if income:
            yield Banked(number, team.bank + income)


def eliminate_teams(dish: Dish, team_orders: TeamOrders, streams: Streams) -> Events:
    """Eliminate teams without a stack (rules 6.3), before anybody can win."""
    for team in dish.playing:
        if not any(dish.layer(team)):
            yield WentOut(team)


Stages = tuple[tuple[str, Callable[[Dish, TeamOrders, Streams], Events]], ...]

# rules 3.5: after the second placement.
AFTER_PLACEMENT: Stages = (("growth", grow), ("combat", fight_all), ("victory", eliminate_teams))
TURN: Stages = (
    ("allocation", allocate),
    ("growth", grow),
    ("specials", use_specials),
    ("combat", fight_all),
    ("death", kill_unsupported),
    ("reduction", reduce_stacks),
    ("production", produce),
    ("victory", eliminate_teams),
)


def reason_without_opponents(dish: Dish) -> str | None:
    """Return why a match ends for lack of teams, None if it does not (rules 6.3)."""
    if not dish.playing:
        return NOBODY_LEFT
    is_decided = len(dish.playing) == 1 and dish.settings.early_elimination
    return SOLE_SURVIVOR if is_decided else None


def reason_to_end(dish: Dish) -> str | None:
    """Return why the match ends, None while it goes on (rules 6.1 to 6.3)."""
    too_few = reason_without_opponents(dish)
    if too_few is not None:
        return too_few
    settings, threshold = dish.settings, dish.settings.threshold_pct(dish.turn)
    if threshold is not None and _has_winner(dish, threshold):
        return PRODUCTION
    return LAST_TURN if dish.turn == settings.last_turn else None


def scores(dish: Dish) -> tuple[float, ...]:
    """Return each team's production in points; at the end what `MatchEnded` said."""
    if dish.ending is not None:
        return dish.ending.scores
    return tuple(team.production / 1_000 for team in dish.teams)


def final_scores(dish: Dish) -> tuple[float, ...]:
    """Return production in points, with 0.0001 more for each team tied below (rules 6.2, 6.5).

    So the order of the scores is the order of the teams.
    """
    ranks = [_rank(dish, team) for team in range(1, len(dish.teams) + 1)]
    # Integers in ten-thousandths, divided once, so that equal ranks have equal scores.
    return tuple(
        (10 * own[0] + len({rank for rank in ranks if rank[0] == own[0] and rank < own})) / 10_000
        for own in ranks
    )


def _has_winner(dish: Dish, threshold_pct: int) -> bool:
    """Return whether one team alone has the highest production, and enough (rules 6.1)."""
    produced = [team.production for team in dish.teams]
    best, total = max(produced), sum(produced)
    is_alone = produced.count(best) == 1
    # Integers: 100 * best >= pct * total is exact where best / total >= pct / 100 is not.
    return is_alone and total > 0 and 100 * best >= threshold_pct * total


def _rank(dish: Dish, team: int) -> tuple[int, int, int]:
    """Return what teams are ranked by: production, cells, total raw height (rules 6.2)."""
    layer = dish.layer(team)
    return dish.team(team).production, len(layer) - layer.count(0), sum(layer)


def _skipped_events(team: int, skipped: SkipList) -> Events:
    if skipped.skips:
        yield Skipped(team, tuple(skipped.skips), skipped.more)


def _order_results(dish: Dish, team: int, account: Account, claimed: Sequence[int]) -> Events:
    """Yield what a team's orders have changed, sums only: their order stays hidden (7.2)."""
    before = dish.team(team)
    if account.points != before.points:
        yield Invested(team, account.points)
    if account.levels != before.levels:
        yield Rose(team, account.levels)
    if account.placed:
        cells = tuple(sorted(account.placed))
        heights = tuple(account.heights[cell] for cell in cells)
        yield Placed(team, cells, heights, tuple(claimed))
    if account.bank != before.bank:
        yield Banked(team, account.bank)


def _select(dish: Dish, team: int, order: Orders, skipped: SkipList) -> Events:
    """Select a special for later turns."""
    selection = dish.team(team).selection
    assert selection is not None
    if order.select is None or order.select == selection.special:
        return  # selecting it again must not disarm it
    reason = why_not_select(dish, team, order.select)
    if reason is None:
        yield Selected(team, order.select)
    else:
        skipped.add(f"select {order.select}", reason)
