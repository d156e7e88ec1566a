"""What every environment says of the match that it is a shell around, and takes as an action."""

from operator import index
from typing import Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from learning.agent_match import AgentMatch, Options, Picture
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

    def render(self) -> Picture:
        """Return the board as text (ansi) or as a picture (rgb_array); print it (human)."""
        return self.match.render()

    def check_that_a_match_runs(self) -> None:
        """Raises: ResetNeeded."""
        if self.match.is_over:
            raise ResetNeeded("the match is over; call reset() for the next one")


class AgentSpaces(MatchViews):
    """The same of several agents, and their spaces."""

    metadata: dict[str, object]

    def __init__(self, game: str, **options: Unpack[Options]) -> None:
        """Make the environment of a game, by default with its standard settings and fewest teams.

        Raises: UnknownGame, ValueError (msgspec.ValidationError among them).
        """
        self.match = AgentMatch(game, **options)
        self.render_mode = self.match.render_mode
        self.metadata = {**self.metadata, "name": f"{game}_v0"}
        self.possible_agents = self.match.agents
        self.agents: list[str] = []
        self.observation_spaces = self.match.observation_spaces
        self.action_spaces = self.match.action_spaces

    def close(self) -> None:
        """There is nothing to close."""

    def observation_space(self, agent: str) -> spaces.Space[Shown]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]


def require_legal(agent: str, number: int, *, is_legal: bool) -> int:
    """Return the number of an action. Raises: ValueError if it is not legal."""
    if not is_legal:
        raise ValueError(
            f"{number} is not a legal action of {agent} now; expected one that its "
            "action_mask allows"
        )
    return number


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
