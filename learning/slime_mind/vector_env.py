"""Matches of Slime Mind as a vector environment of Gymnasium: one team learns, in each of them."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from engine.catalog import find_game
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.settings import Settings
from engine.streams import parse_seed
from learning.encoding import MAX_INT32
from learning.encodings.slime_mind import (
    ACTING,
    ENEMY,
    OWN,
    PLANT_HP,
    PLANT_LEVEL,
    SlimeMindEncoding,
)
from learning.encodings.slime_mind import ROCK as ROCK_PLANE
from learning.observations import ObservationForm, Shown
from learning.slime_mind import layout
from learning.slime_mind.compiled import kernel, part
from learning.slime_mind.layout import Row
from learning.slime_mind.matches import NO_WEIGHTS, Matches
from learning.slime_mind.notes import CHANCE, new_notes
from learning.slime_mind.opponents import acting_slime
from learning.slime_mind.players import NOT_PLAYED, Player, advance

Planes = NDArray[np.int32]
SEED_BITS = 63
OPPONENTS = Player.GLUTTON, Player.RANDOM, Player.PLANNER
Policy = Callable[[Shown], NDArray[np.integer]]
"""What gives an action for each match that is shown to it; how many there are changes."""


class SlimeMindVectorEnv(VectorEnv):  # type: ignore[misc, unused-ignore]
    """Many matches at once; a step is a decision of a slime of team 1 in each of them.

    Team 2 is played by an opponent between the steps: a compiled player, or a policy that is shown
    the matches in which team 2 must decide, as that team sees them. An observation has
    `observation`, of shape (matches, planes, rows, columns), and `numbers`, of shape (matches,
    numbers): those of `SlimeMindEncoding`, which names them. The reward is 1 for a match that was
    won and -1 for one that was lost, at its end. A match that is over begins anew at the next
    step, whose action and reward do not count (`AutoresetMode.NEXT_STEP`).
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 64,
        *,
        settings: Mapping[str, object] | None = None,
        opponent: Player | Policy = Player.GLUTTON,
        observation: ObservationForm | str = ObservationForm.DICTIONARY,
    ) -> None:
        """`settings` are those that differ from the standard ones.

        With the policy that learns, or an earlier one, as `opponent` it is self-play.
        Raises: ValueError.
        """
        self._is_box = ObservationForm(observation) is not ObservationForm.DICTIONARY
        if num_envs < 1:
            raise ValueError(f"num_envs = {num_envs}: expected 1 or more")
        self.num_envs = num_envs
        self._settings = msgspec.convert(settings or {}, Settings)
        encoding = SlimeMindEncoding(find_game("slime_mind"), self._settings, 2)
        form = ObservationForm.BOX if self._is_box else ObservationForm.DICTIONARY
        self.planes, self.numbers = form.plane_names(encoding), encoding.numbers
        shape = len(encoding.planes), self._settings.rows, self._settings.columns
        # There is no mask, as any command is legal: without it two of the forms are the same.
        self.single_observation_space: spaces.Space[Shown] = (
            ObservationForm.BOX.make_space(encoding)
            if self._is_box
            else _dictionary_space(encoding)
        )
        self.single_action_space = spaces.Discrete(len(Command))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._policy = opponent if callable(opponent) else None
        if self._policy is None and opponent not in OPPONENTS:
            named = ", ".join(f"Player.{player.name}" for player in OPPONENTS)
            raise ValueError(f"opponent = {opponent!r}: expected {named} or a policy")
        second = Player.OUTSIDE if callable(opponent) else opponent
        self._players = np.tile(np.array([Player.OUTSIDE, second], np.int64), (num_envs, 1))
        self._planes = np.zeros((num_envs, *shape), np.int32)
        self._numbers = np.zeros((num_envs, len(self.numbers)), np.int32)
        self._chances: list[np.random.Generator] = []
        self._matches: Matches | None = None

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, object] | None = None,
    ) -> tuple[Shown, dict[str, object]]:
        """Begin all matches. There are no options.

        `seed`: that of each match, or of the first one, whose successors have the next numbers. A
        match is the one that `MatchEnv` has from its seed; later ones at its place follow from it.
        """
        seeds = _seed_of_each(seed, self.num_envs)
        self._chances = [np.random.default_rng(own) for own in seeds]
        if self._matches is None:
            self._matches = Matches(self._settings, seeds)
        else:
            for number, own in enumerate(seeds):
                self._matches.restart(number, own)
        self._was_over = np.zeros(self.num_envs, np.bool_)
        chances = [chance.integers(1, 1 << SEED_BITS) for chance in self._chances]
        self._notes = new_notes(self.num_envs)
        self._notes[:, CHANCE] = chances
        self._advance_to_decision(np.full(self.num_envs, NOT_PLAYED))
        return self._make_observations(), {}

    def step(
        self, actions: NDArray[np.integer]
    ) -> tuple[Shown, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, object]]:
        """Play an action in each match. Raises: ValueError for one that is no command."""
        matches = self._matches
        if matches is None:
            raise ResetNeeded("no match has begun; call reset() first")
        orders = _parse_orders(actions, self.num_envs, "actions")
        begun = self._was_over
        for number in np.flatnonzero(begun).tolist():
            matches.restart(number, _sample_seed(self._chances[number]))
            self._notes[number, CHANCE + 1 :] = 0
        self._advance_to_decision(np.where(begun, NOT_PLAYED, orders))
        over = matches.is_over
        self._was_over = over.copy()
        lead = matches.scores[:, 0] - matches.scores[:, 1]
        rewards = np.where(over, np.sign(lead), 0.0)
        return self._make_observations(), rewards, over, np.zeros(self.num_envs, np.bool_), {}

    def _make_observations(self, which: NDArray[np.bool_] | None = None) -> Shown:
        """Return what is seen of all matches, or of these."""
        planes, numbers = self._planes, self._numbers
        if which is not None:
            planes, numbers = planes[which], numbers[which]
        if self._is_box:
            shape = *numbers.shape, *planes.shape[2:]
            full = np.broadcast_to(numbers[:, :, None, None], shape)
            return np.concatenate((planes, full), axis=1)
        return {"observation": planes.copy(), "numbers": numbers.copy()}

    def _advance_to_decision(self, orders: Row) -> None:
        """Play on to the next decision of team 1 in each match, and look at it."""
        self._play(orders)
        assert self._matches is not None
        while self._policy is not None and (waits := self._matches.teams == 2).any():
            self._observe(2)
            given = self._policy(self._make_observations(waits))
            orders = np.full(self.num_envs, NOT_PLAYED)
            orders[waits] = _parse_orders(given, int(waits.sum()), "opponent")
            self._play(orders)
        self._observe(1)

    def _play(self, orders: Row) -> None:
        assert self._matches is not None
        s, rows, log = self._matches.s, self._matches.rows, self._matches.no_log
        advance(s, rows, orders, self._players, NO_WEIGHTS, self._notes, log)

    def _observe(self, team: int) -> None:
        assert self._matches is not None
        observe_all(self._matches.s, self._matches.rows, self._planes, self._numbers, team)


def _parse_orders(actions: object, count: int, whose: str) -> Row:
    """Return actions as an array; those that are no whole numbers are not rounded."""
    given = np.asarray(actions)
    is_whole = given.dtype.kind in "iu" and given.shape == (count,)
    if not is_whole or given.min() < 0 or given.max() >= len(Command):
        raise ValueError(
            f"{whose}: expected {count} whole numbers from 0 to {len(Command) - 1}, "
            f"not {actions!r:.60}"
        )
    return given.astype(np.int64)


def _dictionary_space(encoding: SlimeMindEncoding) -> spaces.Dict:
    whole = ObservationForm.DICTIONARY.make_space(encoding)
    assert isinstance(whole, spaces.Dict)
    return spaces.Dict({name: whole[name] for name in ("observation", "numbers")})


def _seed_of_each(seed: int | Sequence[int | None] | None, count: int) -> list[int]:
    """Return a seed for each match. Raises: ValueError if there are too few or too many."""
    chance = np.random.default_rng()
    if seed is None:
        return [_sample_seed(chance) for _ in range(count)]
    if isinstance(seed, int | np.integer):
        return [parse_seed(seed) + number for number in range(count)]
    if len(seed) != count:
        raise ValueError(f"seed: expected {count}, one for each match, not {len(seed)}")
    return [_sample_seed(chance) if own is None else parse_seed(own) for own in seed]


def _sample_seed(chance: np.random.Generator) -> int:
    return int(chance.integers(1 << SEED_BITS))


@kernel
def observe_all(s: Row, rows: Row, planes: Planes, numbers: Planes, team: int) -> None:
    """Show each match to a team."""
    for number in range(len(rows)):
        observe(s, rows[number], planes[number], numbers[number], team)


@part
def observe(s: Row, m: Row, planes: Planes, numbers: Planes, team: int) -> None:
    """Show a match to a team: what `SlimeMindEncoding` shows."""
    planes[:] = 0
    xs = s[layout.TABLES_AT]
    ys = xs + s[layout.SLIMES_AT] - layout.GRID
    for slot in range(m[layout.SLIMES]):
        at = s[layout.SLIMES_AT] + slot * layout.SLIME_SIZE
        if m[at + layout.ALIVE]:
            x, y = s[xs + m[at + layout.PLACE]], s[ys + m[at + layout.PLACE]]
            first = OWN if m[at + layout.TEAM] == team else ENEMY
            planes[first, y, x] = m[at + layout.LEVEL]
            planes[first + 1, y, x] = m[at + layout.HP]
            planes[first + 2, y, x] = m[at + layout.MAX_HP]
            planes[first + 3, y, x] = min(m[at + layout.XP], MAX_INT32)
            planes[first + 4, y, x] = m[at + layout.READY]
    for slot in range(m[layout.PLANTS]):
        at = s[layout.PLANTS_AT] + slot * layout.PLANT_SIZE
        if m[at + layout.PLANT_HP_LEFT]:
            cell = m[at + layout.PLANT_PLACE]
            planes[PLANT_LEVEL, s[ys + cell], s[xs + cell]] = m[at + layout.PLANT_LEVEL]
            planes[PLANT_HP, s[ys + cell], s[xs + cell]] = m[at + layout.PLANT_HP_LEFT]
    for cell in range(s[layout.SLIMES_AT] - layout.GRID):
        if m[layout.GRID + cell] == layout.ROCK:
            planes[ROCK_PLANE, s[ys + cell], s[xs + cell]] = 1
    if m[layout.ENDED] == layout.RUNNING:
        cell = m[acting_slime(s, m) + layout.PLACE]
        planes[ACTING, s[ys + cell], s[xs + cell]] = 1
    numbers[0] = m[layout.TURN]
    numbers[1] = s[layout.MAX_TURNS] - m[layout.TURN]
    numbers[2] = team
