"""What every environment says of the match that it is a shell around."""

from typing import Any

from gymnasium import spaces

from learning.agent_match import AgentMatch
from learning.encoding import Encoding


class MatchViews:
    """The properties of an environment that follow from its match."""

    match: AgentMatch

    @property
    def encoding(self) -> Encoding[Any]:
        """Return how the game is put into arrays."""
        return self.match.encoding

    @property
    def planes(self) -> tuple[str, ...]:
        """Return what each plane of `observation` holds, and its unit."""
        return self.match.form.planes(self.encoding)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return what each of `numbers` is, and its unit; some forms have them as planes."""
        return self.encoding.numbers


class AgentSpaces(MatchViews):
    """The same, and the spaces of several agents."""

    observation_spaces: dict[str, spaces.Space[Any]]
    action_spaces: dict[str, spaces.Discrete]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]
