"""What is said of the Game of Death, and the lanes of its attacks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.games.game_of_death import events as ev
from engine.games.game_of_death.attacks import lines_of, reach_of
from engine.games.game_of_death.forms import LIT, SIDES
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import Battle
from visualizer.scene import Note

HOMES, FLAGS = (-1, -2), (-3, -4)
"""The ids of both teams'; shapes have their own, and bodies those of the shapes they were."""

Reach = tuple[tuple[float, float, float, float], ...]


def name_of(state: Battle, shape_id: int) -> str:
    return f"{state.type_of(state.shapes[shape_id]).name} {shape_id}"


def names_of(state: Battle, team: int, types: Sequence[int]) -> str:
    """Of the enemy's types."""
    return ", ".join(state.types[2 - team][number].name for number in types)


def _deployed(state: Battle, event: ev.Deployed) -> Sequence[Note]:
    sizes = [sum(row.count(LIT) for row in drawn.mask) for drawn in event.types]
    cells = sum(sizes[shape.type] for shape in event.shapes)
    words = f"{len(event.shapes)} shapes, {cells} cells"
    return (Note("deployed", HOMES[event.team - 1], 0, words),)


def _refused(state: Battle, event: ev.ArmyRefused) -> Sequence[Note]:
    return (Note("refused", HOMES[event.team - 1], 0, event.reason),)


def _lost(state: Battle, event: ev.TurnsLost) -> Sequence[Note]:
    pairs = zip(event.ids, event.causes, strict=True)
    return [Note("lost", shape_id, 0, cause) for shape_id, cause in pairs]


def _in_vain(state: Battle, event: ev.Nothing) -> Sequence[Note]:
    return [Note("in vain", shape_id, 0, str(event.reason)) for shape_id in event.ids]


def _said(state: Battle, event: ev.Spoke) -> Sequence[Note]:
    pairs = zip(event.ids, event.texts, strict=True)
    return [Note("said", shape_id, 0, text) for shape_id, text in pairs]


def _attacked(state: Battle, event: ev.Attacked) -> Sequence[Note]:
    side = SIDES[event.side]
    return [
        Note("attacked", shape_id, 0, side, _lanes(state, state.shapes[shape_id], event.side))
        for shape_id in event.ids
    ]


def _lanes(state: Battle, shape: Shape, side: int) -> Reach:
    """The lane of an attack (rules 6.1, 6.2): lines side by side that reach as far, as one."""
    direction = (shape.facing + side) % 4
    areas: list[list[int]] = []
    for (place, _), line in zip(
        reach_of(state, shape, direction), lines_of(state, shape, direction), strict=True
    ):
        length = _length(state, line)
        if not length:
            continue
        y, x = divmod(place, state.settings.width)
        area = _area(x - shape.x, y - shape.y, direction, length)
        if areas and _is_beside(areas[-1], area, direction):
            areas[-1][2 + (direction + 1) % 2] += 1
        else:
            areas.append(area)
    return tuple((x, y, width, height) for x, y, width, height in areas)


def _length(state: Battle, line: Sequence[int]) -> int:
    """A home stops an attack before it, a body stops it behind it (rules 6.2)."""
    if any(line):
        for number, there in enumerate(line):
            if there < 0:
                return number
            if there in state.bodies:
                return number + 1
    return len(line)


def _area(x: int, y: int, direction: int, length: int) -> list[int]:
    """A line from a square on: left, top, width, height."""
    match direction:
        case 0:
            return [x, y, length, 1]
        case 1:
            return [x, y, 1, length]
        case 2:
            return [x - length + 1, y, length, 1]
        case _:
            return [x, y - length + 1, 1, length]


def _is_beside(area: list[int], line: list[int], direction: int) -> bool:
    """Whether a line goes on where an area ends, and is as long."""
    along, across = direction % 2, 1 - direction % 2
    return (
        area[along] == line[along]
        and area[2 + along] == line[2 + along]
        and area[across] + area[2 + across] == line[across]
    )


def _hit(state: Battle, event: ev.Damaged) -> Iterator[Note]:
    for shape_id, hp in zip(event.ids, event.hps, strict=True):
        loss = state.shapes[shape_id].hp - hp
        yield Note("hit", shape_id, 0, str(loss)) if loss else Note("unharmed", shape_id)


def _bodies_hit(state: Battle, event: ev.BodiesHit) -> Iterator[Note]:
    for body_id, left in zip(event.ids, event.left, strict=True):
        yield Note("battered", body_id, 0, str(left)) if left else Note("shattered", body_id)


def _of_each(happening: str) -> Callable[[Battle, Any], Sequence[Note]]:
    return lambda state, event: [Note(happening, shape_id) for shape_id in event.ids]


def _disclosed(state: Battle, event: ev.Disclosed) -> Sequence[Note]:
    words = names_of(state, event.team, event.types)
    return (Note("disclosed", HOMES[2 - event.team], 0, words),)


NOTES: dict[type, Callable[[Battle, Any], Any]] = {
    ev.Deployed: _deployed,
    ev.ArmyRefused: _refused,
    ev.TurnsLost: _lost,
    ev.Nothing: _in_vain,
    ev.Spoke: _said,
    ev.Attacked: _attacked,
    ev.Damaged: lambda state, event: list(_hit(state, event)),
    ev.BodiesHit: lambda state, event: list(_bodies_hit(state, event)),
    ev.Dying: _of_each("dying"),
    ev.Died: _of_each("died"),
    ev.CaptureBegan: _of_each("captures"),
    ev.CaptureStopped: _of_each("gave up"),
    ev.FlagTaken: lambda state, event: [Note("took", event.shape)],
    ev.FlagReturned: lambda state, event: [Note("returned", HOMES[event.team - 1])],
    ev.Delivered: lambda state, event: [Note("brought", event.shape)],
    ev.Disclosed: _disclosed,
}
