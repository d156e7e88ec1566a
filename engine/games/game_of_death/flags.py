"""Capturing a flag and bringing it home (docs/rules/game_of_death.md 6.12 to 6.15)."""

from collections.abc import Iterator

from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.groups import Groups, by_team, without_effect
from engine.games.game_of_death.orders import Action, Command
from engine.games.game_of_death.pieces import Shape, team_of
from engine.games.game_of_death.state import TEAMS, Battle
from engine.games.game_of_death.victory import DELIVERY, end_match


def capture(battle: Battle, actions: dict[int, Action]) -> Iterator[Event]:
    """Begin, continue, stop or complete captures (rules 6.13)."""
    begun, stopped, refused = [], [], Groups[ev.Reason]()
    for shape_id, action in actions.items():
        shape = battle.shapes[shape_id]
        if action.command is not Command.CAPTURE and not shape.capturing_since:
            continue
        why = _why_not(battle, shape)
        if why is None and action.command in (Command.CAPTURE, Command.CONTINUE):
            if not shape.capturing_since:
                begun.append(shape_id)
        elif shape.capturing_since:
            stopped.append(shape_id)
        elif why is not None:
            refused.add(shape_id, why)
    for team, ids in by_team(begun):
        yield ev.CaptureBegan(team, ids)
    for team, ids in by_team(stopped):
        yield ev.CaptureStopped(team, ids)
    yield from without_effect(refused)
    for team in TEAMS:
        yield from _take_flag(battle, team)


def deliver(battle: Battle, actions: dict[int, Action]) -> Iterator[Event]:
    """End the match if a bearer is beside its own home (rules 6.14, 7.1)."""
    winners = []
    for team in TEAMS:
        bearer = battle.shapes.get(battle.bearers[2 - team])
        if bearer is not None and battle.is_beside_home(bearer, team):
            winners.append(team)
            yield ev.Delivered(team, bearer.id)
    if winners:
        yield from end_match(battle, winners, DELIVERY)


def _why_not(battle: Battle, shape: Shape) -> ev.Reason | None:
    """Return why a capture cannot begin or go on, None if it can."""
    if shape.dying_since:
        return ev.Reason.DYING
    enemy = 3 - team_of(shape.id)
    if battle.bearers[enemy - 1]:
        return ev.Reason.NO_FLAG
    return None if battle.is_beside_home(shape, enemy) else ev.Reason.NO_CONTACT


def _take_flag(battle: Battle, team: int) -> Iterator[Event]:
    """Give the flag to a shape that completed its capture (rules 6.13)."""
    latest = battle.turn - battle.settings.capture_turns + 1
    own = [shape for shape in battle.living(team) if shape.capturing_since]
    done = [shape for shape in own if shape.capturing_since <= latest]
    if done:
        # rules 6.13: the one that began first, then the one placed first, which has the lowest id.
        taker = min(done, key=lambda shape: (shape.capturing_since, shape.id))
        yield ev.FlagTaken(team, taker.id)
        others = tuple(shape.id for shape in own if shape.id != taker.id)
        if others:
            yield ev.CaptureStopped(team, others)
