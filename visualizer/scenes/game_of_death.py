"""How the Game of Death looks: shapes as connected blocks, homes and flags, bodies in grey."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

from engine.game import MatchEnded, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.forms import DARK, HEADINGS, LIT, Form
from engine.games.game_of_death.orders import Act, Design
from engine.games.game_of_death.pieces import Body, Shape, team_of
from engine.games.game_of_death.state import TEAMS, Battle
from visualizer.colours import mixed
from visualizer.scene import (
    Block,
    Extent,
    Fact,
    Happening,
    Kind,
    Label,
    Mark,
    Note,
    Panel,
    Paper,
    Scene,
    Sprite,
    Thing,
    Tile,
    no_ids,
)
from visualizer.scenes.game_of_death_notes import FLAGS, HOMES, NOTES, name_of
from visualizer.theme import GROUND

FIELD = 10
"""The ground has fields of so many squares, to judge distances by."""
ZONE = 0.1
"""How much of a team's colour is in the ground where its army is placed."""
PALE, DEEP, SHADES = "#ffffff", "#10161d", 4
FADED, BORDER = 0.72, 0.45
"""How pale a shape without hp is; how dark the line around shapes is."""
FLAG = 1.5
"""How large a flag is, homes."""
FOOT = (0.22, 0.46)
"""From the foot of a flag's pole to its middle, of its size."""
BODY, BODY_BORDER = "#a3a9b0", "#626a73"
DYING, DYING_BORDER = "#fbe9e9", "#d1242f"


class GameOfDeathScene(Scene[Battle]):
    """A thing is called by the id of its shape, living, dying or dead."""

    kinds: ClassVar = {
        "shape": Kind("shape", ("name", "team", "at", "heading", "cells", "turns a move", "state")),
        "body": Kind("body", ("name", "at", "cells"), "left"),
        "home": Kind("home", ("name", "team", "flag")),
        "flag": Kind("flag", ("name", "team"), is_seen_through=True),
        "ground": Kind("ground"),
    }
    score_name = "cells"
    letters: ClassVar = {"shape": "#", "body": "x", "flag_1": "F", "flag_2": "F"}
    happenings: ClassVar = {
        "deployed": Happening("sends {words}"),
        "refused": Happening("has no army: {words}", Mark.FAULT, "turns lost"),
        "lost": Happening("lost its turn: {words}", Mark.FAULT, "turns lost"),
        "in vain": Happening("tried in vain: {words}"),
        "said": Happening("said “{words}”", Mark.CALL),
        "attacked": Happening("attacked {words}", Mark.REACH),
        "hit": Happening("lost {words} hp", Mark.HIT),
        "unharmed": Happening("was hit, and lost nothing"),
        "battered": Happening("was hit: it takes {words} more"),
        "shattered": Happening("was shot to pieces", Mark.DEATH),
        "dying": Happening("is dying", None, "losses"),
        "died": Happening("is a body now", Mark.DEATH),
        "captures": Happening("began to capture the flag"),
        "gave up": Happening("stopped capturing"),
        "took": Happening("took the enemy's flag", Mark.RISE, "flags"),
        "returned": Happening("has its flag back", Mark.RISE, "flags"),
        "brought": Happening("brought the flag home", Mark.RISE, "flags"),
        "disclosed": Happening("must disclose the code of {words}"),
    }

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, self.settings.width, self.settings.height)

    def backdrop(self) -> Sequence[Tile | Label]:
        """Fields of two shades, tinted where the armies are placed."""
        width, height, zone = self.settings.width, self.settings.height, self.settings.zone_width
        lines = sorted({*range(0, width, FIELD), zone, width - zone, width})
        return [
            Tile("ground", left, y, right - left, min(FIELD, height - y), self._ground(left, y))
            for y in range(0, height, FIELD)
            for left, right in pairwise(lines)
        ]

    def _ground(self, x: int, y: int) -> str:
        ground = GROUND[(x // FIELD + y // FIELD) % 2]
        if x < self.settings.zone_width:
            return mixed(ground, self.team_colour(1), ZONE)
        if x >= self.settings.width - self.settings.zone_width:
            return mixed(ground, self.team_colour(2), ZONE)
        return ground

    def ids(self, state: Battle) -> Iterator[int]:
        if state.home_v is not None:
            yield from (*HOMES, *FLAGS)
        yield from state.shapes
        yield from state.bodies

    def thing(self, state: Battle, thing_id: int) -> Thing | None:
        if thing_id < 0:
            return None if state.home_v is None else _fixed(state, thing_id)
        shape = state.shapes.get(thing_id)
        if shape is not None:
            return _shape(state, shape)
        body = state.bodies.get(thing_id)
        return None if body is None else _body(state, body)

    def touched(self, event: Any) -> Collection[int]:
        match event:
            case ev.HomesPlaced():
                return (*HOMES, *FLAGS)
            case ev.FlagReturned(team):
                return HOMES[team - 1], FLAGS[team - 1]
            case ev.FlagTaken(team, shape):
                return HOMES[2 - team], FLAGS[2 - team], shape
            case ev.Deployed():
                return [shape.id for shape in event.shapes]
            case ev.Moved() | ev.Turned():
                return (*event.ids, *FLAGS)
        return no_ids(event) if type(event) in _UNSEEN else event.ids

    def notes(self, state: Battle, event: Any) -> Sequence[Note]:
        note = NOTES.get(type(event))
        return () if note is None else note(state, event)

    def panel(self, state: Battle, team: int) -> Panel:
        living = list(state.living(team))
        return (
            ("shapes", len(living)),
            ("hp", sum(shape.hp for shape in living)),
            ("kills", sum(state.killed[2 - team])),
            ("flags held", int(state.bearers[2 - team] > 0)),
            ("types disclosed", len(state.disclosed[team - 1])),
        )

    def papers(self, state: Battle) -> Sequence[Paper]:
        """The code of what was disclosed (rules 7.4)."""
        return [
            Paper(
                f"team {team} may read {drawn.name} of team {3 - team}",
                drawn.code or "its code was not told",
            )
            for team, numbers in zip(TEAMS, state.disclosed, strict=True)
            for drawn in (state.types[2 - team][number] for number in numbers)
        ]

    def order_text(self, order: Any) -> str:
        if isinstance(order, Design):
            return f"{len(order.placements)} shapes"
        return f"{order.do}, speaks" if isinstance(order, Act) else str(order)


# -- things -----------------------------------------------------------------------------------


def _shape(state: Battle, shape: Shape) -> Block:
    form, outline = state.form(shape), state.outline(shape)
    team, most = team_of(shape.id), state.max_hp(shape)
    heading = HEADINGS[shape.facing]
    facts = (
        f"{state.type_of(shape).name} {shape.id}",
        team,
        f"{shape.x}, {shape.y}",
        heading,
        form.size,
        form.speed,
        _state(state, shape),
    )
    is_dying = bool(shape.dying_since)
    fill, border = (DYING, DYING_BORDER) if is_dying else _colours(team, shape.hp, most)
    return Block(
        "shape", shape.x, shape.y, outline.width, outline.height, _cells(form, shape.facing),
        fill, border, "" if is_dying else heading, (shape.hp, most), facts,
    )  # fmt: skip


def _body(state: Battle, body: Body) -> Block:
    form, outline = state.form(body), state.outline(body)
    facts = (f"body of {state.type_of(body).name} {body.id}", f"{body.x}, {body.y}", form.size)
    most = state.settings.body_factor * state.max_hp(body)
    return Block(
        "body", body.x, body.y, outline.width, outline.height, _cells(form, body.facing),
        BODY, BODY_BORDER, "", (body.left, most), facts,
    )  # fmt: skip


def _fixed(state: Battle, thing_id: int) -> Thing:
    """A home or a flag."""
    if thing_id in HOMES:
        return _home(state, HOMES.index(thing_id) + 1)
    return _flag(state, FLAGS.index(thing_id) + 1)


def _home(state: Battle, team: int) -> Tile:
    box, colour = state.home(team), GameOfDeathScene.team_colour(team)
    assert box is not None
    bearer = state.bearers[team - 1]
    facts: tuple[Fact, ...] = (
        f"home of team {team}",
        team,
        f"held by {name_of(state, bearer)}" if bearer else "is there",
    )
    return Tile("home", *box, mixed(colour, PALE, 0.45), mixed(colour, DEEP, BORDER), facts)


def _flag(state: Battle, team: int) -> Sprite:
    """Larger than the home: on it, or on who holds it."""
    home, bearer = state.home(team), state.shapes.get(state.bearers[team - 1])
    assert home is not None
    size = FLAG * min(home.width, home.height)
    x, y = home.x + home.width / 2, home.y + home.height / 2
    if bearer is not None:
        outline = state.outline(bearer)
        x, y = bearer.x + outline.width / 2, bearer.y + outline.height / 2
    x, y = x + size * FOOT[0], y - size * FOOT[1]
    extent_x, extent_y = state.settings.width - size / 2, state.settings.height - size / 2
    x, y = min(max(x, size / 2), extent_x), min(max(y, size / 2), extent_y)
    return Sprite("flag", x, y, size, f"flag_{team}", facts=(f"flag of team {team}", team))


def _state(state: Battle, shape: Shape) -> str:
    if shape.dying_since:
        return "dying"
    if shape.id in state.bearers:
        return "holds the flag"
    return "captures" if shape.capturing_since else "alive"


@lru_cache(maxsize=20_000)
def _cells(form: Form, facing: int) -> str:
    """As visualizer.scene.Block has them."""
    cells = set(form.cells(facing))
    width, height = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
    rows = ("".join(LIT if (x, y) in cells else DARK for x in range(width)) for y in range(height))
    return "/".join(rows)


def _colours(team: int, hp: int, most: int) -> tuple[str, str]:
    """Of the squares, the paler the less hp they have, and of the line around them."""
    colour = GameOfDeathScene.team_colour(team)
    lost = round((1 - hp / most) * SHADES) / SHADES
    return mixed(colour, PALE, FADED * lost), mixed(colour, DEEP, BORDER)


_UNSEEN = frozenset(
    {
        *(Stage, MatchEnded, ev.ArmyRefused, ev.TurnsLost, ev.Nothing, ev.Planned, ev.Spoke),
        *(ev.Attacked, ev.Delivered, ev.Disclosed),
    }
)

SCENE = GameOfDeathScene
