"""A bar below the dish: the teams' shares of all production, and the share that wins."""

from itertools import accumulate

from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.state import Dish
from visualizer.scene import Fact, Kind, Label, Thing, Tile
from visualizer.scenes.smac.cells import display_turn
from visualizer.scenes.smac.themes import GOAL, GOAL_WORDS, LAYER, NUMERALS, SHARE, TEAM
from visualizer.theme import COORDINATES, TEAM_COLORS

TOP, HIGH = 1.0, 0.85
"""The place of the bar below the dish and its height, cells."""
TICK, TICK_TOP, TICK_COLOR = 0.16, 0.15, "#e0a100"
"""The mark above the bar for the winning share: its width, top and color."""
WINS_AT, LETTER_WIDTH = 0.5, 0.58
"""The place of the words beside the mark, and the width of a letter of its size."""
LETTERS, MIN_NAMED_WIDTH = 0.62, 2.4
"""The size of letters on a share, and the least width of a share with letters, cells."""
LEVELS = Characteristics._fields
KINDS = {
    "team": Kind("team", ("name", "at", "produces", "share", *LEVELS)),
    "share": Kind("share", is_seen_through=True),
    "goal": Kind("goal", ("name", "valid")),
}


def ids(teams: int) -> list[int]:
    each = range(1, teams + 1)
    return [*(TEAM + team for team in each), *(SHARE + team for team in each), GOAL, GOAL_WORDS]


def make_thing(dish: Dish, thing_id: int) -> Thing | None:
    """Return the thing of an id; None if it is not there."""
    layer, team = thing_id // LAYER * LAYER, thing_id % LAYER
    if thing_id == GOAL:
        return _goal_mark(dish)
    if thing_id == GOAL_WORDS:
        return _goal_label(dish)
    return _make_team_tile(dish, team) if layer == TEAM else _share_label(dish, team)


def production_share(dish: Dish, team: int) -> float:
    """Return a team's share of all production, 0 to 1; 0 while nobody produces."""
    total = sum(each.production for each in dish.teams)
    return dish.team(team).production / total if total else 0.0


def threshold(dish: Dish) -> float:
    """Return the production that wins in the shown turn, or in the first turn it can."""
    return _winning_percent(dish) * sum(team.production for team in dish.teams) / 100 / MILLI


def _winning_percent(dish: Dish) -> int:
    """Return the winning share of all production in percent (rules 6.1)."""
    settings = dish.settings
    percent = settings.threshold_pct(max(display_turn(dish), settings.victory_from_turn))
    assert percent is not None
    return percent


def _part_of_bar(dish: Dish, team: int) -> tuple[float, float]:
    """Return left edge and width of a team's part of the bar, the largest of which comes first.

    Without production all are equal.
    """
    order = sorted(range(1, len(dish.teams) + 1), key=lambda each: -dish.team(each).production)
    equal = 1 / len(order) if not sum(each.production for each in dish.teams) else 0.0
    widths = [dish.side * (production_share(dish, each) + equal) for each in order]
    place = order.index(team)
    left = [0.0, *accumulate(widths)][place]
    return round(left, 3), round(widths[place], 3)


def _make_team_tile(dish: Dish, team: int) -> Tile:
    left, width = _part_of_bar(dish, team)
    of_team = dish.team(team)
    facts: tuple[Fact, ...] = (
        f"team {team}",
        "the bar of production",
        of_team.production / MILLI,
        f"{100 * production_share(dish, team):.1f} %",
        *of_team.levels,
    )
    width = min(width, dish.side - left)
    return Tile("team", left, dish.side + TOP, width, HIGH, TEAM_COLORS[team - 1], "", facts)


def _share_label(dish: Dish, team: int) -> Label | None:
    """Return a share as a label, if there is room for it."""
    (left, width), share = _part_of_bar(dish, team), production_share(dish, team)
    if not share or width < MIN_NAMED_WIDTH:
        return None
    x, y = left + width / 2, dish.side + TOP + HIGH / 2
    return Label("share", round(x, 3), y, LETTERS, f"{100 * share:.0f} %", NUMERALS[team - 1])


def _goal_mark(dish: Dish) -> Tile:
    """Return the mark that the first share must reach to win."""
    percent = _winning_percent(dish)
    left = min(dish.side - TICK, max(0.0, dish.side * percent / 100 - TICK / 2))
    top, high = dish.side + TICK_TOP, TOP - TICK_TOP
    facts = (f"victory: {percent} %", f"from turn {dish.settings.victory_from_turn} on")
    # Hollow until it counts (rules 6.1).
    fill = "" if _turns_until_it_counts(dish) else TICK_COLOR
    return Tile("goal", round(left, 3), top, TICK, round(high, 3), fill, TICK_COLOR, facts)


def _turns_until_it_counts(dish: Dish) -> int:
    return max(0, dish.settings.victory_from_turn - max(1, display_turn(dish)))


def _goal_label(dish: Dish) -> Label:
    """Return the words beside the mark."""
    percent, rest = _winning_percent(dish), _turns_until_it_counts(dish)
    text = f"{percent} % wins"
    if rest:
        text += f" from turn {dish.settings.victory_from_turn} (in {rest})"
    x, wide = dish.side * percent / 100, TICK + len(text) * LETTER_WIDTH * LETTERS
    left = x if x + wide < dish.side else max(0, x - wide)
    y = dish.side + WINS_AT
    return Label("share", round(left + wide / 2, 3), y, LETTERS, text, COORDINATES)
