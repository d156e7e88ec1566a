"""The design phase and the turn, as a list of named stages (docs/rules/game_of_death.md).

A stage computes all its results first and then yields them: what shapes do simultaneously must
not depend on their order.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

from engine.fault import Fault
from engine.game import Event, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.attacks import Attack, IncomingDamage, incoming_damage
from engine.games.game_of_death.designs import make_shapes, make_types
from engine.games.game_of_death.flags import capture, deliver
from engine.games.game_of_death.geometry import SIDES, Cell
from engine.games.game_of_death.ids_by_team import IdsByTeam, by_team, without_effect
from engine.games.game_of_death.movement import DIRECTION_OF, QUARTERS, compute_goals, due_movers
from engine.games.game_of_death.orders import ACTIONS, Action, Command, Design, Order
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import (
    ELIMINATION,
    ILLEGAL,
    KILLS_REASON,
    LAST_GROUP,
    LAST_TEAM,
    LAST_TURN,
    NO_TEAM,
    count_surviving_groups,
    defeat,
    end_match,
    end_with_ranking,
    make_match_end,
    surviving_teams,
    teams_with_enough_kills,
)
from engine.streams import Streams

Events = Iterator[Event]
Actions = dict[int, Action]
"""The action of each shape that was asked, by id; `continue` for a lost turn or refused attack."""

DESIGN, DECIDE = "design", "decide"

SIDE_OF = {Command(f"attack {side}"): number for number, side in enumerate(SIDES)}
CANCELLING_COMMANDS = frozenset({Command.REST, Command.CAPTURE, Command.SUICIDE})
"""The actions that cancel a pending move (rules 5.3)."""


def begin_match(battle: Battle, streams: Streams) -> Events:
    """Place the homes, and ask all players for their design (rules 2.4, 3, 8.1)."""
    settings = battle.settings
    rows = settings.home_rows(battle.teams)
    drawn = settings.home_row_drawn
    v = rows[streams["home"].below(len(rows))] if drawn else settings.home_v
    yield ev.HomesPlaced(v)
    yield Stage(0, DESIGN)


def deploy(battle: Battle, orders: Sequence[Order | Fault]) -> Events:
    """Place all armies; a team without a legal one loses (rules 3.3, 8.4)."""
    for team, order in zip(battle.all_teams, orders, strict=True):
        if isinstance(order, Design):
            shapes = make_shapes(order, team, battle)
            yield ev.Deployed(team, make_types(order), shapes)
        else:
            yield ev.ArmyRefused(team, str(order.cause) if isinstance(order, Fault) else ILLEGAL)
    refused = [team for team in battle.all_teams if battle.refused[team - 1] is not None]
    ready = [team for team in battle.all_teams if team not in refused]
    if battle.teams > 2:
        yield from defeat(battle, refused, ILLEGAL)
        if count_surviving_groups(battle, ready) < 2:
            yield from end_with_ranking(battle, ILLEGAL)
            return
    elif refused:
        yield make_match_end(battle, ready[0] if ready else None, ILLEGAL)
        return
    yield Stage(1, DECIDE)


def play_turn(battle: Battle, orders: Sequence[Order | Fault]) -> Events:
    """Play a turn; a stage in which nothing happens is not announced."""
    asked = sorted(battle.shapes)
    # Ascending ids: the order of the asks, and within a team that of placement (rules 5.5).
    yield from lose_turns(battle, asked, orders)
    actions = dict(zip(asked, map(_to_action, orders), strict=True))
    yield from plan(battle, actions)
    for name, stage in TURN:
        yield from _prefix_with_stage(battle, name, stage(battle, actions))
        if battle.ending is not None:
            return  # rules 7.1: between two, a delivery ends it before bodies and healing
    yield Stage(battle.turn + 1, DECIDE)


def _prefix_with_stage(battle: Battle, name: str, events: Events) -> Events:
    """Yield a stage's events behind the one that names it, or nothing if there are none."""
    first = next(events, None)
    if first is not None:
        yield Stage(battle.turn, name)
        yield first
        yield from events


def _to_action(order: Order | Fault) -> Action:
    """Return the action of a shape; one without a usable answer continues (rules 5.10)."""
    if type(order) is Action:
        return order
    return ACTIONS[order if type(order) is Command else Command.CONTINUE]


# -- P1: decide -------------------------------------------------------------------------------


def lose_turns(battle: Battle, asked: Sequence[int], orders: Sequence[Order | Fault]) -> Events:
    """Say which shapes' code gave no usable answer (rules 5.10)."""
    lost = [
        (shape_id, str(order.cause))
        for shape_id, order in zip(asked, orders, strict=True)
        if type(order) is Fault
    ]
    for team in battle.all_teams if lost else ():
        own = [(shape_id, cause) for shape_id, cause in lost if battle.piece_team(shape_id) == team]
        if own:
            ids, causes = zip(*own, strict=True)
            yield ev.TurnsLost(team, ids, causes)


def plan(battle: Battle, actions: Actions) -> Events:
    """Begin, replace or cancel pending moves and turns (rules 5.3)."""
    groups = IdsByTeam[Command | None](battle)
    for shape_id, (command, _) in actions.items():
        pending = battle.shapes[shape_id].pending
        if command in DIRECTION_OF or command in QUARTERS:
            # The same command again goes on with it: its progress counts from `pending_since`.
            if command is not pending:
                groups.add(shape_id, command)
        elif command in CANCELLING_COMMANDS and pending is not None:
            groups.add(shape_id, None)
    for team, planned, ids in groups:
        yield ev.Planned(team, planned, ids)


# -- P2: broadcasts ---------------------------------------------------------------------------


def broadcast(battle: Battle, actions: Actions) -> Events:
    """Send broadcasts in ascending order of ids, within each team's bytes (rules 5.5)."""
    left = dict.fromkeys(battle.all_teams, battle.settings.team_message_bytes_per_turn)
    spoken: list[tuple[int, str]] = []
    refused = IdsByTeam[ev.Reason](battle)
    for shape_id, action in actions.items():
        for text in action.broadcasts:
            size, team = len(text.encode()), battle.piece_team(shape_id)
            if size <= left[team]:
                left[team] -= size
                spoken.append((shape_id, text))
            else:
                refused.add(shape_id, ev.Reason.TOO_MANY_BYTES)
    if spoken:
        ids, texts = zip(*spoken, strict=True)
        yield ev.Spoke(ids, texts)
    yield from without_effect(refused)


# -- P3 and P4: attacks and damage ------------------------------------------------------------


def attack(battle: Battle, actions: Actions) -> Events:
    """Attack; an attack too soon counts as none (rules 5.4)."""
    groups, refused = IdsByTeam[int](battle), IdsByTeam[ev.Reason](battle)
    gap, turn = battle.settings.attack_gap, battle.turn
    for shape_id, (command, broadcasts) in actions.items():
        if command in SIDE_OF:
            attacked = battle.shapes[shape_id].attacked
            if attacked and turn - attacked <= gap:
                refused.add(shape_id, ev.Reason.TOO_SOON)
                # Later stages must see no attack: a capture goes on, say (rules 6.13).
                actions[shape_id] = Action(Command.CONTINUE, broadcasts)
            else:
                groups.add(shape_id, SIDE_OF[command])
    for team, side, ids in groups:
        yield ev.Attacked(team, side, ids)
    yield from without_effect(refused)


def damage(battle: Battle, actions: Actions) -> Events:
    """Apply all attacks of the turn at once, and suicides (rules 6.4 to 6.7)."""
    incoming = incoming_damage(battle, _list_attacks(battle, actions))
    shapes = [battle.shapes[hit_id] for hit_id in sorted(incoming) if hit_id in battle.shapes]
    losses = {shape.id: _hp_after(shape, incoming[shape.id]) for shape in shapes}
    # rules 6.18: who is dying already is not killed again.
    killed = {shape.id for shape in shapes if not losses[shape.id] and not shape.dying_since}
    suicides = {
        shape_id
        for shape_id, action in actions.items()
        if action.command is Command.SUICIDE and not battle.shapes[shape_id].dying_since
    }
    enemies = {shape.id: tuple(sorted(incoming[shape.id].enemies)) for shape in shapes}
    for team, hit in by_team(battle, losses):
        hps = tuple(losses[shape_id] for shape_id in hit)
        yield ev.Damaged(team, hit, hps, tuple(enemies[shape_id] for shape_id in hit))
    yield from _hit_bodies(battle, incoming)
    # rules 6.18: who commits suicide under an enemy's fire was killed, too.
    killers = {shape_id: enemies.get(shape_id, ()) for shape_id in killed | suicides}
    for team, dying in by_team(battle, killers):
        yield ev.Dying(team, dying, tuple(one for one in dying if killers[one]))
    if battle.teams > 2:
        yield from _credit_kills(battle, killers)
    yield from _return_flags(battle, killers)


def _credit_kills(battle: Battle, killers: Mapping[int, Sequence[int]]) -> Events:
    """Say whose attacks contributed to which active kill (rules 6.18, 8.5)."""
    for team in battle.all_teams:
        ids = tuple(sorted(shape_id for shape_id, teams in killers.items() if team in teams))
        if ids:
            yield ev.Killed(team, ids)


def _return_flags(battle: Battle, dying: Container[int]) -> Events:
    """Send home the flags of bearers that are dying now (rules 6.15)."""
    for owner, bearer in enumerate(tuple(battle.bearers), 1):
        if bearer in dying:
            yield (
                ev.FlagReturned(owner)
                if battle.teams == 2
                else ev.FlagLost(battle.piece_team(bearer), owner)
            )


def _list_attacks(battle: Battle, actions: Actions) -> list[Attack]:
    return [
        (battle.shapes[shape_id], SIDE_OF[action.command])
        for shape_id, action in actions.items()
        if action.command in SIDE_OF
    ]


def _hp_after(shape: Shape, taken: IncomingDamage) -> int:
    """Return the hp after all attacks together; the dying lose nothing (rules 6.4, 6.7)."""
    if shape.dying_since:
        return shape.hp
    return max(0, shape.hp - max(0, taken.total - (taken.defense or 0)))


def _hit_bodies(battle: Battle, incoming: dict[int, IncomingDamage]) -> Events:
    """Damage bodies, which have no defense (rules 6.5)."""
    hit = [
        (body_id, max(0, battle.bodies[body_id].left - incoming[body_id].total))
        for body_id in sorted(incoming)
        if body_id in battle.bodies and incoming[body_id].total
    ]
    if hit:
        ids, left = zip(*hit, strict=True)
        yield ev.BodiesHit(ids, left)


# -- P5: movement -----------------------------------------------------------------------------


def move(battle: Battle, actions: Actions) -> Events:
    """Move all due shapes at once; blocked ones try again next turn (rules 6.8 to 6.11)."""
    movers = due_movers(battle)
    goals = compute_goals(battle, movers)
    steps, blocked, turned = IdsByTeam[Cell](battle), IdsByTeam[ev.Reason](battle), []
    for shape in movers:
        goal = goals.get(shape.id)
        if goal is None:
            blocked.add(shape.id, ev.Reason.BLOCKED)
        elif shape.pending in QUARTERS:
            turned.append(shape.id)
        else:
            steps.add(shape.id, (goal.x - shape.x, goal.y - shape.y))
    for team, (dx, dy), ids in steps:
        yield ev.Moved(team, dx, dy, ids)
    for team, ids in by_team(battle, turned):
        xs, ys, facings = zip(*(goals[shape_id][:3] for shape_id in ids), strict=True)
        yield ev.Turned(team, ids, xs, ys, facings)
    yield from without_effect(blocked)


# -- P8 to P10: bodies, healing, the end (P6 and P7 are in flags.py) ---------------------------


def bury(battle: Battle, actions: Actions) -> Events:
    """Turn shapes into bodies: those that ran `die` this turn, and who is defeated (6.17, 8.3)."""
    turn = battle.turn
    yield from _remove_dead(
        battle,
        [
            shape.id
            for shape in battle.shapes.values()
            if 0 < shape.dying_since < turn or battle.is_defeated(battle.piece_team(shape.id))
        ],
    )


def _remove_dead(battle: Battle, dead: Sequence[int]) -> Events:
    factor = battle.settings.body_factor
    for team, ids in by_team(battle, dead):
        left = tuple(factor * battle.max_hp(battle.shapes[shape_id]) for shape_id in ids)
        yield ev.Died(team, ids, left)


def heal(battle: Battle, actions: Actions) -> Events:
    """Heal a point for every `heal_every` turns without a hit (rules 6.16)."""
    # Derived from `calm_from`: a counter of calm turns would be an event per shape and turn.
    turn, every, factor = battle.turn, battle.settings.heal_every, battle.settings.hp_factor
    healed = [
        shape.id
        for shape in battle.shapes.values()
        if shape.hp < factor * battle.geometry(shape).size
        and not shape.dying_since
        and shape.calm_from != turn
        and (turn - shape.calm_from) % every == 0
    ]
    for team, ids in by_team(battle, healed):
        yield ev.Healed(team, ids, tuple(battle.shapes[shape_id].hp + 1 for shape_id in ids))


def end(battle: Battle, actions: Actions) -> Events:
    """End the match if one side is left, by kills, or after the last turn (rules 7.2, 7.3, 8.7)."""
    alive = [
        team for team in battle.all_teams if next(battle.living_shapes(team), None) is not None
    ]
    if battle.teams > 2:
        yield from _end_among_many(battle, alive)
    elif len(alive) < battle.teams:
        yield from end_match(battle, alive, ELIMINATION)
    elif winners := teams_with_enough_kills(battle):
        yield from end_match(battle, winners, KILLS_REASON)
    elif battle.turn == battle.settings.max_turns:
        yield from end_match(battle, alive, LAST_TURN)


def _end_among_many(battle: Battle, alive: Sequence[int]) -> Events:
    """Defeat who has no living shapes; the others play on while there are two (8.4, 8.9)."""
    out = [team for team in surviving_teams(battle) if team not in alive]
    yield from defeat(battle, out, ELIMINATION)
    yield from _remove_dead(battle, [one for one in battle.shapes if battle.piece_team(one) in out])
    if count_surviving_groups(battle, alive) < 2:
        last = LAST_GROUP if battle.settings.groups else LAST_TEAM
        yield from end_with_ranking(battle, last if alive else NO_TEAM)
    elif winners := teams_with_enough_kills(battle):
        yield from end_with_ranking(battle, KILLS_REASON, winners)
    elif battle.turn == battle.settings.max_turns:
        yield from end_with_ranking(battle, LAST_TURN)


TURN: tuple[tuple[str, Callable[[Battle, Actions], Events]], ...] = (
    ("broadcasts", broadcast),
    ("attacks", attack),
    ("damage", damage),
    ("movement", move),
    ("captures", capture),
    ("delivery", deliver),
    ("bodies", bury),
    ("healing", heal),
    ("end", end),
)
