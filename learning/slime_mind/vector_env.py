"""Matches of Slime Mind as a vector environment of Gymnasium: one team learns, in each of them."""

from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from engine.catalogue import game_named
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.settings import Settings
from learning.encoding import MOST
from learning.encodings.slime_mind import (
    ACTING,
    ENEMY,
    OWN,
    PLANT_HP,
    PLANT_LEVEL,
    SlimeMindEncoding,
)
from learning.encodings.slime_mind import ROCK as ROCK_PLANE
from learning.slime_mind import layout
from learning.slime_mind.compiled import kernel, part
from learning.slime_mind.layout import Row
from learning.slime_mind.matches import NO_WEIGHTS, Matches
from learning.slime_mind.opponents import acting_slime
from learning.slime_mind.players import NOT_PLAYED, Player, advance

Planes = NDArray[np.int32]
SEED_BITS = 63


class SlimeMindVectorEnv(VectorEnv):  # type: ignore[misc, unused-ignore]
    """Many matches at once; a step is a decision of a slime of team 1 in each of them.

    Team 2 is played by an opponent between the steps. An observation has `observation`, of shape
    (matches, planes, rows, columns), and `numbers`, of shape (matches, numbers): those of
    `SlimeMindEncoding`, which names them. The reward is 1 for a match that was won and -1 for one
    that was lost, at its end. A match that is over begins anew at the next step, whose action and
    reward do not count (`AutoresetMode.NEXT_STEP`).
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 64,
        *,
        settings: dict[str, Any] | None = None,
        opponent: Player = Player.GLUTTON,
    ) -> None:
        """`settings` are those that differ from the standard ones."""
        if num_envs < 1:
            raise ValueError(f"num_envs = {num_envs}: expected 1 or more")
        self.num_envs = num_envs
        self._settings = msgspec.convert(settings or {}, Settings)
        encoding = SlimeMindEncoding(game_named("slime_mind"), self._settings, 2)
        self.planes, self.numbers = encoding.planes, encoding.numbers
        shape = len(self.planes), self._settings.rows, self._settings.columns
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, MOST, shape, np.int32),
                "numbers": spaces.Box(0, MOST, (len(self.numbers),), np.int32),
            }
        )
        self.single_action_space = spaces.Discrete(len(Command))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        if opponent not in (Player.GLUTTON, Player.RANDOM):
            raise ValueError(f"opponent = {opponent!r}: expected Player.GLUTTON or Player.RANDOM")
        self._players = np.tile(np.array([Player.OUTSIDE, opponent], np.int64), (num_envs, 1))
        self._planes = np.zeros((num_envs, *shape), np.int32)
        self._numbers = np.zeros((num_envs, len(self.numbers)), np.int32)
        self._seeds = np.random.default_rng()
        self._matches: Matches | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Planes], dict[str, Any]]:
        """Begin all matches; their seeds are drawn from this one. There are no options."""
        self._seeds = np.random.default_rng(seed)
        seeds = self._seeds.integers(1 << SEED_BITS, size=self.num_envs).tolist()
        if self._matches is None:
            self._matches = Matches(self._settings, seeds)
        else:
            for number, own in enumerate(seeds):
                self._matches.begin(number, own)
        self._was_over = np.zeros(self.num_envs, np.bool_)
        self._chance = self._seeds.integers(1, 1 << SEED_BITS, (self.num_envs, 1))
        self._advance(np.full(self.num_envs, NOT_PLAYED))
        return self._observed(), {}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[
        dict[str, Planes], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Play an action in each match. Raises: ValueError for one that is no command."""
        matches = self._matches
        if matches is None:
            raise ValueError("step: the environment must be reset first")
        orders = np.asarray(actions, np.int64)
        if orders.shape != (self.num_envs,) or orders.min() < 0 or orders.max() >= len(Command):
            raise ValueError(
                f"actions: expected {self.num_envs} numbers from 0 to {len(Command) - 1}, "
                f"not {actions!r:.60}"
            )
        begun = self._was_over
        for number in np.flatnonzero(begun).tolist():
            matches.begin(number, self._new_seed())
        self._advance(np.where(begun, NOT_PLAYED, orders))
        over = matches.is_over
        self._was_over = over.copy()
        ahead = matches.scores[:, 0] - matches.scores[:, 1]
        rewards = np.where(over, np.sign(ahead), 0.0)
        return self._observed(), rewards, over, np.zeros(self.num_envs, np.bool_), {}

    def _new_seed(self) -> int:
        return int(self._seeds.integers(1 << SEED_BITS))

    def _observed(self) -> dict[str, Planes]:
        return {"observation": self._planes.copy(), "numbers": self._numbers.copy()}

    def _advance(self, orders: Row) -> None:
        assert self._matches is not None
        s, rows, log = self._matches.s, self._matches.rows, self._matches.no_log
        advance(s, rows, orders, self._players, NO_WEIGHTS, self._chance, log)
        look_all(s, rows, self._planes, self._numbers)


@kernel
def look_all(s: Row, rows: Row, planes: Planes, numbers: Planes) -> None:
    """Show each match to team 1."""
    for number in range(len(rows)):
        look(s, rows[number], planes[number], numbers[number])


@part
def look(s: Row, m: Row, planes: Planes, numbers: Planes) -> None:
    """Show a match to team 1: what `SlimeMindEncoding` shows."""
    planes[:] = 0
    xs = s[layout.TABLES_AT]
    ys = xs + s[layout.SLIMES_AT] - layout.GRID
    for slot in range(m[layout.SLIMES]):
        at = s[layout.SLIMES_AT] + slot * layout.SLIME_SIZE
        if m[at + layout.ALIVE]:
            x, y = s[xs + m[at + layout.PLACE]], s[ys + m[at + layout.PLACE]]
            first = OWN if m[at + layout.TEAM] == 1 else ENEMY
            planes[first, y, x] = m[at + layout.LEVEL]
            planes[first + 1, y, x] = m[at + layout.HP]
            planes[first + 2, y, x] = m[at + layout.MAX_HP]
            planes[first + 3, y, x] = min(m[at + layout.XP], MOST)
            planes[first + 4, y, x] = m[at + layout.READY]
    for slot in range(m[layout.PLANTS]):
        at = s[layout.PLANTS_AT] + slot * layout.PLANT_SIZE
        if m[at + layout.PLANT_HP_LEFT]:
            place = m[at + layout.PLANT_PLACE]
            planes[PLANT_LEVEL, s[ys + place], s[xs + place]] = m[at + layout.PLANT_LEVEL]
            planes[PLANT_HP, s[ys + place], s[xs + place]] = m[at + layout.PLANT_HP_LEFT]
    for place in range(s[layout.SLIMES_AT] - layout.GRID):
        if m[layout.GRID + place] == layout.ROCK:
            planes[ROCK_PLANE, s[ys + place], s[xs + place]] = 1
    if m[layout.ENDED] == layout.RUNNING:
        place = m[acting_slime(s, m) + layout.PLACE]
        planes[ACTING, s[ys + place], s[xs + place]] = 1
    numbers[0] = m[layout.TURN]
    numbers[1] = s[layout.MAX_TURNS] - m[layout.TURN]
    numbers[2] = 1
