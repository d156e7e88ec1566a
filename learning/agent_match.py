"""A match as agents decide it: who is asked, what each one is shown, and what it is paid.

The environments are shells around this: one agent after the other, all at once, or one alone.
"""

import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from enum import StrEnum
from typing import TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from msgspec import Struct, convert
from numpy.typing import NDArray
from PIL import Image

from engine.catalog import find_game
from engine.game import AnyGame, Ask, State
from engine.spec import MatchSpec
from engine.stepper import AnyStepper, Stepper
from engine.streams import draw_seed, parse_seed
from learning.encoding import AnyEncoding, Choice, find_encoding
from learning.observations import Mask, ObservationForm, Shown
from visualizer.backends.pillow.draw_list import ImageDrawList
from visualizer.drawing.board import BoardPainter
from visualizer.drawing.fit import fit_board
from visualizer.drawing.rect import Rect
from visualizer.drawing.sprites import Sprites
from visualizer.scene import scene_class
from visualizer.theme import BACKGROUND

RENDER_MODES = ("human", "ansi", "rgb_array")
Picture = str | NDArray[np.uint8] | None
"""A board as a text or as an array of colors, by the render mode."""
LONGER_SIDE = 640
"""The longer side of a picture, pixels."""


class Reward(StrEnum):
    """What agents are rewarded for."""

    RESULT = "result"
    """At the end 1 for each who has won, and the same below 0 shared by the others; 0 in a draw."""
    LEAD = "lead"
    """Whenever something was decided: by how much the own score gained on the best other one, as
    far as the own team knows the scores; what it did not know is paid at the end."""


class Options(TypedDict, total=False):
    """What can be chosen of every environment; docs/library.md says what each option means."""

    settings: Mapping[str, object] | None
    """The settings that differ from the standard ones."""
    teams: int | None
    """How many there are; None: as few as the game can have."""
    designs: Sequence[object]
    """The design of each team, for the Game of Death; without any a simple army for each."""
    offers: bool
    """Whether masks allow offers to end a half, in Smack!."""
    reward: Reward | str
    observation: ObservationForm | str
    render_mode: str | None


class AgentMatch:
    """A match of a game, which can begin anew; and the spaces of its agents."""

    def __init__(
        self,
        game: str,
        *,
        settings: Mapping[str, object] | None = None,
        teams: int | None = None,
        designs: Sequence[object] = (),
        offers: bool = False,
        reward: Reward | str = Reward.RESULT,
        observation: ObservationForm | str = ObservationForm.DICTIONARY,
        render_mode: str | None = None,
    ) -> None:
        """Raises: UnknownGame, ValueError (msgspec.ValidationError among them)."""
        self.game: AnyGame = find_game(game)
        self.settings = convert(settings or {}, self.game.settings)
        self.teams = _check_teams(self.game, self.settings, teams)
        self.form = ObservationForm(observation)
        self.render_mode = _check_mode(render_mode)
        self.encoding = _make_encoding(
            self.game, self.settings, self.teams, {"designs": designs, "offers": offers}
        )
        self.agents = self.encoding.agents
        shared = self.form.make_space(self.encoding)
        # A space draws its samples from a chance of its own, so each agent has one.
        self.observation_spaces = {agent: deepcopy(shared) for agent in self.agents}
        self.action_spaces = {
            agent: spaces.Discrete(self.encoding.actions) for agent in self.agents
        }
        self._reward = Reward(reward)
        self._leads: list[float] = []
        self._stepper: AnyStepper | None = None

    @property
    def stepper(self) -> AnyStepper:
        """Return the match that is played. Raises: ResetNeeded before the first one."""
        if self._stepper is None:
            raise ResetNeeded("no match has begun; call reset() first")
        return self._stepper

    @property
    def is_over(self) -> bool:
        return self.stepper.outcome is not None

    def start(self, seed: int | None) -> None:
        """Begin a match of this seed; without one it is drawn. Raises: BadArgument."""
        spec = MatchSpec(
            game=self.game.name,
            rules_version=self.game.rules_version,
            settings=self.settings,
            limits=self.game.limits,
            bots=tuple(f"agent {team}" for team in range(1, self.teams + 1)),
            seed=draw_seed() if seed is None else parse_seed(seed),
        )
        teams = range(1, self.teams + 1)
        self._stepper = Stepper(self.game, spec, listeners=dict.fromkeys(teams, _ignore_event))
        self._stepper.start()
        self.encoding.prepare({team: self._stepper.known[team] for team in teams})
        self._give_own_orders()
        if self._reward is Reward.LEAD:
            self._leads = self._leads_now()

    def next_ask(self) -> Ask | None:
        """Return what is asked next; None once the match is over."""
        asks = self.stepper.open_asks
        return asks[0] if asks else None

    def choice(self, ask: Ask) -> Choice:
        """Return what the asked agent may do."""
        return self.encoding.choice(self.stepper.known[ask.team], ask)

    def take(self, ask: Ask, order: object) -> bool:
        """Take an order; return whether it was played, with those that had come before it."""
        was_played = self.stepper.take(ask, order)
        if was_played:
            self._give_own_orders()
        return was_played

    def mask(self, choice: Choice | None) -> Mask:
        """Return 1 for each action that may be taken; without a choice none may be."""
        mask = np.zeros(self.encoding.actions, np.int8)
        if choice is not None:
            mask[choice.legal] = 1
        return mask

    def make_observation(
        self, agent: str, ask: Ask | None, choice: Choice | None, mask: Mask
    ) -> Shown:
        """Return what an agent is shown, with the ask and the choice that it has, if any."""
        known = self.stepper.known[self.encoding.agent_team(agent)]
        return self.form.encode_observation(self.encoding.observe(known, agent, ask, choice), mask)

    def rewards(self) -> dict[str, float]:
        """Return what each agent gets for what was played since this was called before."""
        if self._reward is Reward.RESULT and not self.is_over:
            return dict.fromkeys(self.agents, 0.0)
        teams = self._lead_gains() if self._reward is Reward.LEAD else self._result_rewards()
        return {agent: teams[self.encoding.agent_team(agent) - 1] for agent in self.agents}

    def render(self) -> Picture:
        """Return the board as text (ansi) or as a picture (rgb_array), or None."""
        state = self.stepper.state
        if self.render_mode == "rgb_array":
            return render_board(self.game, self.settings, self.teams, state)
        text = self.game.text(state)
        if self.render_mode == "human":
            sys.stdout.write(f"{text}\n")
        return text if self.render_mode == "ansi" else None

    def _give_own_orders(self) -> None:
        """Answer what no agent is asked."""
        stepper = self.stepper
        for ask in stepper.open_asks:
            order = self.encoding.own_order(stepper.state, ask)
            if order is not None:
                stepper.take(ask, order)

    def _result_rewards(self) -> list[float]:
        outcome = self.stepper.outcome
        winners = () if outcome is None else outcome.winners
        if not winners:
            return [0.0] * self.teams
        lost = -len(winners) / (self.teams - len(winners))
        return [1.0 if team in winners else lost for team in range(1, self.teams + 1)]

    def _lead_gains(self) -> list[float]:
        before, self._leads = self._leads, self._leads_now()
        return [now - then for now, then in zip(self._leads, before, strict=True)]

    def _leads_now(self) -> list[float]:
        """Return by how much each team is ahead of its best opponent, as far as it knows."""
        return [self._compute_lead(team) for team in range(1, self.teams + 1)]

    def _compute_lead(self, team: int) -> float:
        stepper = self.stepper
        ended = stepper.outcome
        # Scores of the match itself would reveal what happens out of sight.
        scores = ended.scores if ended else self.game.standing(stepper.known[team]).scores
        groups = self.game.groups(self.settings)
        own = next((group for group in groups if team in group), (team,))
        opponents = (score for other, score in enumerate(scores, 1) if other not in own)
        return scores[team - 1] - max(opponents)


def _check_teams(game: AnyGame, settings: Struct, teams: int | None) -> int:
    count = game.team_counts[0] if teams is None else teams
    if count not in game.team_counts:
        counts = ", ".join(map(str, game.team_counts))
        raise ValueError(f"teams = {count}: {game.title} is for {counts} teams")
    why = game.why_not_played(settings, count)
    if why is not None:
        raise ValueError(f"teams = {count}: {why}")
    return count


def _check_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        modes = ", ".join(RENDER_MODES)
        raise ValueError(f"render_mode = {mode!r}: expected one of {modes}, or None")
    return mode


def _make_encoding(
    game: AnyGame, settings: Struct, teams: int, options: dict[str, object]
) -> AnyEncoding:
    """Return the encoding of a game; `options` are those that some games have."""
    encoding = find_encoding(game.name)
    given = {name: value for name, value in options.items() if value}
    for name in given:
        if name not in encoding.options:
            raise ValueError(f"{name}: {game.title} has none")
    return encoding(game, settings, teams, **given)


def _ignore_event(event: object) -> None:
    """Listen to nothing: what a team knows is kept by the stepper."""


def render_board(game: AnyGame, settings: Struct, teams: int, state: State) -> NDArray[np.uint8]:
    """Return the board as a picture: (height, width, 3), red, green and blue from 0 to 255."""
    scene = scene_class(game.name)(settings, teams)
    extent = scene.extent
    scale = LONGER_SIDE / max(extent.width, extent.height)
    size = round(extent.width * scale), round(extent.height * scale)
    draws = ImageDrawList(unit=1)
    board = BoardPainter(draws, scene, Sprites(game.name), fit_board(scene, Rect(0, 0, *size)))
    board.draw_backdrop()
    things = {thing_id: scene.thing(state, thing_id) for thing_id in scene.ids(state)}
    board.draw_things({name: thing for name, thing in things.items() if thing is not None})
    image = Image.new("RGB", size, BACKGROUND)
    draws.draw_on(image)
    return np.asarray(image, np.uint8)
