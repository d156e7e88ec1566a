"""The turn of SMAC, as a list of named stages (docs/rules/smac.md 5).

What happens at the same time in all cells is worked out first and told afterwards, a few
events for all of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.bots.fault import Fault
from engine.game import Event, MatchEnded, Stage
from engine.games.smac.allocation import Account, carry_out_all, claims
from engine.games.smac.combat import contested, fight
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
from engine.games.smac.grid import AT_LEAST, EQUAL, grid_of, mask_of
from engine.games.smac.growing import deaths, growth, needs_of, reduced
from engine.games.smac.orders import ORDERS, PLACEMENTS, Order, Orders, SkipList
from engine.games.smac.placement import settle_all
from engine.games.smac.production import production
from engine.games.smac.setup import lay_out
from engine.games.smac.specials import carry_out, in_order, why_not_select, why_not_use
from engine.games.smac.state import Dish
from engine.streams import Streams

Events = Iterator[Event]
Given = Mapping[int, Order | Fault]
"""What each team in the match has ordered."""

SOLE_SURVIVOR = "sole survivor"
NOBODY_LEFT = "nobody is left"
PRODUCTION = "production"
LAST_TURN = "last turn"


def begin_match(dish: Dish, streams: Streams) -> Events:
    """The placement rounds belong to turn 1."""
    yield from lay_out(dish, streams)
    yield Stage(1, PLACEMENTS[0])


def play_stage(dish: Dish, orders: Sequence[Order | Fault], streams: Streams) -> Events:
    """From the decision of all teams to their next one."""
    given = dict(zip(dish.playing, orders, strict=True))
    if dish.stage == PLACEMENTS[0]:
        yield from settle_all(dish, given, streams, 1)
        yield Stage(1, PLACEMENTS[1])
    elif dish.stage == PLACEMENTS[1]:
        yield from settle_all(dish, given, streams, 2)
        yield from play_stages(dish, given, streams, SETTLING)
        yield from end_or_go_on(dish, why_too_few(dish), turn=1)
    else:
        yield from play_stages(dish, given, streams, TURN)
        yield from end_or_go_on(dish, why_over(dish), turn=dish.turn + 1)


def play_stages(dish: Dish, given: Given, streams: Streams, stages: "Stages") -> Events:
    for name, stage in stages:
        yield Stage(dish.turn, name)
        yield from stage(dish, given, streams)


def end_or_go_on(dish: Dish, reason: str | None, turn: int) -> Events:
    """The match ends for this reason, or all teams in it are asked for their orders."""
    if reason is None:
        yield Stage(turn, ORDERS)
    else:
        yield MatchEnded(final_scores(dish), reason)


def allocate(dish: Dish, given: Given, streams: Streams) -> Events:
    """Sealed orders are carried out (rules 5A)."""
    accounts = {team: Account(dish, team) for team in given}
    skipped = {}
    for team, order in given.items():
        if isinstance(order, Fault):
            yield OrdersLost(team, order.cause)
        orders = order if isinstance(order, Orders) else Orders()
        skipped[team] = carry_out_all(accounts[team], orders)
    claimed = claims(dish, accounts, streams[f"allocation/{dish.turn}"])
    for team, account in accounts.items():
        yield from _skips(team, skipped[team])
        yield from _results(dish, team, account, claimed[team])


def grow(dish: Dish, given: Given, streams: Streams) -> Events:
    """All at once, and once (rules 5.5)."""
    grid, needs = grid_of(dish.side), needs_of(dish.settings)
    grown = [
        (team, grid.cells(growth(dish, team, dish.layer(team), needs))) for team in dish.playing
    ]
    for team, cells in grown:
        if cells:
            layer = dish.layer(team)
            yield Grown(team, cells, tuple(layer[cell] + 1 for cell in cells))


def use_specials(dish: Dish, given: Given, streams: Streams) -> Events:
    """In the order of the table; then those for the next turns are selected (rules 8)."""
    orders = {team: order for team, order in given.items() if isinstance(order, Orders)}
    uses = {team: order.use for team, order in orders.items() if order.use is not None}
    skipped = {team: SkipList() for team in orders}
    for team in in_order(dish, uses, streams[f"specials/{dish.turn}"]):
        reason = why_not_use(dish, team, uses[team])
        if reason is None:
            yield from carry_out(dish, team, uses[team])
        else:
            skipped[team].add(uses[team], reason)
    for team, order in orders.items():
        yield from _select(dish, team, order, skipped[team])
        yield from _skips(team, skipped[team])


def fight_all(dish: Dish, given: Given, streams: Streams) -> Events:
    """Cell by cell; then whoever is left in a cell owns it (rules 5D, 2.4)."""
    stream = streams[f"combat/{dish.turn}"]
    for report in [fight(dish, cell, stream) for cell in contested(dish)]:
        yield Fought(report)
    grid = grid_of(dish.side)
    for team in dish.playing:
        stacks = mask_of(dish.layer(team), AT_LEAST[1])
        cells = grid.cells(stacks & ~mask_of(dish.owners, EQUAL[team]))
        if cells:
            yield Claimed(team, cells)


def starve(dish: Dish, given: Given, streams: Streams) -> Events:
    """Stacks with too little support die, all at once (rules 5.11)."""
    grid = grid_of(dish.side)
    for team in dish.playing:
        cells = grid.cells(deaths(dish, dish.layer(team)))
        if cells:
            yield Died(team, cells)


def reduce_stacks(dish: Dish, given: Given, streams: Streams) -> Events:
    """Stacks come down to what their neighbours hold (rules 5.12)."""
    for team in dish.playing:
        left = reduced(dish, dish.layer(team))
        if left:
            cells = tuple(sorted(left))
            yield Reduced(team, cells, tuple(left[cell] for cell in cells))


def produce(dish: Dish, given: Given, streams: Streams) -> Events:
    """Points into the bank; half of them under a BLIGHT (rules 5G, 8.3)."""
    teams = range(1, len(dish.teams) + 1)
    yield Produced(tuple(production(dish, team, dish.layer(team)) for team in teams))
    for number in dish.playing:
        team = dish.team(number)
        assert team.bank is not None
        income = team.production // 2 if team.blighted_in == dish.turn else team.production
        if income:
            yield Banked(number, team.bank + income)


def count_out(dish: Dish, given: Given, streams: Streams) -> Events:
    """Teams without a stack are out (rules 6.3); whether somebody has won is seen then."""
    for team in dish.playing:
        if not any(dish.layer(team)):
            yield WentOut(team)


Stages = tuple[tuple[str, Callable[[Dish, Given, Streams], Events]], ...]

# rules 3.5: after the second placement.
SETTLING: Stages = (("growth", grow), ("combat", fight_all), ("victory", count_out))
TURN: Stages = (
    ("allocation", allocate),
    ("growth", grow),
    ("specials", use_specials),
    ("combat", fight_all),
    ("death", starve),
    ("reduction", reduce_stacks),
    ("production", produce),
    ("victory", count_out),
)


def why_too_few(dish: Dish) -> str | None:
    """Rules 6.3."""
    if not dish.playing:
        return NOBODY_LEFT
    is_decided = len(dish.playing) == 1 and dish.settings.early_elimination
    return SOLE_SURVIVOR if is_decided else None


def why_over(dish: Dish) -> str | None:
    """Rules 6.1 to 6.3; None while the match goes on."""
    too_few = why_too_few(dish)
    if too_few is not None:
        return too_few
    settings, threshold = dish.settings, dish.settings.threshold_pct(dish.turn)
    if threshold is not None and _has_winner(dish, threshold):
        return PRODUCTION
    return LAST_TURN if dish.turn == settings.last_turn else None


def scores(dish: Dish) -> tuple[float, ...]:
    """Production of each team, points; at the end what `MatchEnded` said."""
    if dish.ending is not None:
        return dish.ending.scores
    return tuple(team.production / 1_000 for team in dish.teams)


def final_scores(dish: Dish) -> tuple[float, ...]:
    """Production; of equal ones those with more cells, then more height, have 0.0001 more.

    So the order of the scores is the order of the teams (rules 6.2, 6.5).
    """
    ranks = [_rank(dish, team) for team in range(1, len(dish.teams) + 1)]
    return tuple(
        (10 * own[0] + len({rank for rank in ranks if rank[0] == own[0] and rank < own})) / 10_000
        for own in ranks
    )


def _has_winner(dish: Dish, threshold_pct: int) -> bool:
    """Whether the highest production is the highest alone, and enough (rules 6.1)."""
    produced = [team.production for team in dish.teams]
    best, total = max(produced), sum(produced)
    is_alone = produced.count(best) == 1
    return is_alone and total > 0 and 100 * best >= threshold_pct * total


def _rank(dish: Dish, team: int) -> tuple[int, int, int]:
    """By production, cells, total raw height (rules 6.2)."""
    layer = dish.layer(team)
    return dish.team(team).production, len(layer) - layer.count(0), sum(layer)


def _skips(team: int, skipped: SkipList) -> Events:
    if skipped.skips:
        yield Skipped(team, tuple(skipped.skips), skipped.more)


def _results(dish: Dish, team: int, account: Account, claimed: Sequence[int]) -> Events:
    """What a team's orders have changed."""
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
    """What is selected already stays armed."""
    selection = dish.team(team).selection
    assert selection is not None
    if order.select is None or order.select == selection.special:
        return
    reason = why_not_select(dish, team, order.select)
    if reason is None:
        yield Selected(team, order.select)
    else:
        skipped.add(f"select {order.select}", reason)
