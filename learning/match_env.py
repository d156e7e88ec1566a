"""Matches of any game as environments of PettingZoo: one agent after the other (AEC)."""

import sys
from collections.abc import Sequence
from copy import deepcopy
from enum import StrEnum
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from engine.catalogue import game_named
from engine.game import AnyGame, Ask
from engine.spec import MatchSpec
from engine.stepper import Stepper
from engine.streams import draw_seed
from learning.encoding import ENCODINGS, MOST, Choice, Encoding
from learning.pictures import picture_of


class Reward(StrEnum):
    """What agents are rewarded for."""

    RESULT = "result"
    """1 for the winner at the end, -1 shared by the others; 0 for all in a draw."""
    LEAD = "lead"
    """Whenever something was decided: by how much the own score gained on the best other one."""


class MatchEnv(AECEnv):  # type: ignore[misc]
    """A match, decided agent by agent.

    An observation has `observation` (planes, rows, columns), `numbers` and `action_mask`, all of
    whole numbers: `planes` and `numbers` name them, with their units. An agent is shown what its
    team knows. Orders that are given at the same time are played when the last one is there.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - what PettingZoo expects
        "render_modes": ["human", "ansi", "rgb_array"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "slime_mind",
        *,
        settings: dict[str, Any] | None = None,
        teams: int | None = None,
        designs: Sequence[Any] = (),
        reward: Reward | str = Reward.RESULT,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment of a game, by default with its standard settings and fewest teams.

        `settings` are those that differ; `designs` are for the Game of Death: that of each team.
        Raises: UnknownGame, ValueError (msgspec.ValidationError among them).
        """
        super().__init__()
        self._game: AnyGame = game_named(game)
        self._settings = msgspec.convert(settings or {}, self._game.settings)
        self._teams = _checked_teams(self._game, self._settings, teams)
        self._reward = Reward(reward)
        self.render_mode = _checked_mode(render_mode, self.metadata["render_modes"])
        self.metadata = {**self.metadata, "name": f"{game}_v0"}
        self._encoding = _encoding_of(self._game, self._settings, self._teams, designs)
        self.possible_agents = self._encoding.agents
        self.agents: list[str] = []
        shared = _observation_space(self._encoding)
        # A space draws its samples from a chance of its own, so each agent has one.
        self.observation_spaces = {agent: deepcopy(shared) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._encoding.actions) for agent in self.possible_agents
        }

    @property
    def planes(self) -> tuple[str, ...]:
        """Return what each plane of `observation` holds, and its unit."""
        return self._encoding.planes

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return what each of `numbers` is, and its unit."""
        return self._encoding.numbers

    @property
    def encoding(self) -> Encoding[Any]:
        """Return how the game is put into arrays."""
        return self._encoding

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match of this seed; without one it is drawn. There are no options."""
        spec = MatchSpec(
            game=self._game.name,
            rules_version=self._game.rules_version,
            settings=self._settings,
            limits=self._game.limits,
            bots=tuple(f"agent {team}" for team in range(1, self._teams + 1)),
            seed=draw_seed() if seed is None else int(seed),
        )
        teams = range(1, self._teams + 1)
        self._stepper: Stepper[Any, Any, Any] = Stepper(
            self._game, spec, listeners=dict.fromkeys(teams, _nobody)
        )
        self._stepper.begin()
        self._encoding.begin({team: self._stepper.known[team] for team in teams})
        self._give_own_orders()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._leads = self._leads_now()
        self._ask: Ask | None = None
        self._choice: Choice | None = None
        self.agent_selection = self.agents[0]
        self._select()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent is shown; its mask is 0 while another one is asked."""
        team = self._encoding.team_of(agent)
        is_asked = self._ask is not None and self._encoding.agent_of(self._ask) == agent
        ask, choice = (self._ask, self._choice) if is_asked else (None, None)
        planes, numbers = self._encoding.observe(self._stepper.known[team], agent, ask, choice)
        mask = np.zeros(self._encoding.actions, np.int8)
        if choice is not None:
            mask[choice.legal] = 1
        return {"observation": planes, "numbers": numbers, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the action of `agent_selection`. Raises: ValueError if it is not legal now."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._choice is not None
        assert self._ask is not None
        if action is None or action not in self._choice.legal:
            raise ValueError(
                f"{action!r} is not a legal action of {agent} now; expected one that its "
                "action_mask allows"
            )
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        order = self._choice.take(int(action))
        if order is None:
            return
        if self._stepper.take(self._ask, order):
            self._give_own_orders()
            self._pay()
        self._select()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """Return the board as text (ansi) or as a picture (rgb_array); print it (human)."""
        if self.render_mode == "rgb_array":
            return picture_of(self._game, self._settings, self._teams, self._stepper.state)
        text = self._game.text(self._stepper.state)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write(f"{text}\n")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _give_own_orders(self) -> None:
        """Answer what no agent is asked."""
        stepper = self._stepper
        for ask in stepper.open_asks:
            order = self._encoding.own_order(stepper.state, ask)
            if order is not None:
                stepper.take(ask, order)

    def _select(self) -> None:
        """Ask the next agent, unless the match is over."""
        asks = self._stepper.open_asks
        self._ask = asks[0] if asks else None
        if self._ask is None:
            self._choice = None
            return
        self._choice = self._encoding.choice(self._stepper.known[self._ask.team], self._ask)
        self.agent_selection = self._encoding.agent_of(self._ask)

    def _pay(self) -> None:
        """Give rewards for what was played, and note who is out."""
        outcome = self._stepper.outcome
        gone = set(self.agents) if outcome else self._encoding.left(self._stepper.state)
        leads, before = self._leads_now(), self._leads
        self._leads = leads
        for agent in self.agents:
            team = self._encoding.team_of(agent)
            if self._reward is Reward.LEAD:
                self.rewards[agent] = leads[team - 1] - before[team - 1]
            elif outcome is not None and outcome.winner is not None:
                lost = -1.0 / (self._teams - 1)
                self.rewards[agent] = 1.0 if outcome.winner == team else lost
            self.terminations[agent] = self.terminations[agent] or agent in gone

    def _leads_now(self) -> list[float]:
        """Return by how much each team is ahead of the best other one, points."""
        outcome = self._stepper.outcome
        scores = outcome.scores if outcome else self._game.standing(self._stepper.state).scores
        return [
            score - max(other for rival, other in enumerate(scores) if rival != team)
            for team, score in enumerate(scores)
        ]


def _checked_teams(game: AnyGame, settings: Any, teams: int | None) -> int:
    count = game.team_counts[0] if teams is None else teams
    if count not in game.team_counts:
        counts = ", ".join(map(str, game.team_counts))
        raise ValueError(f"teams = {count}: {game.title} is for {counts} teams")
    why = game.why_not_played(settings, count)
    if why is not None:
        raise ValueError(f"teams = {count}: {why}")
    return count


def _checked_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode = {mode!r}: expected one of {', '.join(modes)}, or None")
    return mode


def _encoding_of(game: AnyGame, settings: Any, teams: int, designs: Sequence[Any]) -> Encoding[Any]:
    encoding = ENCODINGS[game.name]
    if game.has_designs:
        return encoding(game, settings, teams, designs)  # type: ignore[call-arg]
    if designs:
        raise ValueError(f"designs: {game.title} has none")
    return encoding(game, settings, teams)


def _observation_space(encoding: Encoding[Any]) -> spaces.Dict:
    shape = len(encoding.planes), encoding.rows, encoding.columns
    least = -MOST - 1
    return spaces.Dict(
        {
            "observation": spaces.Box(0, MOST, shape, np.int32),
            "numbers": spaces.Box(least, MOST, (len(encoding.numbers),), np.int32),
            "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def _nobody(event: object) -> None:
    """Listen to nothing: what a team knows is kept by the stepper."""
