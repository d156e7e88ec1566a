"""Specials: selecting, aiming and using them (docs/rules/smac.md 8)."""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from engine.game import Event
from engine.games.smac.allocation import by_initiative
from engine.games.smac.events import Cleared, Grown, SpecialUsed, TerrainLaid
from engine.games.smac.grid import make_grid
from engine.games.smac.growth import growth, growth_thresholds
from engine.games.smac.orders import Use
from engine.games.smac.pieces import Special
from engine.games.smac.state import Dish
from engine.games.smac.terrain import enrich
from engine.streams import Stream

BLOOM_RADIUS = 2
ORDER_OF_SPECIALS = tuple(Special)
"""The order in which specials are carried out (rules 8.4)."""


class TargetKind(StrEnum):
    """What a special is aimed at; a team's cell names the team, too (rules 8.2)."""

    NOTHING = "nothing"
    TEAM = "team"
    CELL = "cell"


def why_not_select(
    dish: Dish, team: int, special: Special, using: Special | None = None
) -> str | None:
    """Return why a special cannot be selected this turn, None if it can (rules 8.1).

    `using` is the one that the team uses in the same turn.
    """
    first, used = dish.settings.specials_from_turn, list(dish.team(team).used)
    if using is not None:
        used.append(using)
    if dish.turn < first:
        return f"specials can be selected from turn {first} on"
    if special in used:
        return "it was used already"
    if used and dish.settings.one_special_per_game:
        return f"one special per game, and {used[0]} was used"
    return None


def why_not_armed(dish: Dish, team: int, special: Special) -> str | None:
    """Return why a special cannot be used this turn, whatever its target; None if it can (8.1)."""
    selection = dish.team(team).selection
    assert selection is not None, "what another team has selected is not known"
    if selection.special != special:
        return f"is not selected; {selection.special or 'nothing'} is"
    if not selection.is_armed(dish.turn):
        return f"was selected in turn {selection.turn} and is armed from the next one on"
    return None


def why_not_use(dish: Dish, team: int, use: Use) -> str | None:
    """Return why a special cannot be used on its target as the dish is now, None if it can.

    Source: docs/rules/smac.md 8.1, 8.2.
    """
    unarmed = why_not_armed(dish, team, use.special)
    return unarmed or SPECIAL_RULES[use.special].why_not_at(dish, team, use.target)


def in_order_of_use(dish: Dish, uses: Mapping[int, Use], stream: Stream) -> list[int]:
    """Return the teams in the order in which their specials are carried out (rules 8.4)."""
    # Lots are drawn for all teams in the match: if only users drew, a team could conclude from
    # its own luck how many others used a special (rules 7.1).
    initiative = {team: dish.team(team).levels.pinit for team in dish.playing}
    teams = [team for team in by_initiative(initiative, stream) if team in uses]
    return sorted(teams, key=lambda team: ORDER_OF_SPECIALS.index(uses[team].special))


def carry_out(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    """Carry out a legal use: one for which `why_not_use` returned None."""
    return SPECIAL_RULES[use.special].effect(dish, team, use)


Target = tuple[int, int] | int | None


def _why_not_self(dish: Dish, team: int, target: Target) -> str | None:
    if target is None or _team_at(dish, target) == team:
        return None
    return "it protects oneself: no target, one's own number, or an own cell"


def _why_not_other(dish: Dish, team: int, target: Target) -> str | None:
    other = _team_at(dish, target)
    if other is not None and other != team and other in dish.playing:
        return None
    return "its target is another team that is in the match: its number, or a cell it owns"


def _why_not_square(dish: Dish, team: int, target: Target) -> str | None:
    return None if isinstance(target, tuple) else "its target is a cell: x and y"


def _why_not_block(dish: Dish, team: int, target: Target) -> str | None:
    grid = make_grid(dish.side)
    if isinstance(target, tuple) and len(grid.block(grid.cell(*target))) == 9:
        return None
    return "its target is a cell with 3 x 3 cells on the board"


def _team_at(dish: Dish, target: Target) -> int | None:
    """Return the team that a target names, by number or as the owner of a cell (rules 8.2)."""
    if not isinstance(target, tuple):
        return target
    return dish.owners[make_grid(dish.side).cell(*target)] or None


def _use_shell(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    yield SpecialUsed(team, use.special, None, team, ())


def _use_blight(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    yield SpecialUsed(team, use.special, None, _team_at(dish, use.target), ())


def _use_enrich(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    cell = _target_cell(dish, use)
    yield SpecialUsed(team, use.special, cell, None, (cell,))
    yield TerrainLaid((cell,), (enrich(dish.terrain[cell]),))


def _use_bloom(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    """Grow once more, around the square and with lower thresholds (rules 8.3)."""
    grid, cell, layer = make_grid(dish.side), _target_cell(dish, use), dish.layer(team)
    around = grid.mask(grid.block(cell, BLOOM_RADIUS))
    cells = grid.cells(around & growth(dish, team, layer, growth_thresholds(dish.settings).lower()))
    yield SpecialUsed(team, use.special, cell, None, cells or (cell,))
    if cells:
        yield Grown(team, cells, tuple(layer[grown] + 1 for grown in cells))


def _use_spore(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    """Put a stack of 1 wherever nobody is; its cell has an owner after combat (rules 2.4)."""
    cell = _target_cell(dish, use)
    block = make_grid(dish.side).block(cell)
    cells = tuple(part for part in block if not any(layer[part] for layer in dish.heights))
    yield SpecialUsed(team, use.special, cell, None, cells or (cell,))
    if cells:
        yield Grown(team, cells, (1,) * len(cells))


def _use_nuke(dish: Dish, team: int, use: Use) -> Iterator[Event]:
    cell = _target_cell(dish, use)
    cells = make_grid(dish.side).block(cell)
    yield SpecialUsed(team, use.special, cell, None, cells)
    yield Cleared(cells)


def _target_cell(dish: Dish, use: Use) -> int:
    assert isinstance(use.target, tuple)
    return make_grid(dish.side).cell(*use.target)


class SpecialRules(NamedTuple):
    """What a special is aimed at, why it cannot be aimed so, and what it does."""

    target: TargetKind
    why_not_at: Callable[[Dish, int, Target], str | None]
    effect: Callable[[Dish, int, Use], Iterator[Event]]


SPECIAL_RULES = {
    Special.SHELL: SpecialRules(TargetKind.NOTHING, _why_not_self, _use_shell),
    Special.BLIGHT: SpecialRules(TargetKind.TEAM, _why_not_other, _use_blight),
    Special.ENRICH: SpecialRules(TargetKind.CELL, _why_not_square, _use_enrich),
    Special.BLOOM: SpecialRules(TargetKind.CELL, _why_not_square, _use_bloom),
    Special.SPORE: SpecialRules(TargetKind.CELL, _why_not_block, _use_spore),
    Special.NUKE: SpecialRules(TargetKind.CELL, _why_not_square, _use_nuke),
}
