"""The annotations of the Game of Death, and the lanes of its attacks."""

from collections.abc import Callable, Iterable, Sequence
from operator import sub
from typing import Any

from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.attacks import attack_lines, attack_reach
from engine.games.game_of_death.geometry import FILLED, SIDES
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import Battle
from visualizer.scene import Annotation, pluralize

Lanes = tuple[tuple[float, float, float, float], ...]


def home_id(team: int) -> int:
    """Return the id of a team's home; shapes and bodies have ids above 0."""
    return -team


def flag_id(team: int, teams: int) -> int:
    """Return the id of a team's flag, in a match of this number of teams."""
    return -teams - team


def shape_name(state: Battle, shape_id: int) -> str:
    return f"{state.piece_type(state.shapes[shape_id]).name} {shape_id}"


def _annotate_deployment(state: Battle, event: ev.Deployed) -> Sequence[Annotation]:
    sizes = [sum(row.count(FILLED) for row in drawn.mask) for drawn in event.types]
    cells = sum(sizes[shape.type] for shape in event.shapes)
    text = f"{pluralize(len(event.shapes), 'shape')}, {pluralize(cells, 'cell')}"
    return (Annotation("deployed", home_id(event.team), 0, text),)


def _annotate_each(
    event_style: str, ids: Sequence[int], words: Sequence[str] | str = ""
) -> Sequence[Annotation]:
    """Return the annotations of some things; `words`: of each, or the same of all."""
    texts = [words] * len(ids) if isinstance(words, str) else words
    pairs = zip(ids, texts, strict=True)
    return [Annotation(event_style, thing_id, 0, text) for thing_id, text in pairs]


def _annotate_damage(
    event_style: str, without: str, ids: Sequence[int], numbers: Iterable[int]
) -> Sequence[Annotation]:
    """Return the annotations of what has these numbers of hp lost, or left; or is without any."""
    return [
        Annotation(event_style, thing_id, 0, str(number))
        if number
        else Annotation(without, thing_id)
        for thing_id, number in zip(ids, numbers, strict=True)
    ]


def _annotate_attack(state: Battle, event: ev.Attacked) -> Sequence[Annotation]:
    side = SIDES[event.side]
    return [
        Annotation("attacked", shape_id, 0, side, _lanes(state, state.shapes[shape_id], event.side))
        for shape_id in event.ids
    ]


def _lanes(state: Battle, shape: Shape, side: int) -> Lanes:
    """Return the lanes of an attack (rules 6.1, 6.2): equally long neighboring lines as one."""
    direction = (shape.facing + side) % 4
    areas: list[list[int]] = []
    for (place, _), line in zip(
        attack_reach(state, shape, direction), attack_lines(state, shape, direction), strict=True
    ):
        length = _line_length(state, line)
        if not length:
            continue
        y, x = divmod(place, state.settings.width)
        area = _line_area(x - shape.x, y - shape.y, direction, length)
        if areas and _is_beside(areas[-1], area, direction):
            areas[-1][2 + (direction + 1) % 2] += 1
        else:
            areas.append(area)
    return tuple((x, y, width, height) for x, y, width, height in areas)


def _line_length(state: Battle, line: Sequence[int]) -> int:
    """Return the length of a line: up to a home, or including a body (rules 6.2)."""
    if any(line):
        for number, there in enumerate(line):
            if there < 0:
                return number
            if there in state.bodies:
                return number + 1
    return len(line)


def _line_area(x: int, y: int, direction: int, length: int) -> list[int]:
    """Return a line from a square on: left, top, width, height."""
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
    """Return whether a line borders on an area and is as long."""
    along, across = direction % 2, 1 - direction % 2
    return (
        area[along] == line[along]
        and area[2 + along] == line[2 + along]
        and area[across] + area[2 + across] == line[across]
    )


def _annotate_disclosure(
    state: Battle, event: ev.Disclosed | ev.DisclosedOf
) -> Sequence[Annotation]:
    owner = event.owner if isinstance(event, ev.DisclosedOf) else 3 - event.team
    text = ", ".join(state.types[owner - 1][number].name for number in event.types)
    if state.teams > 2:
        text += f" to team {event.team}"
    return (Annotation("disclosed", home_id(owner), 0, text),)


NOTES: dict[type[Event], Callable[[Battle, Any], Sequence[Annotation]]] = {
    ev.Deployed: _annotate_deployment,
    ev.ArmyRefused: lambda state, event: (
        Annotation("refused", home_id(event.team), 0, event.reason),
    ),
    ev.TurnsLost: lambda state, event: _annotate_each("lost", event.ids, event.causes),
    ev.Nothing: lambda state, event: _annotate_each("nothing", event.ids, str(event.reason)),
    ev.Spoke: lambda state, event: _annotate_each("said", event.ids, event.texts),
    ev.Attacked: _annotate_attack,
    ev.Damaged: lambda state, event: _annotate_damage(
        "hit", "unharmed", event.ids, map(sub, (state.shapes[i].hp for i in event.ids), event.hps)
    ),
    ev.BodiesHit: lambda state, event: _annotate_damage(
        "battered", "shattered", event.ids, event.left
    ),
    ev.Dying: lambda state, event: _annotate_each("dying", event.ids),
    ev.Died: lambda state, event: _annotate_each("died", event.ids),
    ev.CaptureBegan: lambda state, event: _annotate_each("captures", event.ids),
    ev.CaptureStopped: lambda state, event: _annotate_each("gave up", event.ids),
    ev.FlagTaken: lambda state, event: [Annotation("took", event.shape)],
    ev.FlagReturned: lambda state, event: [Annotation("returned", home_id(event.team))],
    ev.Delivered: lambda state, event: [Annotation("brought", event.shape)],
    ev.Disclosed: _annotate_disclosure,
    ev.DisclosedOf: _annotate_disclosure,
    ev.CaptureOfBegan: lambda state, event: _annotate_each(
        "captures of", event.ids, f"team {event.owner}"
    ),
    ev.CaptureRestarted: lambda state, event: _annotate_each("again", event.ids),
    ev.FlagOfTaken: lambda state, event: [
        Annotation("took of", event.shape, 0, f"team {event.owner}")
    ],
    ev.FlagLost: lambda state, event: [Annotation("returned", home_id(event.owner))],
    ev.FlagDelivered: lambda state, event: [
        Annotation("brought of", event.shape, 0, f"team {event.owner}")
    ],
    ev.Defeated: lambda state, event: [
        Annotation("defeated", home_id(event.team), 0, event.reason)
    ],
}
