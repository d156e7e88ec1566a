"""How the Game of Death looks: shapes as connected blocks, homes and flags, bodies in gray."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, ClassVar

from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.disclosure import is_source_hash
from engine.games.game_of_death.frames import Frame, make_frames
from engine.games.game_of_death.geometry import EMPTY, FILLED, HEADINGS, Geometry
from engine.games.game_of_death.orders import Action, Design
from engine.games.game_of_death.pieces import Body, Shape
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import (
    DELIVERY_REASON,
    ELIMINATION,
    ILLEGAL,
    KILLS_REASON,
    LAST_TURN,
    make_comparison,
    scores_now,
)
from visualizer.scene import (
    Block,
    Disclosure,
    Effect,
    EndWords,
    EventStyle,
    Extent,
    Fact,
    KeyEntry,
    Kind,
    Label,
    Mark,
    Motion,
    Panel,
    Scene,
    Sprite,
    Thing,
    Tile,
    pluralize,
)
from visualizer.scenes import game_of_death_balance as balance
from visualizer.scenes.game_of_death_annotations import NOTES, flag_id, home_id, shape_name
from visualizer.theme import COORDINATES, GROUND, mix_colors

FIELD = 10
"""The side of the ground's fields, squares: they help to judge distances."""
MIN_COORDINATE_SIZE, COORDINATES_ACROSS, MARGIN = 1.6, 48, 1.35
"""The least size of coordinates, squares; how many of them are as wide as the board; the room for
them on the left and at the top, of their size."""
STEPS, APART = (FIELD, 20, 50, 100, 200, 500, 1_000), 3.0
"""After how many squares the next number may stand, and at least of their size."""
ZONE_TINT = 0.1
"""The share of a team's color in the ground where its army is placed."""
PALE, DEEP, SHADES = "#ffffff", "#10161d", 4
FADED, BORDER = 0.72, 0.45
"""How pale a shape without hp is; how dark the line around shapes is."""
FLAG_SIZE = 1.5
"""The size of a flag, homes."""
FLAG_FOOT = (0.22, 0.46)
"""The distance from the foot of a flag's pole to its middle, of its size."""
TYPE_DARKNESS = (0.0, 0.3, 0.15, 0.45, 0.22, 0.38)
"""How dark the types of an army are, in its order: neighbors differ most."""
BODY, BODY_BORDER = "#c6cac6", "#a9aeab"
"""Little darker than the ground: the dead are not what one looks for."""
HOSTILE, HOSTILE_BORDER = "#5b5f66", "#2c2f34"
"""Who sees cells alone knows no team of them."""
TIE_REASONS = {"the flag held": "it holds the flag", "more hp taken": "it took more hp"}
"""What decides a tie (rules 7.3), as a sentence of the winner."""
DYING, DYING_BORDER = "#fbe9e9", "#d1242f"


class GameOfDeathScene(Scene[Battle]):
    """The scene of the Game of Death; things have the ids of their shapes, also when dead."""

    kinds: ClassVar = {
        "shape": Kind(
            "shape",
            ("name", "team", "at", "heading", "cells", "turns a move", "state"),
        ),
        "body": Kind("body", ("name", "at", "cells"), "remaining"),
        "home": Kind("home", ("name", "team", "flag")),
        "hostile": Kind("enemies in sight", ("name", "cells")),
        "remains": Kind("bodies in sight", ("name", "cells")),
        "flag": Kind("flag", ("name", "team"), is_seen_through=True, least=24),
        "ground": Kind("ground"),
        "coordinate": Kind("coordinate", is_seen_through=True),
        **balance.KINDS,
    }
    score_name = "kills and flags"
    # rules 7.5: after the end they are other scores than while it is played.
    points_name = "for living cells"
    letters: ClassVar = {"shape": "#", "body": "x", **{f"flag_{team}": "F" for team in range(1, 5)}}
    event_styles: ClassVar = {
        "deployed": EventStyle("deployed {words}"),
        "refused": EventStyle(
            "had its army rejected: {words}", Mark.FAULT, "faults", 85,
            "the army of {team} is rejected: {words}",
        ),
        "lost": EventStyle(
            "forfeited its turn: {words}", Mark.FAULT, "faults", 4,
            "a shape of {team} forfeits its turn: {words}", "{n} shapes of {team} forfeit: {words}",
        ),
        "nothing": EventStyle("had no effect: {words}", weight=-1),
        "said": EventStyle("said “{words}”", Mark.CALL),
        "attacked": EventStyle("attacked {words}", Mark.ATTACK_LANE),
        "hit": EventStyle("lost {words} hp", Mark.HIT),
        "unharmed": EventStyle("was hit without damage"),
        "battered": EventStyle("was hit, {words} remaining"),
        "shattered": EventStyle("was destroyed", Mark.DEATH),
        "dying": EventStyle(
            "is dying", None, "losses", 30, "{one} of {team} dies, {cells} cells",
            "{n} shapes of {team} die", "cells", sign=Mark.DEATH),
        "died": EventStyle("died", Mark.DEATH),
        "captures": EventStyle(
            "began to capture the flag", None, "", 25, "{team} begins to capture the flag",
            "{team} begins to capture the flag",
        ),
        "gave up": EventStyle("stopped capturing"),
        "captures of": EventStyle(
            "began to capture the flag of {words}", None, "", 25,
            "{team} begins to capture the flag of {words}",
        ),
        "again": EventStyle("must begin its capture again: another team was as early"),
        "took": EventStyle(
            "took the enemy's flag", Mark.FLAG, "flags", 80, "{team} takes the enemy's flag"
        ),
        "took of": EventStyle(
            "took the flag of {words}", Mark.FLAG, "flags", 80, "{team} takes the flag of {words}"
        ),
        "returned": EventStyle(
            "has its flag back", Mark.FLAG, "flags", 75, "{team} has its flag back"
        ),
        "brought": EventStyle(
            "brought the flag home", Mark.FLAG, "flags", 95, "{team} brings the flag home"
        ),
        "brought of": EventStyle(
            "brought the flag of {words} home", Mark.FLAG, "flags", 95,
            "{team} brings the flag of {words} home",
        ),
        "defeated": EventStyle(
            "was defeated: {words}", Mark.DEATH, "defeats", 90,
            "{team} is defeated: {words}", sign=Mark.END,
        ),
        "disclosed": EventStyle("must disclose the code of {words}"),
    }  # fmt: skip

    dirty_ids_by_type: ClassVar = {
        **dict.fromkeys(
            (
                *(ev.BodiesHit, ev.CaptureBegan, ev.CaptureOfBegan, ev.CaptureRestarted, ev.Dying),
                *(ev.CaptureStopped, ev.Damaged, ev.Died, ev.Gone, ev.Healed),
            ),
            lambda scene, event: event.ids,
        ),
        **dict.fromkeys((ev.Moved, ev.Turned), lambda scene, event: (*event.ids, *scene.flags)),
        ev.HomesPlaced: lambda scene, event: (*scene.homes, *scene.flags),
        ev.Deployed: lambda scene, event: [shape.id for shape in event.shapes],
        ev.FlagReturned: lambda scene, event: scene.home_and_flag(event.team),
        ev.Defeated: lambda scene, event: scene.home_and_flag(event.team),
        ev.FlagLost: lambda scene, event: scene.home_and_flag(event.owner),
        ev.FlagTaken: lambda scene, event: (*scene.home_and_flag(3 - event.team), event.shape),
        ev.FlagOfTaken: lambda scene, event: (*scene.home_and_flag(event.owner), event.shape),
        ev.FlagDelivered: lambda scene, event: (*scene.home_and_flag(event.owner), event.shape),
        ev.Sighted: lambda scene, event: scene.seen,
    }
    annotations_by_type: ClassVar = NOTES

    def __init__(self, settings: Settings, teams: int) -> None:
        super().__init__(settings, teams)
        self._frames = make_frames(settings, teams)
        self.homes = [home_id(team) for team in range(1, teams + 1)]
        self.flags = [flag_id(team, teams) for team in range(1, teams + 1)]
        self.seen = -2 * teams - 1, -2 * teams - 2
        """The ids of what is hostile, and of bodies, where a team's own copy is shown."""
        self._unit = max(MIN_COORDINATE_SIZE, settings.width / COORDINATES_ACROSS)
        self._balance = balance.Balance(self.seen[1] - 1, teams, settings, self._unit)
        if teams > 2:
            self.score_name = self.points_name = "teams placed below"

    @property
    def extent(self) -> Extent:
        unit, size = self._unit, self.settings
        margin = MARGIN * unit
        return Extent(-margin, -margin, size.width, size.height + balance.ROOM * unit)

    def key(self) -> Sequence[KeyEntry]:
        color = self.team_color(1)
        rim, square = mix_colors(color, DEEP, BORDER), partial(Block, "shape", 0, 0, 1, 1, "#")
        types = [mix_colors(color, DEEP, shade) for shade in TYPE_DARKNESS[:3]]
        wide = 1 / len(types)
        return (
            KeyEntry(
                tuple(
                    Tile("ground", n * wide, 0.2, wide, 0.6, fill) for n, fill in enumerate(types)
                ),
                "shades: its types",
            ),
            KeyEntry((square(color, rim, "E"),), "black: its front"),
            KeyEntry((square(mix_colors(color, PALE, FADED / 2), rim, "E"),), "paler: fewer hp"),
            KeyEntry((square(DYING, DYING_BORDER),), "dying"),
            KeyEntry((square(BODY, BODY_BORDER),), "dead body"),
            KeyEntry((Tile("home", 0, 0, 1, 1, mix_colors(color, PALE, 0.45), rim),), "home"),
        )

    def backdrop(self) -> Sequence[Tile | Label]:
        """Return fields of two shades, tinted where the armies are placed, and coordinates."""
        columns, rows = (self._borders(self.settings.width), self._borders(self.settings.height))
        if self.teams == 2:
            rows = sorted({*range(0, self.settings.height, FIELD), self.settings.height})
        fields = [
            Tile("ground", left, top, right - left, bottom - top, self._ground_color(left, top))
            for top, bottom in pairwise(rows)
            for left, right in pairwise(columns)
        ]
        return [*fields, *self._coordinate_labels()]

    def _coordinate_labels(self) -> Iterator[Label]:
        """Yield the numbers of columns and rows, each in the middle of the square it counts."""
        unit, aside = self._unit, -MARGIN * self._unit / 2
        step = next(step for step in STEPS if step > APART * unit)
        for x in range(0, self.settings.width, step):
            yield Label("coordinate", x + 0.5, aside, unit, str(x), COORDINATES)
        for y in range(0, self.settings.height, step):
            yield Label("coordinate", aside, y + 0.5, unit, str(y), COORDINATES)

    def _borders(self, length: int) -> list[int]:
        """Return where fields begin, and zones begin and end."""
        zone = self.settings.zone_width
        return sorted({*range(0, length, FIELD), zone, length - zone, length})

    def _ground_color(self, x: int, y: int) -> str:
        ground = GROUND[(x // FIELD + y // FIELD) % 2]
        for team, frame in enumerate(self._frames, 1):
            if self._is_in_zone(frame, x, y):
                return mix_colors(ground, self.team_color(team), ZONE_TINT)
        return ground

    def _is_in_zone(self, frame: Frame, x: int, y: int) -> bool:
        """Return whether an army may be placed on a cell (rules 3.3, 8.2)."""
        u, v = frame.turn_cell((x, y))
        return u < self.settings.zone_width and v in self.settings.zone_rows(self.teams)

    def ids(self, state: Battle) -> Iterator[int]:
        if state.home_v is not None:
            yield from self.homes
            yield from (
                flag for team, flag in enumerate(self.flags, 1) if not state.is_defeated(team)
            )
            yield from (i for i in self._balance.ids if self._fixed_thing(state, i) is not None)
        if state.sight is not None:
            yield from self.seen
        yield from state.shapes
        yield from state.bodies

    def thing(self, state: Battle, thing_id: int) -> Thing | None:
        if thing_id < 0:
            return None if state.home_v is None else self._fixed_thing(state, thing_id)
        shape = state.shapes.get(thing_id)
        if shape is not None:
            return _shape_block(state, shape)
        body = state.bodies.get(thing_id)
        return None if body is None else _body_block(state, body)

    def _fixed_thing(self, state: Battle, thing_id: int) -> Thing | None:
        """Return a home or a flag; who is defeated has no flag any more (rules 8.3)."""
        if thing_id in self._balance.ids:
            color = self.team_color(self._balance.thing_team(thing_id))
            return self._balance.thing(state, thing_id, color)
        if thing_id in self.seen:
            return _sight_block(state, is_hostile=thing_id == self.seen[0])
        if thing_id in self.homes:
            return _home_tile(state, self.homes.index(thing_id) + 1)
        team = self.flags.index(thing_id) + 1
        return None if state.is_defeated(team) else _flag_sprite(state, team)

    def dirty_ids(self, event: Event) -> Collection[int]:
        ids = super().dirty_ids(event)
        return (*ids, *self._balance.ids) if type(event) in balance.COUNTED_EVENTS else ids

    def home_and_flag(self, team: int) -> tuple[int, int]:
        """Return the ids of a team's home and flag."""
        return self.homes[team - 1], self.flags[team - 1]

    def trails(self, state: Battle) -> Mapping[int, tuple[float, float]]:
        """Return where flags are carried, in the color of the team whose flag it is."""
        bearers = enumerate(map(state.shapes.get, state.bearers), 1)
        return {team: _center(state, bearer) for team, bearer in bearers if bearer is not None}

    def motions(self, state: Battle, event: Event) -> Sequence[Motion]:
        if not isinstance(event, ev.Damaged):
            return ()
        losses = ((i, state.shapes[i].hp - hp) for i, hp in zip(event.ids, event.hps, strict=True))
        return [Motion(Effect.RISE, i, 0, f"-{loss}") for i, loss in losses if loss]

    def panel(self, state: Battle, team: int) -> Panel:
        living, enemies = list(state.living_shapes(team)), state.enemy_teams(team)
        had = make_comparison(state, team)
        disclosed = sum(len(state.disclosed[state.pair_index(team, enemy)]) for enemy in enemies)
        panel: Panel = (
            *self._partner_facts(state, team),
            # First what is compared after the last turn, in its order (rules 7.3, 8.4).
            *([("flags brought home", state.delivered[team - 1])] if self.teams > 2 else ()),
            ("flags held", had.flags),
            (f"{state.settings.kill_target_counts} killed", had.kills),
            ("hp taken", had.hp_taken),
            ("cells", state.living_cells(team)),
            ("shapes", len(living)),
            ("hp", sum(shape.hp for shape in living)),
            *self._fate_facts(state, team),
            ("types disclosed", disclosed),
            *_living_by_type(state, team),
        )
        if state.sight is not None and not state.types[team - 1]:
            # Another team's copy: of this one it knows what it sees, and that it is out.
            return tuple((name, fact if name == "defeated" else "?") for name, fact in panel)
        return panel

    def scores(self, state: Battle, ruled: tuple[float, ...]) -> tuple[float, ...]:
        return scores_now(state) if self.teams == 2 else ruled  # the end says those of rules 7.5

    def explain_end(self, state: Battle, reason: str, winners: Sequence[int]) -> EndWords:
        word, _, by = reason.partition(": ")
        order = self.in_order(winners)
        losers = " and ".join(self.names[team - 1] for team in order[len(winners) :])
        why = {
            DELIVERY_REASON: f"it brought the flag of {losers} home in turn {state.turn}",
            ELIMINATION: f"the last shape of {losers} died in turn {state.turn}",
            KILLS_REASON: f"it killed enough, in turn {state.turn}",
            LAST_TURN: f"turn {state.turn} was the last",
            ILLEGAL: f"the army of {losers} is not legal",
        }.get(word, reason)
        if by and winners:
            killed = f"it killed more {state.settings.kill_target_counts}"
            why = f"{why}, and {TIE_REASONS.get(by, killed)}"
        kills = [make_comparison(state, team).kills for team in state.all_teams]
        if self.teams > 2 and word == LAST_TURN:  # rules 8.4
            why += ", and it is ahead by flags, then by kills"
        unit = f"{state.settings.kill_target_counts} killed"
        return EndWords(why, (self.compare(kills, unit, winners),))

    def _partner_facts(self, state: Battle, team: int) -> Panel:
        """Return who plays together with a team (rules 8.9)."""
        return tuple(("plays with", f"team {other}") for other in state.partner_teams(team))

    def _fate_facts(self, state: Battle, team: int) -> Panel:
        """Return what becomes of one team among several (rules 8.3)."""
        if self.teams == 2:
            return ()
        out = state.defeats[team - 1]
        defeated = "no" if out is None else f"in turn {out.turn}"
        return (("defeated", defeated),)

    def disclosures(self, state: Battle) -> Sequence[Disclosure]:
        """Return the code of what was disclosed (rules 7.4, 8.5)."""
        return [
            Disclosure(
                f"team {team} may read {drawn.name} of team {enemy}", _code_text(drawn.code, team)
            )
            for team in state.all_teams
            for enemy in state.enemy_teams(team)
            for drawn in (
                state.types[enemy - 1][number]
                for number in state.disclosed[state.pair_index(team, enemy)]
            )
        ]

    def order_text(self, order: Any) -> str:
        if isinstance(order, Design):
            return pluralize(len(order.placements), "shape")
        return f"{order.command}, speaks" if isinstance(order, Action) else str(order)


def _code_text(code: str, team: int) -> str:
    """Return what there is to read of a type's code that was disclosed to a team."""
    if is_source_hash(code):
        return f"Only the author of team {team} may read it. Its hash is {code}"
    return code or "its code is not known"


# -- things -----------------------------------------------------------------------------------


def _shape_block(state: Battle, shape: Shape) -> Block:
    geometry, outline = state.geometry(shape), state.outline(shape)
    team, most = state.piece_team(shape.id), state.max_hp(shape)
    heading = HEADINGS[shape.facing]
    facts = (
        f"{state.piece_type(shape).name} {shape.id}",
        team,
        f"{shape.x}, {shape.y}",
        heading,
        geometry.size,
        geometry.speed,
        _state_word(state, shape),
    )
    is_dying = bool(shape.dying_since)
    fill, border = (DYING, DYING_BORDER) if is_dying else _shape_colors(team, shape, most)
    return Block(
        "shape", shape.x, shape.y, outline.width, outline.height, _cells(geometry, shape.facing),
        fill, border, "" if is_dying else heading, (shape.hp, most), facts,
    )  # fmt: skip


def _body_block(state: Battle, body: Body) -> Block:
    geometry, outline = state.geometry(body), state.outline(body)
    facts = (
        f"body of {state.piece_type(body).name} {body.id}",
        f"{body.x}, {body.y}",
        geometry.size,
    )
    most = state.settings.body_factor * state.max_hp(body)
    return Block(
        "body", body.x, body.y, outline.width, outline.height, _cells(geometry, body.facing),
        BODY, BODY_BORDER, "", (body.left, most), facts,
    )  # fmt: skip


def _home_tile(state: Battle, team: int) -> Tile:
    box, color = state.home(team), GameOfDeathScene.team_color(team)
    assert box is not None
    bearer = state.bearers[team - 1]
    flag = f"held by {shape_name(state, bearer)}" if bearer else "is there"
    fill = mix_colors(color, PALE, 0.45)
    if state.is_defeated(team):
        flag, fill = "defeated: it has no flag", BODY
    facts: tuple[Fact, ...] = (f"home of team {team}", team, flag)
    return Tile("home", *box, fill, mix_colors(color, DEEP, BORDER), facts)


def _flag_sprite(state: Battle, team: int) -> Sprite:
    """Return a flag, larger than the home, on the home or its bearer."""
    home, bearer = state.home(team), state.shapes.get(state.bearers[team - 1])
    assert home is not None
    size = FLAG_SIZE * min(home.width, home.height)
    x, y = home.x + home.width / 2, home.y + home.height / 2
    if bearer is not None:
        x, y = _center(state, bearer)
    x, y = x + size * FLAG_FOOT[0], y - size * FLAG_FOOT[1]
    extent_x, extent_y = state.settings.width - size / 2, state.settings.height - size / 2
    x, y = min(max(x, size / 2), extent_x), min(max(y, size / 2), extent_y)
    return Sprite("flag", x, y, size, f"flag_{team}", facts=(f"flag of team {team}", team))


def _center(state: Battle, shape: Shape) -> tuple[float, float]:
    outline = state.outline(shape)
    return shape.x + outline.width / 2, shape.y + outline.height / 2


def _sight_block(state: Battle, *, is_hostile: bool) -> Block | None:
    """Return all that is hostile, or all bodies, in sight of a team: it sees cells alone (5.8)."""
    sight = state.sight
    places = () if sight is None else sight.hostile if is_hostile else sight.bodies
    if not places:
        return None
    cells = {divmod(place, state.settings.width) for place in places}
    top, left = min(y for y, _ in cells), min(x for _, x in cells)
    width, height, form = _block_form({(x - left, y - top) for y, x in cells})
    kind, name = ("hostile", "enemies") if is_hostile else ("remains", "bodies")
    fill, border = (HOSTILE, HOSTILE_BORDER) if is_hostile else (BODY, BODY_BORDER)
    facts = (f"{name} in sight", len(places))
    return Block(kind, left, top, width, height, form, fill, border, "", None, facts)


def _living_by_type(state: Battle, team: int) -> Iterator[tuple[str, Fact]]:
    """Yield how many shapes of each type of an army live, of those that were placed."""
    living = Counter(shape.type for shape in state.living_shapes(team))
    for number, drawn in enumerate(state.types[team - 1]):
        yield drawn.name, f"{living[number]} of {drawn.count}"


def _state_word(state: Battle, shape: Shape) -> str:
    if shape.dying_since:
        return "dying"
    if shape.id in state.bearers:
        return "holds the flag"
    return "captures" if shape.capturing_since else "alive"


@lru_cache(maxsize=20_000)
def _cells(geometry: Geometry, facing: int) -> str:
    """Return the squares of a shape's form as visualizer.scene.Block has them."""
    return _block_form(set(geometry.cells(facing)))[2]


def _block_form(cells: set[tuple[int, int]]) -> tuple[int, int, str]:
    """Return width, height and squares of a block whose bounding box begins at (0, 0)."""
    width, height = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
    rows = (
        "".join(FILLED if (x, y) in cells else EMPTY for x in range(width)) for y in range(height)
    )
    return width, height, "/".join(rows)


def _shape_colors(team: int, shape: Shape, most: int) -> tuple[str, str]:
    """Return the colors of a shape, paler with less hp, and of the line around it."""
    color = GameOfDeathScene.team_color(team)
    of_type = mix_colors(color, DEEP, TYPE_DARKNESS[shape.type % len(TYPE_DARKNESS)])
    lost = round((1 - shape.hp / most) * SHADES) / SHADES
    return mix_colors(of_type, PALE, FADED * lost), mix_colors(color, DEEP, BORDER)


SCENE = GameOfDeathScene
