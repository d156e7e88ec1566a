"""Slime Mind in arrays: an agent per team, asked about one slime after the other."""

from engine.game import AnyGame, Ask
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from learning.encoding import MAX_INT32, Choice, Encoding, ListedChoice, Observation, as_numbers

OWN, ENEMY, PLANT_LEVEL, PLANT_HP, ROCK, ACTING = 0, 5, 10, 11, 12, 13
"""Where the planes of each kind of piece begin."""


class SlimeMindEncoding(Encoding[Board]):
    """Planes in the squares of the map, row 0 first; both teams see the same map.

    Action n is the nth of the ten commands: LEFT, RIGHT, UP, DOWN, the bites, SPLIT, MERGE.
    """

    planes = (
        *("own slimes: level", "own slimes: hp", "own slimes: max hp", "own slimes: xp"),
        "own slimes: 1 if ready to merge",
        *("enemies: level", "enemies: hp", "enemies: max hp", "enemies: xp"),
        "enemies: 1 if ready to merge",
        *("plants: level", "plants: hp", "rocks: 1", "the acting slime: 1"),
    )
    numbers = ("turn, from 1", "turns left", "the team, 1 or 2")
    actions = len(Command)

    def __init__(self, game: AnyGame, settings: Settings, teams: int) -> None:
        super().__init__(game, settings, teams)
        self.rows, self.columns = settings.rows, settings.columns
        self._choice = ListedChoice(dict(enumerate(Command)))

    def choice(self, known: Board, ask: Ask) -> Choice:
        return self._choice

    def observe(
        self, known: Board, agent: str, ask: Ask | None, choice: Choice | None
    ) -> Observation:
        planes, team = self.new_planes(), self.agent_team(agent)
        for slime in known.slimes.values():
            values = (slime.level, slime.current_hp, slime.max_hp, min(slime.xp, MAX_INT32))
            first = OWN if slime.team == team else ENEMY
            planes[first : first + 5, slime.y, slime.x] = (*values, slime.ready_to_merge)
        for plant in known.plants.values():
            planes[PLANT_LEVEL, plant.y, plant.x] = plant.level
            planes[PLANT_HP, plant.y, plant.x] = plant.current_hp
        for rock in known.rocks.values():
            planes[ROCK, rock.y, rock.x] = 1
        if ask is not None:
            acting = known.slimes[ask.piece_id]
            planes[ACTING, acting.y, acting.x] = 1
        turns_left = self.settings.max_turns - known.turn
        return Observation(planes, as_numbers(known.turn, turns_left, team))
