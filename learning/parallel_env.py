"""Matches in which all are asked at once, as parallel environments of PettingZoo."""

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from engine.catalog import DEFAULT_PARALLEL_GAME
from engine.game import Ask
from learning.agent_match import RENDER_MODES, Options
from learning.encoding import Choice
from learning.match_views import AgentSpaces, require_legal, whole_number
from learning.observations import ObservationForm, Shown

WAIT = 0
"""The action of an agent that is asked nothing: its only legal one, which does nothing."""
ByAgent = dict[str, Any]


class ParallelMatchEnv(AgentSpaces, ParallelEnv):  # type: ignore[misc]
    """A match of SMAC or of the Game of Death: in a step every agent takes an action.

    An order of SMAC takes several actions, and a step is one of each team. Whoever has submitted
    waits, with action 0, until all have; then their orders are played. Observations, rewards and
    options are those of `MatchEnv`.
    """

    metadata: dict[str, object] = {"render_modes": [*RENDER_MODES]}  # noqa: RUF012 - as PettingZoo's

    def __init__(self, game: str = DEFAULT_PARALLEL_GAME, **options: Unpack[Options]) -> None:
        """Raises: UnknownGame, ValueError (for a game whose agents take turns, say)."""
        super().__init__(game, **options)
        if not self.encoding.is_simultaneous:
            raise ValueError(
                f"{self.match.game.title} has no parallel environment: its agents are asked one "
                "after the other; use MatchEnv"
            )
        self._choices: dict[str, tuple[Ask, Choice]] = {}

    def reset(
        self, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[ByAgent, ByAgent]:
        """Begin a match of this seed; without one it is drawn. There are no options."""
        self.match.start(seed)
        self.agents = self.possible_agents[:]
        self._ask_all()
        return self._make_observations(), self._make_infos()

    def step(
        self, actions: Mapping[str, object]
    ) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Take an action of each agent, none of which sees what the others do.

        Raises: ValueError if one is missing or not legal now, and then none is taken; ResetNeeded
        if no match is played.
        """
        self.check_that_a_match_runs()
        numbers = {agent: self._parse_action(agent, actions) for agent in self.agents}
        was_played = False
        for agent, (ask, choice) in [*self._choices.items()]:
            order = choice.take(numbers[agent])
            if order is not None:
                del self._choices[agent]
                was_played |= self.match.take(ask, order)
        if was_played:
            self._ask_all()
        rewards = self.match.rewards() if was_played else dict.fromkeys(self.agents, 0.0)
        terminations = dict.fromkeys(self.agents, self.match.is_over)
        truncations = dict.fromkeys(self.agents, False)
        shown, infos = self._make_observations(), self._make_infos()
        if self.match.is_over:
            self.agents = []
        return shown, rewards, terminations, truncations, infos

    def _ask_all(self) -> None:
        self._choices = {
            self.encoding.agent_name(ask): (ask, self.match.choice(ask))
            for ask in self.match.stepper.open_asks
        }

    def _parse_action(self, agent: str, actions: Mapping[str, object]) -> int:
        if agent not in actions:
            raise ValueError(f"actions: there is none of {agent}; expected one of each agent")
        number = whole_number(actions[agent])
        if agent in self._choices:
            is_legal = self._choices[agent][1].allows(number)
        else:
            is_legal = number == WAIT
        return require_legal(agent, number, is_legal=is_legal)

    def _action_mask(self, agent: str) -> NDArray[np.int8]:
        if agent in self._choices:
            return self.match.mask(self._choices[agent][1])
        mask = self.match.mask(None)
        mask[WAIT] = 1
        return mask

    def _make_observations(self) -> ByAgent:
        return {agent: self._make_observation(agent) for agent in self.agents}

    def _make_observation(self, agent: str) -> Shown:
        ask, choice = self._choices.get(agent, (None, None))
        return self.match.make_observation(agent, ask, choice, self._action_mask(agent))

    def _make_infos(self) -> ByAgent:
        if self.match.form is not ObservationForm.BOX:
            return {agent: {} for agent in self.agents}
        return {agent: {"action_mask": self._action_mask(agent)} for agent in self.agents}
