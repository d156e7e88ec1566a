"""The dish in plain text: for terminals, tests and bug reports."""

from collections.abc import Callable

from engine.games.smac.settings import MILLI, Characteristics
from engine.games.smac.state import Dish
from engine.games.smac.terrain import ACID, BARE, BASE, DIP, HILL, SUGAR

LETTERS = "ABCDEF"
SIGNS = ((DIP, "v"), (HILL, "^"), (ACID, "-"), (BASE, "+"), (BARE, "!"), (SUGAR, "$"))
LEGEND = (
    "A1: stack of team 1, height 1   a1: nobody owns the cell yet   **: stacks of several teams",
    "^: HILL   v: DIP   +: BASE   -: ACID   $: SUGAR   !: BARE",
)


def draw(state: Dish) -> str:
    """Return the stacks and below them the terrain, row 0 on top."""
    title = f"turn {state.turn}, {state.stage}" if state.stage else "an empty dish"
    rows = [*_format_rows(state, _stack_text, 2), *_format_rows(state, _terrain_text, 3)]
    return "\n".join([title, *rows, *LEGEND])


def describe(state: Dish, team: int) -> str:
    """Return what a team has: `57 cells, highest 3; 24.31 points a turn; attack 2, stacking 3`."""
    layer, own = state.layer(team), state.team(team)
    cells = len(layer) - layer.count(0)
    if not cells:
        return "no stacks"
    heights = f"{cells} cell{'s' if cells > 1 else ''}, highest {max(layer)}"
    return f"{heights}; {own.production / MILLI:g} points a turn; {_levels_text(own.levels)}"


def _levels_text(levels: Characteristics) -> str:
    named = [f"{name} {level}" for name, level in levels._asdict().items() if level]
    return ", ".join(named) or "no levels"


def _format_rows(dish: Dish, shown: Callable[[Dish, int], str], width: int) -> list[str]:
    side = dish.side
    header = " ".join(f"{x:<{width}}" for x in range(side))
    rows = [
        f"{y:>3} " + " ".join(shown(dish, y * side + x) for x in range(side)) for y in range(side)
    ]
    return [f"    {header}".rstrip(), *(row.rstrip() for row in rows)]


def _stack_text(dish: Dish, cell: int) -> str:
    stacks = dish.stacks_in(cell)
    if len(stacks) != 1:
        return "**" if stacks else " ."
    ((team, height),) = stacks.items()
    letter = LETTERS[team - 1] if dish.owners[cell] else LETTERS[team - 1].lower()
    return letter + (str(height) if height < 10 else "+")


def _terrain_text(dish: Dish, cell: int) -> str:
    terrain = dish.terrain[cell]
    signs = "".join(sign for flag, sign in SIGNS if terrain & flag)
    return f"{signs or '.':<3}"
