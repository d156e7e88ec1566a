"""What a shape alone may know, where each runs in a process of its own (rules 8.6)."""

from collections.abc import Callable, Iterable

import msgspec

from engine.games.game_of_death.events import Deployed, Heard, HomesPlaced, Sighted
from engine.games.game_of_death.pieces import Body, Shape, number_of
from engine.games.game_of_death.state import FREE, Battle, Defeat, new_battle

Places = tuple[int, ...]
Located = list[tuple[int, int, int]]
"""Cells as x, y and place."""


class LoneView(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that a shape is told in a turn; places are those of the grid."""

    turn: int
    shape: Shape
    has_flag: bool
    friendly: Places
    hostile: Places
    bodies: Places
    heard: tuple[str, ...]
    """The broadcasts of the last turn that it can read now."""
    defeated: tuple[int, ...]


def lone_board(known: Battle) -> Battle:
    """Return a battle with the team's types, and nobody in it."""
    board = new_battle(known.settings, known.teams)
    if known.home_v is not None:
        board.apply(HomesPlaced(known.home_v))
    for team, types in enumerate(known.types, 1):
        board.apply(Deployed(team, types, ()))
    return board


def lone_views(known: Battle) -> Callable[[int], LoneView]:
    """Return what makes the view of each of a team's shapes, from what the team knows now."""
    sight = known.sight
    reach, turn = known.settings.sight**2, known.turn
    own: Iterable[Shape | Body] = known.shapes.values()
    of_partners = sight.friendly if sight else ()
    of_own = (place for shape in own for place in known.places(shape))
    friendly = _located(known, (*of_own, *of_partners))
    hostile = _located(known, sight.hostile if sight else ())
    bodies = _located(known, sight.bodies if sight else ())
    heard = known.heard if known.heard is not None and known.heard.turn == turn - 1 else None
    defeated = tuple(team for team in known.all_teams if known.is_defeated(team))

    def view(shape_id: int) -> LoneView:
        shape = known.shapes[shape_id]
        x, y = known.anchor(shape)

        def near(cells: Located) -> Places:
            return tuple(at for u, v, at in cells if (u - x) ** 2 + (v - y) ** 2 <= reach)

        return LoneView(
            turn=turn,
            shape=shape,
            has_flag=shape_id in known.bearers,
            friendly=near(friendly),
            hostile=near(hostile),
            bodies=near(bodies),
            heard=_heard_by(heard, number_of(shape_id, known.teams)),
            defeated=defeated,
        )

    return view


def look_alone(battle: Battle, view: LoneView, before: Places) -> None:
    """Take over in a shape's own process what it was told; `before` were friendly cells."""
    shape, grid = view.shape, battle.grid
    for place in before:
        grid[place] = FREE
    for place in view.friendly:
        grid[place] = shape.id
    battle.turn = view.turn
    battle.shapes = {shape.id: shape}
    team = battle.team_of(shape.id)
    battle.bearers[battle.enemies_of(team)[0] - 1] = shape.id if view.has_flag else 0
    battle.sight = Sighted(view.turn, view.hostile, view.bodies)
    if view.heard:
        ears = f"{1 << number_of(shape.id, battle.teams):x}"
        battle.heard = Heard(view.turn - 1, (ears,), (view.heard,))
    for out in view.defeated:
        if not battle.is_defeated(out):
            battle.defeats[out - 1] = Defeat(view.turn, 0, 0, 0)


def _heard_by(heard: Heard | None, number: int) -> tuple[str, ...]:
    if heard is None:
        return ()
    pairs = zip(heard.ears, heard.texts, strict=True)
    return tuple(text for ears, texts in pairs if int(ears, 16) >> number & 1 for text in texts)


def _located(battle: Battle, places: Iterable[int]) -> Located:
    width = battle.settings.width
    return [(place % width, place // width, place) for place in places]
