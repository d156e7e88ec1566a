"""Capturing a flag and bringing it home (docs/rules/game_of_death.md 6C)."""

from collections.abc import Iterator

from engine.game import Event
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.endings import DELIVERY, end_match
from engine.games.game_of_death.groups import Groups, by_team, nothings
from engine.games.game_of_death.orders import Act, Command
from engine.games.game_of_death.pieces import Shape, team_of
from engine.games.game_of_death.state import TEAMS, Battle


def capture(battle: Battle, acts: dict[int, Act]) -> Iterator[Event]:
    """Captures begin, go on, come to nothing, or are complete (rules 6.13)."""
    begun, stopped, refused = [], [], Groups[ev.Reason]()
    for shape_id, act in acts.items():
        shape = battle.shapes[shape_id]
        if act.do is not Command.CAPTURE and not shape.capturing_since:
            continue
        why = _why_not(battle, shape)
        if why is None and act.do in (Command.CAPTURE, Command.CONTINUE):
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
    yield from nothings(refused)
    for team in TEAMS:
        yield from _take_flag(battle, team)


def deliver(battle: Battle, acts: dict[int, Act]) -> Iterator[Event]:
    """A bearer beside its own home has won (rules 6.14, 7.1)."""
    winners = []
    for team in TEAMS:
        bearer = battle.shapes.get(battle.bearers[2 - team])
        if bearer is not None and battle.is_beside_home(bearer, team):
            winners.append(team)
            yield ev.Delivered(team, bearer.id)
    if winners:
        yield from end_match(battle, winners, DELIVERY)


def _why_not(battle: Battle, shape: Shape) -> ev.Reason | None:
    """Why a capture cannot begin, or comes to nothing; None if it can go on."""
    if shape.dying_since:
        return ev.Reason.DYING
    enemy = 3 - team_of(shape.id)
    if battle.bearers[enemy - 1]:
        return ev.Reason.NO_FLAG
    return None if battle.is_beside_home(shape, enemy) else ev.Reason.NO_CONTACT


def _take_flag(battle: Battle, team: int) -> Iterator[Event]:
    """Of several that finish together the one that began first, then the lowest id."""
    latest = battle.turn - battle.settings.capture_turns + 1
    own = [shape for shape in battle.living(team) if shape.capturing_since]
    done = [shape for shape in own if shape.capturing_since <= latest]
    if done:
        taker = min(done, key=lambda shape: (shape.capturing_since, shape.id))
        yield ev.FlagTaken(team, taker.id)
        others = tuple(shape.id for shape in own if shape.id != taker.id)
        if others:
            yield ev.CaptureStopped(team, others)
