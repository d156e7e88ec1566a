"""What a shape alone may know, where each runs in a process of its own (rules 8.6)."""

from collections.abc import Callable, Iterable

import msgspec

from engine.games.game_of_death.events import Deployed, Heard, HomesPlaced, Sighted
from engine.games.game_of_death.pieces import Body, Shape, shape_number
from engine.games.game_of_death.state import Battle, Defeat, new_battle

Places = tuple[int, ...]


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
    import numpy as np  # not above: the engine has no other need of it

    sight, width = known.sight, known.settings.width
    reach, turn = known.settings.sight**2, known.turn
    own: Iterable[Shape | Body] = known.shapes.values()
    of_partners = sight.friendly if sight else ()
    of_own = (cell for shape in own for cell in known.places(shape))
    friendly, hostile = [*of_own, *of_partners], sight.hostile if sight else ()
    bodies = sight.bodies if sight else ()
    places = np.array([*friendly, *hostile, *bodies], np.int64)
    begins = (len(friendly), len(friendly) + len(hostile))
    xs, ys = places % width, places // width
    heard = known.heard if known.heard is not None and known.heard.turn == turn - 1 else None
    defeated = tuple(team for team in known.all_teams if known.is_defeated(team))

    def view(shape_id: int) -> LoneView:
        shape = known.shapes[shape_id]
        x, y = known.anchor(shape)
        near = np.flatnonzero((xs - x) ** 2 + (ys - y) ** 2 <= reach)
        first, second = np.searchsorted(near, begins)
        found = places[near].tolist()
        return LoneView(
            turn=turn,
            shape=shape,
            has_flag=shape_id in known.bearers,
            friendly=tuple(found[:first]),
            hostile=tuple(found[first:second]),
            bodies=tuple(found[second:]),
            heard=_texts_for(heard, shape_number(shape_id, known.teams)),
            defeated=defeated,
        )

    return view


def apply_lone_view(battle: Battle, view: LoneView) -> None:
    """Take over in a shape's own process what it was told; its grid has homes alone."""
    shape = view.shape
    battle.turn = view.turn
    battle.shapes = {shape.id: shape}
    team = battle.piece_team(shape.id)
    battle.bearers[battle.enemy_teams(team)[0] - 1] = shape.id if view.has_flag else 0
    battle.sight = Sighted(view.turn, view.hostile, view.bodies)
    if view.heard:
        ears = f"{1 << shape_number(shape.id, battle.teams):x}"
        battle.heard = Heard(view.turn - 1, (ears,), (view.heard,))
    for out in view.defeated:
        if not battle.is_defeated(out):
            battle.defeats[out - 1] = Defeat(view.turn, 0, 0, 0)


def _texts_for(heard: Heard | None, number: int) -> tuple[str, ...]:
    if heard is None:
        return ()
    pairs = zip(heard.ears, heard.texts, strict=True)
    return tuple(text for ears, texts in pairs if int(ears, 16) >> number & 1 for text in texts)
