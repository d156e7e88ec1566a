"""Matches of any game as environments of PettingZoo: one agent after the other (AEC)."""

from typing import Unpack

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv

from engine.catalog import DEFAULT_GAME
from engine.game import Ask
from learning.agent_match import RENDER_MODES, Options, Reward
from learning.encoding import Choice
from learning.match_views import AgentSpaces, require_legal, whole_number
from learning.observations import Mask, ObservationForm, Shown

__all__ = ["MatchEnv", "ObservationForm", "Reward"]


class MatchEnv(AgentSpaces, AECEnv):  # type: ignore[misc]
    """A match, decided agent by agent.

    An observation has `observation` (planes, rows, columns), `numbers` and `action_mask`, all of
    whole numbers: `planes` and `numbers` name them, with their units. An agent is shown what its
    team knows. Orders that are given at the same time are played when the last one is there. All
    agents stay until the match is over: those that are out are asked no more, and get the result
    of their team like the others.
    """

    metadata: dict[str, object] = {  # noqa: RUF012 - what PettingZoo expects
        "render_modes": [*RENDER_MODES],
        "is_parallelizable": False,
    }

    def __init__(self, game: str = DEFAULT_GAME, **options: Unpack[Options]) -> None:
        """Make the environment of a game, by default with its standard settings and fewest teams.

        Raises: UnknownGame, ValueError (msgspec.ValidationError among them).
        """
        super().__init__(game, **options)
        self._ask: Ask | None = None
        self._choice: Choice | None = None

    @property
    def legal_actions(self) -> NDArray[np.integer]:
        """Return the actions that `agent_selection` may take: where its mask is 1, in any order.

        Where there are many actions this is quicker than to look through a mask.
        """
        return np.asarray(() if self._choice is None else self._choice.legal, np.int64)

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a match of this seed; without one it is drawn. There are no options."""
        self.match.start(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Mask]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._select()
        self._note_masks(*self.agents)

    def observe(self, agent: str) -> Shown:
        """Return what an agent is shown; its mask is 0 while another one is asked."""
        ask, choice = self._current_ask(agent)
        return self.match.make_observation(agent, ask, choice, self.match.mask(choice))

    def last(self, observe: bool = True) -> tuple[Shown, float, bool, bool, dict[str, object]]:
        """Return what `agent_selection` is shown, got, and whether it is out."""
        self.check_that_a_match_runs()
        return super().last(observe)  # type: ignore[no-any-return]

    def step(self, action: int | None) -> None:
        """Take the action of `agent_selection`.

        Raises: ValueError if it is not legal now, ResetNeeded if no match is played.
        """
        self.check_that_a_match_runs()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        order = self._take_action(action)
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        if order is not None:
            assert self._ask is not None
            if self.match.take(self._ask, order):
                self._pay()
            self._select()
        self._note_masks(agent, self.agent_selection)
        if order is not None:
            self._accumulate_rewards()
            self._deads_step_first()

    def _current_ask(self, agent: str) -> tuple[Ask | None, Choice | None]:
        """Return what an agent is asked now, and what it may do, if it is asked."""
        is_asked = self._ask is not None and self.encoding.agent_name(self._ask) == agent
        return (self._ask, self._choice) if is_asked else (None, None)

    def check_that_a_match_runs(self) -> None:
        if not self.agents:  # they stay until each has heard of the end
            super().check_that_a_match_runs()

    def _take_action(self, action: object) -> object:
        """Return the order that an action completes, None while more actions are waited for."""
        assert self._choice is not None
        number = whole_number(action)
        is_legal = self._choice.allows(number)
        return self._choice.take(require_legal(self.agent_selection, number, is_legal=is_legal))

    def _select(self) -> None:
        """Ask the next agent, unless the match is over."""
        self._ask = self.match.next_ask()
        self._choice = None if self._ask is None else self.match.choice(self._ask)
        if self._ask is not None:
            self.agent_selection = self.encoding.agent_name(self._ask)

    def _note_masks(self, *agents: str) -> None:
        """Put the masks of these agents into their infos, where observations have none."""
        if self.match.form is not ObservationForm.BOX:
            return
        for agent in agents:
            _, choice = self._current_ask(agent)
            self.infos[agent] = {"action_mask": self.match.mask(choice)}

    def _pay(self) -> None:
        """Give rewards for what was played."""
        self.rewards = self.match.rewards()
        if self.match.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
