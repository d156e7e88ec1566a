"""The battle, and `apply`: the only code that changes it."""

from array import array
from collections.abc import Collection, Iterable, Iterator
from itertools import repeat
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from engine.game import Event, MatchEnded, find_appliers
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.frames import Rectangle, anchor_offset, make_frames, turning_shift
from engine.games.game_of_death.geometry import Geometry, Outline, make_geometry
from engine.games.game_of_death.pieces import Body, Shape, ShapeType
from engine.games.game_of_death.settings import Settings

FREE = 0
"""The value of the grid where nothing is; homes have their team's number below 0, and shapes and
bodies have their id."""


class Defeat(NamedTuple):
    """A team is out, and what it had then (rules 8.3, 8.4)."""

    turn: int
    flags: int
    kills: int
    hp_taken: int


class Battle(msgspec.Struct, dict=True):
    """The grid and what is on it. Shapes and bodies are in ascending order of ids.

    A team's own copy has its own shapes alone; what it sees and hears of others is in `sight`
    and `heard`, which are empty in the battle itself.
    Derived, and therefore not in replays: `geometries` are those of `types`; `grid` holds a home,
    the id of a shape or body, or FREE for each place. The place of (x, y) is y * width + x.
    """

    settings: Settings
    turn: int = 0
    home_v: int | None = None
    types: list[tuple[ShapeType, ...]] = msgspec.field(default_factory=lambda: [(), ()])
    """The types of each team, team 1 first; so are the lists below."""
    refused: list[str | None] = msgspec.field(default_factory=lambda: [None, None])
    """Why each team has no army; None if it has one."""
    shapes: dict[int, Shape] = {}
    bodies: dict[int, Body] = {}
    bearers: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """The shape that holds the flag of team 1, of team 2 and so on; 0: none does."""
    killed: list[list[int]] = msgspec.field(default_factory=lambda: [[], []])
    """How many shapes the enemy actively killed (rules 6.18), for each `pair` of a team and an
    enemy and each type of the team."""
    disclosed: list[tuple[int, ...]] = msgspec.field(default_factory=lambda: [(), ()])
    """The types of the enemy that the team may read (rules 7.4), for each `pair` of a team and an
    enemy."""
    sight: ev.Sighted | None = None
    heard: ev.Heard | None = None
    """The broadcasts of the latest turn in which the team heard any."""
    ending: MatchEnded | None = None
    defeats: list[Defeat | None] = msgspec.field(default_factory=lambda: [None, None])
    """The teams that are out; of two teams none ever is: the match is over (rules 8.4)."""
    delivered: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """How many flags each team has brought home, in a match that went on (rules 8.4)."""
    hp_taken: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """The hp that each team's attacks took from living enemies (rules 7.3)."""
    group_kills: list[int] = msgspec.field(default_factory=list)
    group_hp_taken: list[int] = msgspec.field(default_factory=list)
    """What each group killed and took: what both of its teams contributed to counts once (8.9)."""
    captures: dict[int, int] = {}
    """The team whose flag a shape captures, among more than two (rules 8.3)."""

    def __post_init__(self) -> None:
        self.geometries: list[list[Geometry]] = [
            [make_geometry(drawn.mask) for drawn in types] for types in self.types
        ]
        self.teams = len(self.types)
        settings = self.settings
        alone = [(team,) for team in self.all_teams]
        self.groups = tuple(map(frozenset, settings.groups or alone))
        """The teams that play together (rules 8.9); without groups each is one by itself."""
        self.frames = make_frames(settings, self.teams)
        """Each team's frame."""
        self.grid = array("i", bytes(4 * settings.width * settings.height))
        if self.home_v is not None:
            self._mark_homes()
        for shape in self.shapes.values():
            self.mark(shape)
        for body in self.bodies.values():
            self.mark(body)

    def apply(self, event: Event) -> None:
        """Apply an event. Raises: KeyError for an event or a shape that is not of this battle."""
        _APPLY[type(event)](self, event)

    @property
    def all_teams(self) -> range:
        """The teams, defeated or not."""
        return range(1, self.teams + 1)

    def piece_team(self, piece_id: int) -> int:
        """Return the team of a shape or body."""
        return (piece_id - 1) % self.teams + 1

    def other_teams(self, team: int) -> list[int]:
        """Return the other teams, clockwise from this one."""
        return [(team - 1 + step) % self.teams + 1 for step in range(1, self.teams)]

    def team_group(self, team: int) -> frozenset[int]:
        """Return the teams that play together with this one, itself among them (rules 8.9)."""
        return next(group for group in self.groups if team in group)

    def enemy_teams(self, team: int) -> list[int]:
        """Return the teams of other groups, clockwise from this one."""
        group = self.team_group(team)
        return [other for other in self.other_teams(team) if other not in group]

    def partner_teams(self, team: int) -> list[int]:
        """Return the other teams of its group, clockwise from this one."""
        group = self.team_group(team)
        return [other for other in self.other_teams(team) if other in group]

    def pair_index(self, team: int, enemy: int) -> int:
        """Return the place of a team and an enemy in lists of all such pairs."""
        return (team - 1) * (self.teams - 1) + enemy - 1 - (enemy > team)

    def is_defeated(self, team: int) -> bool:
        """Return whether a team is out, while others play on (rules 8.3, 8.4)."""
        return self.defeats[team - 1] is not None

    def geometry(self, piece: Shape | Body) -> Geometry:
        """Return the geometry of a shape or body."""
        # `piece_team` written out: this is called for every piece, several times a turn.
        return self.geometries[(piece.id - 1) % self.teams][piece.type]

    def piece_type(self, piece: Shape | Body) -> ShapeType:
        """Return the type of a shape or body."""
        return self.types[self.piece_team(piece.id) - 1][piece.type]

    def outline(self, piece: Shape | Body) -> Outline:
        """Return how a shape or body lies on the grid."""
        return self.geometry(piece).outline(piece.facing, self.settings.width)

    def max_hp(self, piece: Shape | Body) -> int:
        """Return the hp of a shape that was never hit (rules 4.1)."""
        return self.settings.hp_factor * self.geometry(piece).size

    def places(self, piece: Shape | Body) -> list[int]:
        """Return the places of its cells on the grid."""
        corner = piece.y * self.settings.width + piece.x
        return [corner + offset for offset in self.outline(piece).offsets]

    def cells(self, piece: Shape | Body) -> list[tuple[int, int]]:
        """Return its cells as x, y."""
        x, y = piece.x, piece.y
        return [(x + dx, y + dy) for dx, dy in self.outline(piece).cells]

    def anchor(self, piece: Shape | Body) -> tuple[int, int]:
        """Return the cell from which it sees and hears (rules 5.7)."""
        outline = self.outline(piece)
        quarters = self.frames[(piece.id - 1) % self.teams].quarters
        dx, dy = anchor_offset(outline.width, outline.height, quarters)
        return piece.x + dx, piece.y + dy

    def corner_after_turn(self, piece: Shape | Body) -> tuple[int, int]:
        """Return the upper left corner of its bounding box after a quarter turn (rules 6.11)."""
        outline = self.outline(piece)
        quarters = self.frames[(piece.id - 1) % self.teams].quarters
        dx, dy = turning_shift(outline.width, outline.height, quarters)
        return piece.x + dx, piece.y + dy

    def home(self, team: int) -> Rectangle | None:
        """Return a team's home, None before the homes are placed (rules 2.2, 2.4, 8.1)."""
        settings, v = self.settings, self.home_v
        if v is None:
            return None
        box = Rectangle(settings.home_u, v, settings.home_width, settings.home_height)
        return self.frames[team - 1].inverse.box(box)

    def is_beside_home(self, shape: Shape, team: int) -> bool:
        """Return whether a cell shares an edge with the home of this team (rules 6.12)."""
        box = self.home(team)
        assert box is not None
        outline = self.outline(shape)
        left, top = box.x - 1 - shape.x, box.y - 1 - shape.y
        right, bottom = left + box.width + 1, top + box.height + 1
        # Most shapes are nowhere near: their bounding box tells so without a look at the cells.
        if right < 0 or bottom < 0 or left >= outline.width or top >= outline.height:
            return False
        return any(
            (x in (left, right) and top < y < bottom) or (y in (top, bottom) and left < x < right)
            for x, y in outline.cells
        )

    def living_shapes(self, team: int) -> Iterator[Shape]:
        """Yield the shapes of a team that are not dying."""
        for shape in self.shapes.values():
            if not shape.dying_since and (shape.id - team) % self.teams == 0:
                yield shape

    def living_cells(self, team: int) -> int:
        """Return the cells of a team's living shapes, its score (rules 7.5)."""
        return sum(self.geometry(shape).size for shape in self.living_shapes(team))

    def mark(self, piece: Shape | Body) -> None:
        """Put a piece on the grid."""
        grid = self.grid
        for cell in self.places(piece):
            grid[cell] = piece.id

    def unmark(self, piece: Shape | Body) -> None:
        """Take a piece off the grid, except cells that another one has entered meanwhile."""
        grid = self.grid
        for cell in self.places(piece):
            if grid[cell] == piece.id:
                grid[cell] = FREE

    def _mark_homes(self) -> None:
        for team in self.all_teams:
            box = self.home(team)
            assert box is not None
            for y in range(box.y, box.y + box.height):
                first = y * self.settings.width + box.x
                for cell in range(first, first + box.width):
                    self.grid[cell] = -team


def new_battle(settings: Settings, teams: int) -> Battle:
    """Return an empty battle of this number of teams."""
    pairs = teams * (teams - 1)
    return Battle(
        settings,
        types=[()] * teams,
        refused=[None] * teams,
        bearers=[0] * teams,
        killed=[[] for _ in range(pairs)],
        disclosed=[()] * pairs,
        defeats=[None] * teams,
        delivered=[0] * teams,
        hp_taken=[0] * teams,
        group_kills=[0] * len(settings.groups),
        group_hp_taken=[0] * len(settings.groups),
    )


def _apply_homes_placed(battle: Battle, event: ev.HomesPlaced) -> None:
    battle.home_v = event.v
    battle._mark_homes()  # noqa: SLF001 - this is what `apply` is made of


def _apply_deployed(battle: Battle, event: ev.Deployed) -> None:
    battle.types[event.team - 1] = event.types
    battle.geometries[event.team - 1] = [make_geometry(drawn.mask) for drawn in event.types]
    for enemy in battle.enemy_teams(event.team):
        battle.killed[battle.pair_index(event.team, enemy)] = [0] * len(event.types)
    shapes = {**battle.shapes, **{shape.id: shape for shape in event.shapes}}
    battle.shapes = dict(sorted(shapes.items()))
    for shape in event.shapes:
        battle.mark(shape)


def _apply_army_refused(battle: Battle, event: ev.ArmyRefused) -> None:
    battle.refused[event.team - 1] = event.reason


def _apply_planned(battle: Battle, event: ev.Planned) -> None:
    since = 0 if event.command is None else battle.turn
    for shape in _find_shapes(battle, event.ids):
        battle.shapes[shape.id] = replace(shape, pending=event.command, pending_since=since)


def _apply_attacked(battle: Battle, event: ev.Attacked) -> None:
    for shape in _find_shapes(battle, event.ids):
        battle.shapes[shape.id] = replace(shape, attacked=battle.turn)


def _apply_damaged(battle: Battle, event: ev.Damaged) -> None:
    contributed = event.enemies or repeat(())
    for shape, hp, enemies in zip(
        _find_shapes(battle, event.ids), event.hps, contributed, strict=False
    ):
        battle.shapes[shape.id] = replace(shape, hp=hp, calm_from=battle.turn)
        for enemy in enemies:
            battle.hp_taken[enemy - 1] += shape.hp - hp
        for number in _groups_with(battle, enemies):
            battle.group_hp_taken[number] += shape.hp - hp


def _apply_bodies_hit(battle: Battle, event: ev.BodiesHit) -> None:
    for body_id, left in zip(event.ids, event.left, strict=True):
        body = battle.bodies[body_id]
        if left:
            battle.bodies[body_id] = replace(body, left=left)
        else:
            battle.unmark(battle.bodies.pop(body_id))


def _apply_dying(battle: Battle, event: ev.Dying) -> None:
    for shape in _find_shapes(battle, event.ids):
        battle.shapes[shape.id] = replace(shape, dying_since=battle.turn, capturing_since=0)
        battle.captures.pop(shape.id, None)
    if battle.teams == 2:  # among more teams `Killed` says who it was
        _count_kills(battle, event.killed, by=3 - event.team)
    elif battle.settings.groups:
        [number] = _groups_with(battle, battle.enemy_teams(event.team))
        killed = _find_shapes(battle, event.killed)
        battle.group_kills[number] += sum(
            battle.settings.kill_value(battle.geometry(shape).size) for shape in killed
        )


def _groups_with(battle: Battle, teams: Collection[int]) -> list[int]:
    """Return the numbers of the groups that have one of these teams; without groups none."""
    groups = battle.groups if battle.settings.groups else ()
    return [number for number, group in enumerate(groups) if not group.isdisjoint(teams)]


def _apply_killed(battle: Battle, event: ev.Killed) -> None:
    _count_kills(battle, event.ids, by=event.team)


def _count_kills(battle: Battle, ids: Iterable[int], by: int) -> None:
    for shape in _find_shapes(battle, ids):
        battle.killed[battle.pair_index(battle.piece_team(shape.id), by)][shape.type] += 1


def _apply_flag_returned(battle: Battle, event: ev.FlagReturned) -> None:
    battle.bearers[event.team - 1] = 0


def _apply_moved(battle: Battle, event: ev.Moved) -> None:
    dx, dy = event.dx, event.dy
    for shape in _find_shapes(battle, event.ids):
        cell = replace(shape, x=shape.x + dx, y=shape.y + dy, pending=None, pending_since=0)
        _put(battle, shape, cell)


def _apply_turned(battle: Battle, event: ev.Turned) -> None:
    shapes = _find_shapes(battle, event.ids)
    for shape, x, y, facing in zip(shapes, event.xs, event.ys, event.facings, strict=True):
        cell = replace(shape, x=x, y=y, facing=facing, pending=None, pending_since=0)
        _put(battle, shape, cell)


def _apply_capture_began(battle: Battle, event: ev.CaptureBegan | ev.CaptureRestarted) -> None:
    since = battle.turn + (1 if isinstance(event, ev.CaptureRestarted) else 0)
    for shape in _find_shapes(battle, event.ids):
        battle.shapes[shape.id] = replace(shape, capturing_since=since)


def _apply_capture_of_began(battle: Battle, event: ev.CaptureOfBegan) -> None:
    for shape in _find_shapes(battle, event.ids):
        battle.shapes[shape.id] = replace(shape, capturing_since=battle.turn)
        battle.captures[shape.id] = event.owner


def _apply_capture_stopped(battle: Battle, event: ev.CaptureStopped) -> None:
    for shape in _find_shapes(battle, event.ids):
        battle.shapes[shape.id] = replace(shape, capturing_since=0)
        battle.captures.pop(shape.id, None)


def _apply_flag_taken(battle: Battle, event: ev.FlagTaken | ev.FlagOfTaken) -> None:
    owner = event.owner if isinstance(event, ev.FlagOfTaken) else 3 - event.team
    battle.bearers[owner - 1] = event.shape
    shape = battle.shapes[event.shape]
    battle.shapes[shape.id] = replace(shape, capturing_since=0)
    battle.captures.pop(shape.id, None)


def _apply_flag_lost(battle: Battle, event: ev.FlagLost) -> None:
    battle.bearers[event.owner - 1] = 0


def _apply_flag_delivered(battle: Battle, event: ev.FlagDelivered) -> None:
    battle.bearers[event.owner - 1] = 0
    battle.delivered[event.team - 1] += 1


def _apply_defeated(battle: Battle, event: ev.Defeated) -> None:
    battle.defeats[event.team - 1] = Defeat(battle.turn, event.flags, event.kills, event.hp_taken)
    battle.bearers[event.team - 1] = 0


def _apply_died(battle: Battle, event: ev.Died) -> None:
    for shape_id, left in zip(event.ids, event.left, strict=True):
        dead = battle.shapes.pop(shape_id)
        battle.captures.pop(shape_id, None)
        battle.bodies[dead.id] = Body(dead.id, dead.type, dead.x, dead.y, dead.facing, left)
    battle.bodies = dict(sorted(battle.bodies.items()))


def _apply_gone(battle: Battle, event: ev.Gone) -> None:
    for shape_id in event.ids:
        battle.unmark(battle.shapes.pop(shape_id))
        battle.captures.pop(shape_id, None)


def _apply_healed(battle: Battle, event: ev.Healed) -> None:
    for shape, hp in zip(_find_shapes(battle, event.ids), event.hps, strict=True):
        battle.shapes[shape.id] = replace(shape, hp=hp)


def _apply_disclosed(battle: Battle, event: ev.Disclosed | ev.DisclosedOf) -> None:
    owner = event.owner if isinstance(event, ev.DisclosedOf) else 3 - event.team
    battle.disclosed[battle.pair_index(event.team, owner)] = event.types


def _apply_sighted(battle: Battle, event: ev.Sighted) -> None:
    battle.turn, battle.sight = event.turn, event


def _apply_heard(battle: Battle, event: ev.Heard) -> None:
    battle.heard = event


def _apply_nothing(
    battle: Battle, event: ev.TurnsLost | ev.Nothing | ev.Spoke | ev.Delivered
) -> None:
    """Ignore an event that is for viewers and statistics alone."""


def _find_shapes(battle: Battle, ids: Iterable[int]) -> list[Shape]:
    shapes = battle.shapes
    return [shapes[shape_id] for shape_id in ids]


def _put(battle: Battle, before: Shape, after: Shape) -> None:
    """Move a shape on the grid, in any order: `unmark` spares cells that others have entered."""
    battle.unmark(before)
    battle.shapes[after.id] = after
    battle.mark(after)


_APPLY = find_appliers(globals())
