"""Cells, their terrain and their stacks, as things to draw."""

from collections.abc import Iterator
from functools import cache
from math import ceil, sqrt

from engine.games.smac.combat import SHELL_DEFENSE, Fighter
from engine.games.smac.grid import make_grid
from engine.games.smac.orders import ORDERS
from engine.games.smac.production import stack_yield
from engine.games.smac.state import NOBODY, Dish
from engine.games.smac.terrain import BASE, PLAIN, TRAITS, effective_height, terrain_names
from visualizer.scene import NO_FACT, Fact, KeyEntry, Kind, Label, Sprite, Thing, Tile
from visualizer.scenes.smac.themes import (
    BASE_REMINDER_SIZE,
    BORDER,
    CELL,
    FROM_EDGE,
    HEIGHT,
    HIGHER,
    INNER,
    LAYER,
    MAX_STACK_WIDTH,
    MIN_STACK_WIDTH,
    NUMERAL,
    NUMERAL_OF_TWO,
    NUMERALS,
    ON_TERRAIN,
    ONE,
    PLATE,
    REMINDER,
    RIVAL_HEIGHTS,
    RIVALS,
    STACK,
    TAN,
    TERRAIN,
    UNSHADED_WIDTH,
    picture_of_stack,
    picture_of_terrain,
)
from visualizer.theme import DISH, DISH_RIM, OWNED, STRIKE

FACTS = ("name", "owner", "stack", "effective", "produces", "defense", "soil", "relief", "base")
KINDS = {
    "cell": Kind("cell", FACTS, hover=("soil", "relief", "base")),
    "ground": Kind("ground", is_seen_through=True),
    "terrain": Kind("terrain", is_seen_through=True, plain=TAN),
    "stack": Kind("stack", ("name", "team", "level"), is_seen_through=True),
    "numeral": Kind("numeral", is_seen_through=True),
}


def key() -> tuple[KeyEntry, ...]:
    """Return what the looks of cells mean."""
    facts = ("stack of team 1", 1, 3)
    size = _stack_size(3)
    stack = Sprite("stack", 0.5, 0.5, size, picture_of_stack(1, is_new=False), facts=facts)
    height = Label("numeral", 0.5, 0.5, round(NUMERAL * size, 3), "3", NUMERALS[0])
    red = Tile("cell", 0, 0, 1, 1, STRIKE)
    side = 1 - 2 * BORDER
    return (
        KeyEntry((_sample(OWNED[0]), stack, height), "stack of height 3"),
        KeyEntry((_sample(DISH),), "free, or just taken"),
        KeyEntry((_sample(TAN),), "so, with terrain"),
        KeyEntry((red, Tile("ground", BORDER, BORDER, side, side, OWNED[0])), "fought over or hit"),
    )


def _sample(fill: str) -> Tile:
    return Tile("cell", 0, 0, 1, 1, fill, DISH_RIM)


def ids_in(cell: int, teams: int) -> Iterator[int]:
    """Return the ids of all there may be in a cell."""
    yield from (layer + cell for layer in (CELL, INNER, TERRAIN, ONE, STACK, HEIGHT))
    for team in range(teams):
        yield RIVALS + team * LAYER + cell
        yield RIVAL_HEIGHTS + team * LAYER + cell


def ids_of_all(dish: Dish) -> Iterator[int]:
    """Return the ids of all that is there now."""
    cells = range(dish.side * dish.side)
    shown, stacks = display_turn(dish), [0] * len(cells)
    yield from (CELL + cell for cell in cells)
    yield from (INNER + cell for cell, turn in dish.unusual.items() if turn == shown)
    for layer in dish.heights:
        for cell in filter(layer.__getitem__, cells):
            stacks[cell] += 1
    for cell, terrain in enumerate(dish.terrain):
        if terrain != PLAIN:
            yield TERRAIN + cell
            if terrain & BASE and not stacks[cell]:
                yield ONE + cell
    for team, layer in enumerate(dish.heights):
        for cell in filter(layer.__getitem__, cells):
            if stacks[cell] == 1:
                yield from (STACK + cell, HEIGHT + cell)
            else:
                yield from (RIVALS + team * LAYER + cell, RIVAL_HEIGHTS + team * LAYER + cell)


def thing_in(dish: Dish, thing_id: int) -> Thing | None:
    """Return the thing of an id; None if it is not there."""
    layer, cell = thing_id // LAYER * LAYER, thing_id % LAYER
    if layer == CELL:
        return _cell_tile(dish, cell)
    if layer == INNER:
        return _inner_tile(dish, cell)
    if layer == TERRAIN:
        return _terrain_plate(dish, cell)
    if layer == ONE:
        return _base_reminder(dish, cell)
    return _stack_thing(dish, thing_id, cell)


def display_turn(dish: Dish) -> int:
    """Return the turn whose effects are shown: the last one while orders are awaited."""
    return dish.turn - 1 if dish.stage == ORDERS and dish.turn > 1 else dish.turn


def _cell_corner(dish: Dish, cell: int) -> tuple[int, int]:
    return make_grid(dish.side).xy(cell)


def _is_new(dish: Dish, cell: int) -> bool:
    return dish.owners[cell] == NOBODY or dish.since[cell] == display_turn(dish)


def _is_unusual(dish: Dish, cell: int) -> bool:
    return dish.unusual.get(cell) == display_turn(dish)


def _ground_color(dish: Dish, cell: int) -> str:
    if _is_new(dish, cell):
        return DISH if dish.terrain[cell] == PLAIN else TAN
    return OWNED[dish.owners[cell] - 1]


def _cell_tile(dish: Dish, cell: int) -> Tile:
    """Return a whole cell, red if a border of it stays visible around what `_inner_tile` covers."""
    x, y = _cell_corner(dish, cell)
    color = STRIKE if _is_unusual(dish, cell) else _ground_color(dish, cell)
    border = STRIKE if _is_unusual(dish, cell) else DISH_RIM
    return Tile("cell", x, y, 1, 1, color, border, _cell_facts(dish, cell))


def _inner_tile(dish: Dish, cell: int) -> Tile | None:
    if not _is_unusual(dish, cell):
        return None
    x, y = _cell_corner(dish, cell)
    side = 1 - 2 * BORDER
    return Tile("ground", x + BORDER, y + BORDER, side, side, _ground_color(dish, cell))


def _terrain_plate(dish: Dish, cell: int) -> Sprite | None:
    terrain = dish.terrain[cell]
    if terrain == PLAIN:
        return None
    x, y = _cell_corner(dish, cell)
    size = PLATE - 2 * BORDER * _is_unusual(dish, cell)
    return Sprite("terrain", x + 0.5, y + 0.5, size, picture_of_terrain(terrain))


def _base_reminder(dish: Dish, cell: int) -> Label | None:
    """Return the label that reminds that an empty BASE cell adds 1 to stacks."""
    if not dish.terrain[cell] & BASE or dish.stacks_in(cell):
        return None
    x, y = _cell_corner(dish, cell)
    dx, dy, _ = _place_alone(dish.terrain[cell], MIN_STACK_WIDTH)
    return Label("numeral", x + dx, y + dy, BASE_REMINDER_SIZE, "1", REMINDER)


def _stack_thing(dish: Dish, thing_id: int, cell: int) -> Sprite | Label | None:
    """Return a stack or its height, alone in a cell or one of several side by side."""
    stacks = dish.stacks_in(cell)
    layer = thing_id // LAYER * LAYER
    if layer in (STACK, HEIGHT):
        if len(stacks) != 1:
            return None
        team = next(iter(stacks))
        place = _place_alone(dish.terrain[cell], _stack_size(stacks[team]))
        is_label = layer == HEIGHT
    else:
        is_label = layer >= RIVAL_HEIGHTS
        team = (layer - (RIVAL_HEIGHTS if is_label else RIVALS)) // LAYER + 1
        if len(stacks) < 2 or team not in stacks:
            return None
        place = _place_among(list(stacks).index(team), len(stacks))
    dx, dy, scale = place
    x, y = _cell_corner(dish, cell)
    size = scale * _stack_size(stacks[team])
    if is_label:
        text, color = str(stacks[team]), NUMERALS[team - 1]
        letters = round((NUMERAL if len(text) == 1 else NUMERAL_OF_TWO) * size, 3)
        return Label("numeral", x + dx, y + dy, letters, text, color)
    is_new = dish.owners[cell] != team or _is_new(dish, cell)
    picture = picture_of_stack(team, is_new=is_new)
    facts = (f"stack of team {team}", team, stacks[team])
    size = round(size * UNSHADED_WIDTH if is_new else size, 3)
    return Sprite("stack", x + dx, y + dy, size, picture, facts=facts)


def _stack_size(height: int) -> float:
    """Return the width of a stack that is alone on plain ground."""
    return min(MAX_STACK_WIDTH, MIN_STACK_WIDTH + HIGHER * (height - 1))


@cache
def _place_alone(terrain: int, size: float) -> tuple[float, float, float]:
    """Return the place of the only stack in a cell: on terrain it hides no sign."""
    if terrain == PLAIN:
        return 0.5, 0.5, 1.0
    middle = round(1 - FROM_EDGE - ON_TERRAIN * size / 2, 3)
    return middle, middle, ON_TERRAIN


def _place_among(number: int, count: int) -> tuple[float, float, float]:
    """Return the place of one of several stacks in a cell, and its size relative to one alone."""
    columns = ceil(sqrt(count))
    rows = ceil(count / columns)
    row, column = divmod(number, columns)
    x, y = (column + 0.5) / columns, (row + 0.5) / rows
    return round(x, 3), round(y, 3), 1.15 / columns


def _cell_facts(dish: Dish, cell: int) -> tuple[Fact, ...]:
    """Return the facts of a cell, in the order of FACTS."""
    owner, terrain, stacks = dish.owners[cell], dish.terrain[cell], dish.stacks_in(cell)
    x, y = _cell_corner(dish, cell)
    name, traits = f"cell {x}, {y}", _trait_names(terrain)
    raw = stacks.get(owner, 0)
    if not raw:
        return (name, "nobody", _stacks_text(stacks, owner), 0, 0.0, 0, *traits)
    return (
        name,
        f"team {owner}",
        _stacks_text(stacks, owner),
        effective_height(raw, terrain),
        _points_per_turn(dish, cell, owner, raw),
        _owner_defense(_defense_level(dish, owner), terrain, raw),
        *traits,
    )


@cache
def _trait_names(terrain: int) -> tuple[str, ...]:
    return tuple(
        " ".join(terrain_names(terrain & (minus | plus))) or NO_FACT for minus, plus in TRAITS
    )


def _stacks_text(stacks: dict[int, int], owner: int) -> str:
    """Return `3`, or all stacks of a contested cell: `3, 1 of team 2`."""
    if not stacks:
        return NO_FACT
    own = [str(stacks[owner])] if owner in stacks else []
    return ", ".join(
        [*own, *(f"{height} of team {team}" for team, height in stacks.items() if team != owner)]
    )


def _points_per_turn(dish: Dish, cell: int, owner: int, raw: int) -> float:
    """Return the points per turn, productivity included (rules 5.13 to 5.15)."""
    hundredths = stack_yield(raw, dish.terrain[cell], dish.settings.production_model)
    return hundredths * (10 + dish.team(owner).levels.productivity) / 1_000


def _defense_level(dish: Dish, team: int) -> int:
    """Return the defense level in the turn that is shown."""
    of_team = dish.team(team)
    return of_team.levels.defense + SHELL_DEFENSE * (of_team.shelled_in == display_turn(dish))


@cache
def _owner_defense(level: int, terrain: int, raw: int) -> int:
    """Return the owner's D (rules 5.7)."""
    return Fighter(0, level, 0, is_owner=True, terrain=terrain).defense_with(raw)
