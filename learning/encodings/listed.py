"""Any game that lists all orders, in arrays: an action for each, and what its scene shows."""

from typing import Any

import msgspec

from engine.game import AnyGame, Ask
from engine.streams import Streams
from learning.encoding import Choice, Encoding, ListedChoice, Observation, as_numbers
from visualizer.scene import middle_of_thing, scene_class

NOT_COUNTED = ("team", "name", "at")
"""Facts of things that are no numbers of theirs."""


class ListedEncoding(Encoding[Any]):
    """Planes in the squares of the scene: for each kind of things whose they are, and their facts.

    Team +0 is the own one, team +1 that after it. What is not on the board comes from the panels of
    teams. Action n is the nth of `Game.all_orders`.
    """

    def __init__(self, game: AnyGame, settings: object, teams: int) -> None:
        super().__init__(game, settings, teams)
        orders = game.all_orders(settings)
        assert orders is not None
        self._numbers = {msgspec.json.encode(order): n for n, order in enumerate(orders)}
        self.actions = len(self._numbers)
        self._scene = scene = scene_class(game.name)(settings, teams)
        self._extent = scene.extent
        self.rows, self.columns = int(self._extent.height), int(self._extent.width)
        ground = {thing.kind for thing in scene.backdrop()}
        names: dict[tuple[str, object], str] = {}
        for name, kind in scene.kinds.items():
            if name not in ground:
                if "team" in kind.facts:
                    names |= {(name, n): f"{kind.title} of team +{n}: 1" for n in range(teams)}
                else:
                    names[name, ""] = f"{kind.title}: 1"
                counted = (fact for fact in kind.facts if fact not in NOT_COUNTED)
                names |= {(name, fact): f"{kind.title}: {fact}" for fact in counted}
        self.planes = tuple(names.values())
        self._place = {key: index for index, key in enumerate(names)}
        state = game.new(settings, teams)
        self._lines = ["score", *(name for name, _ in scene.panel(state, 1))]
        self.numbers = (
            *("turn, from 1", "turns left", "the piece asked about, 0 for none"),
            *(f"{line} of team +{n}" for n in range(teams) for line in self._lines),
        )
        for event in game.start(state, Streams(0)):
            state.apply(event)
        self.is_simultaneous = len(game.asks(state)) == teams

    def choice(self, known: Any, ask: Ask) -> Choice:
        legal = self.game.legal_orders(known, ask) or ()
        return ListedChoice({self._numbers[msgspec.json.encode(one)]: one for one in legal})

    def observe(
        self, known: Any, agent: str, ask: Ask | None, choice: Choice | None
    ) -> Observation:
        planes, team = self.new_planes(), self.agent_team(agent)
        for thing_id in self._scene.ids(known):
            thing = self._scene.thing(known, thing_id)
            if thing is None:
                continue
            x, y = middle_of_thing(thing)
            column, row = int(x - self._extent.left), int(y - self._extent.top)
            facts = dict(zip(self._scene.kinds[thing.kind].facts, thing.facts, strict=True))
            owner = facts.get("team")
            whose = (owner - team) % self.teams if isinstance(owner, int) else ""
            for key, value in [*facts.items(), (whose, 1)]:
                index = self._place.get((thing.kind, key))
                if index is not None and 0 <= row < self.rows and 0 <= column < self.columns:
                    planes[index, row, column] = max(0, _as_number(value))
        standing = self.game.standing(known)
        numbers = [standing.turn, standing.last_turn - standing.turn, ask.piece_id if ask else 0]
        for n in range(self.teams):
            other = (team - 1 + n) % self.teams + 1
            lines = {"score": standing.scores[other - 1], **dict(self._scene.panel(known, other))}
            numbers += [_as_number(lines.get(line)) for line in self._lines]
        return Observation(planes, as_numbers(*numbers))


def _as_number(fact: object) -> int:
    return int(fact) if isinstance(fact, int | float) else 0
