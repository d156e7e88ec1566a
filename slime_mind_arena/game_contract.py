"""What every game keeps to, as tests that a package with a game derives its own from."""

from functools import cached_property
from random import Random
from typing import Any, ClassVar

import msgspec

import slime_mind_arena.top_level  # noqa: F401 - as in the processes that play
from engine.catalog import describe_game, find_game
from engine.description import find_file
from engine.fault import Cause, Fault
from engine.game import Ask, Refusal
from engine.observer import Observer
from engine.settings import apply_changes, read_toml
from engine.spec import MatchSpec
from engine.stepper import Stepper
from engine.streams import Streams
from runners.configuration import preset_names, preset_path
from runners.starter_bots import starter_files
from runners.team_counts import playable_counts
from visualizer.scene import scene_class

SEEDS = range(10)
MAX_DECISIONS = 100_000
FAULTS = 0.05
"""The part of the decisions in which a team gives no usable order."""
GARBAGE: tuple[Any, ...] = (None, "x" * 10_000, [[]], {"x": -1}, 1.5, -(10**30), "\0\n")
encode = msgspec.json.encode


class Recorder(Observer):
    """A random match: how it began, and all that happened."""

    def __init__(self) -> None:
        self.first = b""
        self.events: list[Any] = []

    def on_start(self, state: Any) -> None:
        self.first = encode(state)

    def on_event(self, event: Any) -> None:
        self.events.append(event)


class GameContract:
    """Tests of a game: `class TestContract(GameContract)` with its name as `game`."""

    game: ClassVar[str]
    settings: ClassVar[dict[str, Any]] = {}
    """With which random matches are played: short ones are."""

    def answer(self, state: Any, ask: Ask, dice: Random) -> Any:
        """Return a legal answer; to be written for a game that cannot list its legal orders."""
        orders = self.rules.legal_orders(state, ask)
        assert orders, "no order is listed: legal_orders lists them, or override `answer`"
        return msgspec.to_builtins(dice.choice(orders))

    @property
    def rules(self) -> Any:
        return find_game(self.game)

    @cached_property
    def board(self) -> Any:
        return apply_changes(self.rules.settings(), self.settings, source="settings")

    def play(self, seed: int) -> tuple[Recorder, Stepper[Any, Any, Any]]:
        """Play a random match to its end."""
        dice, recorder = Random(seed), Recorder()
        teams = dice.choice(playable_counts(self.rules, self.board))
        spec = MatchSpec(
            game=self.game,
            rules_version=self.rules.rules_version,
            settings=self.board,
            limits=self.rules.limits,
            bots=tuple(f"bot {team}" for team in range(teams)),
            seed=seed,
        )
        stepper = Stepper(self.rules, spec, [recorder])
        stepper.start()
        while stepper.outcome is None:
            assert stepper.asks, "nobody is asked, and the match has no end"
            assert stepper.decided < MAX_DECISIONS, "the match does not end"
            stepper.decide([self._decide(stepper, ask, dice) for ask in stepper.open_asks])
        return recorder, stepper

    def _decide(self, stepper: Stepper[Any, Any, Any], ask: Ask, dice: Random) -> Any:
        if dice.random() < FAULTS:
            return Fault(dice.choice([*Cause]), "why")
        answer = self.answer(stepper.state, ask, dice)
        order = stepper.check(ask, answer)
        assert not isinstance(order, Refusal), f"{answer!r} is refused: {order.reason}"
        return order

    def test_its_parts_are_there(self) -> None:
        description = describe_game(self.game)
        assert self.rules.title
        assert self.rules.team_counts
        for place in (description.rules, description.how_to_play):
            assert not place or find_file(place).is_file(), place
        assert {path.stem for path in starter_files(self.game)} >= {*description.starter_bots}

    def test_its_presets_can_be_played(self) -> None:
        for name in preset_names(self.game):
            path = preset_path(self.rules, name)
            board = apply_changes(self.rules.settings(), read_toml(path), source=str(path))
            assert playable_counts(self.rules, board)

    def test_random_matches_end_with_a_score_for_each_team(self) -> None:
        for seed in SEEDS:
            _, stepper = self.play(seed)
            assert stepper.outcome is not None
            standing = self.rules.standing(stepper.state)
            assert standing.scores == stepper.outcome.scores
            assert self.rules.text(stepper.state)
            for team in range(1, len(standing.scores) + 1):
                assert self.rules.describe(stepper.state, team)

    def test_events_alone_change_the_state(self) -> None:
        """Replays are verified so, and bots and pages follow a match so."""
        for recorder, stepper in map(self.play, SEEDS):
            state = self._decode(recorder.first)
            for event in recorder.events:
                decoded = msgspec.json.decode(encode(event), type=self.rules.event)
                assert decoded == event
                state.apply(decoded)
            assert encode(state) == encode(stepper.state)
            assert encode(self._decode(encode(state))) == encode(state)

    def test_the_same_seed_and_orders_give_the_same_events(self) -> None:
        for seed in SEEDS:
            assert encode(self.play(seed)[0].events) == encode(self.play(seed)[0].events)

    def test_what_is_no_order_is_refused_with_a_reason(self) -> None:
        state = self.rules.new(self.board, playable_counts(self.rules, self.board)[0])
        for event in self.rules.start(state, Streams(0)):
            state.apply(event)
        for answer in GARBAGE:
            refused = self.rules.check(state, self.rules.asks(state)[0], answer)
            if isinstance(refused, Refusal):  # by luck, it may be an order
                assert 0 < len(refused.reason) < 300, refused.reason

    def test_its_scene_touches_whatever_an_event_changes(self) -> None:
        for recorder, stepper in map(self.play, SEEDS):
            state = self._decode(recorder.first)
            teams = len(self.rules.standing(stepper.state).scores)
            scene = scene_class(self.game)(self.board, teams)
            before = {one: scene.thing(state, one) for one in scene.ids(state)}
            for event in recorder.events:
                styles = {note.event_style for note in scene.annotations(state, event)}
                assert styles <= {*scene.event_styles}, event
                dirty = set(scene.dirty_ids(event))
                state.apply(event)
                after = {one: scene.thing(state, one) for one in scene.ids(state)}
                everything = before.keys() | after.keys()
                changed = {one for one in everything if before.get(one) != after.get(one)}
                assert changed <= dirty, f"{event} changes {changed - dirty}: not in dirty_ids"
                before = after
            things: list[Any] = [*filter(None, before.values())]
            for thing in things:
                assert len(thing.facts) == len(scene.kinds[thing.kind].facts), thing

    def test_its_starter_bots_play_without_a_fault(self, workbench: Any) -> None:
        """In the sandbox: the package is to be installed."""
        for path in starter_files(self.game):
            assert workbench.check(path, self.game).problems == (), path

    def _decode(self, content: bytes) -> Any:
        return msgspec.json.decode(content, type=self.rules.state)
