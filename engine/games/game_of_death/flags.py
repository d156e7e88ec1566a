"""Capturing a flag and bringing it home (docs/rules/game_of_death.md 6.12 to 6.15, 8.3)."""

from collections.abc import Iterator, Sequence

from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.ids_by_team import IdsByTeam, by_team, without_effect
from engine.games.game_of_death.orders import Action, Command
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.state import Battle
from engine.games.game_of_death.victory import DELIVERY_REASON, defeat, end_match


def capture(battle: Battle, actions: dict[int, Action]) -> Iterator[Event]:
    """Begin, continue, stop or complete captures (rules 6.13)."""
    begun, stopped, refused = IdsByTeam[int](battle), [], IdsByTeam[ev.Reason](battle)
    for shape_id, action in actions.items():
        shape = battle.shapes[shape_id]
        if action.command is not Command.CAPTURE and not shape.capturing_since:
            continue
        owner = _flag_for(battle, shape)
        if isinstance(owner, int) and action.command in (Command.CAPTURE, Command.CONTINUE):
            if not shape.capturing_since:
                begun.add(shape_id, owner)
        elif shape.capturing_since:
            stopped.append(shape_id)
        elif not isinstance(owner, int):
            refused.add(shape_id, owner)
    for team, owner, ids in begun:
        yield (
            ev.CaptureBegan(team, ids) if battle.teams == 2 else ev.CaptureOfBegan(team, owner, ids)
        )
    for team, ids in by_team(battle, stopped):
        yield ev.CaptureStopped(team, ids)
    yield from without_effect(refused)
    for team in battle.all_teams:
        yield from _take_flag(battle, owner=battle.other_teams(team)[0])  # each flag once


def deliver(battle: Battle, actions: dict[int, Action]) -> Iterator[Event]:
    """Defeat the owners of flags whose bearers are beside their own homes (rules 6.14, 7.1)."""
    brought = [
        (battle.piece_team(bearer.id), owner, bearer.id)
        for owner in battle.all_teams
        if (bearer := battle.shapes.get(battle.bearers[owner - 1])) is not None
        and battle.is_beside_home(bearer, battle.piece_team(bearer.id))
    ]
    brought.sort()
    if brought and battle.teams == 2:
        for team, _, shape_id in brought:
            yield ev.Delivered(team, shape_id)
        yield from end_match(battle, [team for team, _, _ in brought], DELIVERY_REASON)
    elif brought:
        # Compared while the flags are still held: who delivers in the same turn is out as well.
        losses = defeat(battle, sorted(owner for _, owner, _ in brought), DELIVERY_REASON)
        for team, owner, shape_id in brought:
            yield ev.FlagDelivered(team, owner, shape_id)
        yield from losses


def _flag_for(battle: Battle, shape: Shape) -> int | ev.Reason:
    """Return whose flag a shape begins or goes on to capture; or why it cannot (rules 8.3)."""
    if shape.dying_since:
        return ev.Reason.DYING
    team = battle.piece_team(shape.id)
    if battle.teams > 2 and shape.id in battle.bearers:
        return ev.Reason.HAS_FLAG
    begun = battle.captures.get(shape.id)
    wanted = battle.enemy_teams(team) if begun is None else [begun]
    at_home = [owner for owner in wanted if _is_flag_at_home(battle, owner)]
    if not at_home and battle.teams == 2:
        return ev.Reason.NO_FLAG
    touched = [owner for owner in wanted if battle.is_beside_home(shape, owner)]
    if not touched:
        return ev.Reason.NO_CONTACT
    return next((owner for owner in touched if owner in at_home), ev.Reason.NO_FLAG)


def _is_flag_at_home(battle: Battle, owner: int) -> bool:
    """Return whether a flag can be captured; who is defeated has none any more."""
    return not battle.bearers[owner - 1] and not battle.is_defeated(owner)


def _find_capturers(battle: Battle, owner: int) -> list[Shape]:
    """Return the living shapes that capture the flag of this team, in ascending order of ids."""
    return [
        shape
        for shape in battle.shapes.values()
        if shape.capturing_since
        and not shape.dying_since
        and battle.piece_team(shape.id) != owner
        and battle.captures.get(shape.id, owner) == owner
    ]


def _take_flag(battle: Battle, owner: int) -> Iterator[Event]:
    """Give the flag of a team to a shape that completed its capture (rules 6.13, 8.2a)."""
    latest = battle.turn - battle.settings.capture_turns + 1
    capturing = _find_capturers(battle, owner)
    done = [shape for shape in capturing if shape.capturing_since <= latest]
    if not done:
        return
    earliest = min(shape.capturing_since for shape in done)
    first = [shape for shape in done if shape.capturing_since == earliest]
    if len({battle.piece_team(shape.id) for shape in first}) > 1:
        yield from _restart(battle, first)
        return
    # rules 6.13: the one that began first, then the one placed first, which has the lowest id.
    taker = first[0]
    team = battle.piece_team(taker.id)
    yield (
        ev.FlagTaken(team, taker.id) if battle.teams == 2 else ev.FlagOfTaken(team, owner, taker.id)
    )
    others = [shape.id for shape in capturing if shape.id != taker.id]
    for other_team, ids in by_team(battle, others):
        yield ev.CaptureStopped(other_team, ids)


def _restart(battle: Battle, shapes: Sequence[Shape]) -> Iterator[Event]:
    """Let nobody have it: seats must not decide between teams (rules 8.2a)."""
    for team, ids in by_team(battle, (shape.id for shape in shapes)):
        yield ev.CaptureRestarted(team, ids)
