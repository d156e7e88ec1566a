"""The annotations of the Game of Death, and the lanes of its attacks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

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


def _annotate_refusal(state: Battle, event: ev.ArmyRefused) -> Sequence[Annotation]:
    return (Annotation("refused", home_id(event.team), 0, event.reason),)


def _annotate_lost_turns(state: Battle, event: ev.TurnsLost) -> Sequence[Annotation]:
    pairs = zip(event.ids, event.causes, strict=True)
    return [Annotation("lost", shape_id, 0, cause) for shape_id, cause in pairs]


def _annotate_nothing(state: Battle, event: ev.Nothing) -> Sequence[Annotation]:
    return [Annotation("nothing", shape_id, 0, str(event.reason)) for shape_id in event.ids]


def _annotate_speech(state: Battle, event: ev.Spoke) -> Sequence[Annotation]:
    pairs = zip(event.ids, event.texts, strict=True)
    return [Annotation("said", shape_id, 0, text) for shape_id, text in pairs]


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


def _annotate_damage(state: Battle, event: ev.Damaged) -> Iterator[Annotation]:
    for shape_id, hp in zip(event.ids, event.hps, strict=True):
        loss = state.shapes[shape_id].hp - hp
        yield (
            Annotation("hit", shape_id, 0, str(loss)) if loss else Annotation("unharmed", shape_id)
        )


def _annotate_body_damage(state: Battle, event: ev.BodiesHit) -> Iterator[Annotation]:
    for body_id, left in zip(event.ids, event.left, strict=True):
        yield (
            Annotation("battered", body_id, 0, str(left))
            if left
            else Annotation("shattered", body_id)
        )


def _annotate_each(event_style: str) -> Callable[[Battle, Any], Sequence[Annotation]]:
    return lambda state, event: [Annotation(event_style, shape_id) for shape_id in event.ids]


def _annotate_disclosure(
    state: Battle, event: ev.Disclosed | ev.DisclosedOf
) -> Sequence[Annotation]:
    owner = event.owner if isinstance(event, ev.DisclosedOf) else 3 - event.team
    text = ", ".join(state.types[owner - 1][number].name for number in event.types)
    if state.teams > 2:
        text += f" to team {event.team}"
    return (Annotation("disclosed", home_id(owner), 0, text),)


def _annotate_taken_flag(state: Battle, event: ev.FlagOfTaken) -> Sequence[Annotation]:
    return (Annotation("took of", event.shape, 0, f"team {event.owner}"),)


def _annotate_flag_delivery(state: Battle, event: ev.FlagDelivered) -> Sequence[Annotation]:
    return (Annotation("brought of", event.shape, 0, f"team {event.owner}"),)


def _annotate_capture(state: Battle, event: ev.CaptureOfBegan) -> Sequence[Annotation]:
    text = f"team {event.owner}"
    return [Annotation("captures of", shape_id, 0, text) for shape_id in event.ids]


NOTES: dict[type, Callable[[Battle, Any], Any]] = {
    ev.Deployed: _annotate_deployment,
    ev.ArmyRefused: _annotate_refusal,
    ev.TurnsLost: _annotate_lost_turns,
    ev.Nothing: _annotate_nothing,
    ev.Spoke: _annotate_speech,
    ev.Attacked: _annotate_attack,
    ev.Damaged: lambda state, event: list(_annotate_damage(state, event)),
    ev.BodiesHit: lambda state, event: list(_annotate_body_damage(state, event)),
    ev.Dying: _annotate_each("dying"),
    ev.Died: _annotate_each("died"),
    ev.CaptureBegan: _annotate_each("captures"),
    ev.CaptureStopped: _annotate_each("gave up"),
    ev.FlagTaken: lambda state, event: [Annotation("took", event.shape)],
    ev.FlagReturned: lambda state, event: [Annotation("returned", home_id(event.team))],
    ev.Delivered: lambda state, event: [Annotation("brought", event.shape)],
    ev.Disclosed: _annotate_disclosure,
    ev.DisclosedOf: _annotate_disclosure,
    ev.CaptureOfBegan: _annotate_capture,
    ev.CaptureRestarted: _annotate_each("again"),
    ev.FlagOfTaken: _annotate_taken_flag,
    ev.FlagLost: lambda state, event: [Annotation("returned", home_id(event.owner))],
    ev.FlagDelivered: _annotate_flag_delivery,
    ev.Defeated: lambda state, event: [
        Annotation("defeated", home_id(event.team), 0, event.reason)
    ],
}
