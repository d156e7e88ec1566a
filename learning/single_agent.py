"""Matches as environments of Gymnasium: one team learns, a policy plays all others."""

from collections.abc import Callable
from typing import Any, Unpack, cast

import gymnasium
import numpy as np

from engine.catalog import DEFAULT_GAME
from engine.game import Ask
from learning.agent_match import RENDER_MODES, AgentMatch, Options
from learning.encoding import Choice
from learning.match_views import MatchViews, whole_number
from learning.observations import Mask, ObservationForm, Shown

Policy = Callable[[Shown, Mask], object]
"""Is called with what an agent is shown and its mask, and returns one of its legal actions."""
SEED_COUNT = 2**63


class SingleAgentEnv(MatchViews, gymnasium.Env[Shown, np.int64]):
    """A match in which each step is a decision of one team; the others decide between the steps.

    An observation is what `MatchEnv` shows the agent that is asked, by default as a single array
    (`observation="box"`). The mask of the legal actions is `action_masks()`, as MaskablePPO of
    sb3-contrib wants it, and the info's `action_mask`. An action that is not legal now is replaced
    by a random one that is, and the info's `was_legal` is False: trainers that know no masks
    can play, too. The reward is that of the team.
    """

    metadata: dict[str, object] = {  # noqa: RUF012 - as Gymnasium has it
        "render_modes": [*RENDER_MODES],
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str = DEFAULT_GAME,
        *,
        team: int = 1,
        opponent: Policy | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Make the environment of a team; without an opponent the others play at random.

        Raises: UnknownGame, ValueError (msgspec.ValidationError among them).
        """
        self.match = AgentMatch(game, **cast(Options, {"observation": "box", **options}))
        if not 1 <= team <= self.match.teams:
            raise ValueError(f"team = {team}: expected 1 to {self.match.teams}")
        self.team = team
        self.render_mode = self.match.render_mode
        self._opponent = opponent
        self._agent = next(
            agent for agent in self.match.agents if self.encoding.agent_team(agent) == team
        )
        self.observation_space = self.match.observation_spaces[self._agent]
        self.action_space = self.match.action_spaces[self._agent]
        self._ask: Ask | None = None
        self._choice: Choice | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Shown, dict[str, Any]]:
        """Begin a match, that which `MatchEnv` has from this seed. There are no options."""
        super().reset(seed=seed)
        self._start_match(self._sample_seed() if seed is None else seed)
        while self.match.is_over:  # before the team was asked anything
            self._start_match(self._sample_seed())
        return self._make_observation(), self._make_info(was_legal=True)

    def step(self, action: object) -> tuple[Shown, float, bool, bool, dict[str, Any]]:
        """Take an action, and play until the team is asked again.

        Raises: ValueError for what is not a whole number, ResetNeeded if no match is played.
        """
        self.check_that_a_match_runs()
        assert self._choice is not None
        number = whole_number(action)
        was_legal = self._choice.allows(number)
        reward = self._apply_action(number if was_legal else self._sample_action(self._choice))
        reward += self._play_others()
        return (
            self._make_observation(),
            reward,
            self.match.is_over,
            False,
            self._make_info(was_legal=was_legal),
        )

    def action_masks(self) -> Mask:
        """Return 1 for each action that is legal now."""
        return self.match.mask(self._choice)

    def _start_match(self, seed: int) -> None:
        self.match.start(seed)
        self._update_choice()
        self._play_others()

    def _play_others(self) -> float:
        """Play until the team is asked or the match is over; return the team's reward."""
        reward = 0.0
        while self._ask is not None and self._ask.team != self.team:
            assert self._choice is not None
            reward += self._apply_action(self._action_of_opponent(self._ask, self._choice))
        return reward

    def _action_of_opponent(self, ask: Ask, choice: Choice) -> int:
        if self._opponent is None:
            return self._sample_action(choice)
        mask = self.match.mask(choice)
        shown = self.match.make_observation(self.encoding.agent_name(ask), ask, choice, mask)
        number = whole_number(self._opponent(shown, mask))
        if not choice.allows(number):
            raise ValueError(f"opponent: {number} is not a legal action; expected one of its mask")
        return number

    def _apply_action(self, action: int) -> float:
        """Take a legal action of whoever is asked; return the reward of the team."""
        assert self._ask is not None
        assert self._choice is not None
        order = self._choice.take(action)
        if order is None:
            return 0.0
        was_played = self.match.take(self._ask, order)
        self._update_choice()
        return self.match.rewards()[self._agent] if was_played else 0.0

    def _update_choice(self) -> None:
        self._ask = self.match.next_ask()
        self._choice = None if self._ask is None else self.match.choice(self._ask)

    def _make_observation(self) -> Shown:
        agent = self._agent if self._ask is None else self.encoding.agent_name(self._ask)
        return self.match.make_observation(agent, self._ask, self._choice, self.action_masks())

    def _make_info(self, *, was_legal: bool) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "was_legal": was_legal}

    def _sample_action(self, choice: Choice) -> int:
        return int(self.np_random.choice(choice.legal))

    def _sample_seed(self) -> int:
        return int(self.np_random.integers(SEED_COUNT))


__all__ = ["ObservationForm", "Policy", "SingleAgentEnv"]
