"""What every environment says of the match that it is a shell around, and takes as an action."""

from operator import index

import numpy as np
from gymnasium import spaces

from learning.agent_match import AgentMatch
from learning.encoding import AnyEncoding
from learning.observations import Shown


class MatchViews:
    """The properties of an environment that follow from its match."""

    match: AgentMatch

    @property
    def encoding(self) -> AnyEncoding:
        """Return how the game is put into arrays."""
        return self.match.encoding

    @property
    def planes(self) -> tuple[str, ...]:
        """Return what each plane of `observation` holds, and its unit."""
        return self.match.form.plane_names(self.encoding)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return what each of `numbers` is, and its unit; some forms have them as planes."""
        return self.encoding.numbers


class AgentSpaces(MatchViews):
    """The same, and the spaces of several agents."""

    observation_spaces: dict[str, spaces.Space[Shown]]
    action_spaces: dict[str, spaces.Discrete]

    def observation_space(self, agent: str) -> spaces.Space[Shown]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]


def whole_number(action: object) -> int:
    """Return an action as an integer: Python's, one of numpy, or an array of no dimensions.

    Raises: ValueError for anything else, such as 1.0, True or None.
    """
    if not isinstance(action, bool | np.bool_) and np.ndim(action) == 0:  # type: ignore[arg-type]
        try:
            return index(action)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise ValueError(f"{action!r:.60} is not an action; expected a whole number, such as 3")
