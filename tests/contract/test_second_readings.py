"""Whatever the settings, what reads the rules besides the engine says the same as the engine.

That is `simulate`, `ask`, the environments, and the boards of people. The arrays of Slime Mind are
compared in tests/learning/test_slime_mind.py, over the same settings.
"""

import ast
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.fault import Fault
from engine.game import AnyGame, Ask
from engine.games.slime_mind.events import Bitten, Moved, Nothing
from engine.games.slime_mind.settings import Settings as SlimeMindSettings
from engine.games.smac.events import Skipped
from engine.games.smack.events import Moved as SmackMoved
from engine.games.smack.squares import SQUARE_OF
from engine.match import play_match
from engine.replays.reading import Replay
from engine.replays.recorded_asks import RecordedAsks
from engine.replays.writing import Contestant
from engine.replays.writing import Recorder as ReplayRecorder
from engine.simulation import Simulator
from engine.stepper import Stepper
from engine.streams import Streams
from learning.match_env import MatchEnv
from server.games.boards import slime_mind as slime_mind_board
from server.games.boards import smack as smack_board
from tests.contract.playing import a_spec, by_the_rules, counts_for, seeds
from tests.contract.samples import SAMPLES, Sample, an_army
from tests.engine.seats import Recorder, ScriptedSeat
from tests.examples import examples

HOME = Path(__file__).parents[2]
CHECKED = 0.1
"""The share of asks of which all orders are looked at; looking at all of them takes too long."""
WHO_SIMULATES = ("slime_mind", "smack", "smac")
thorough = settings(
    max_examples=examples(200, usual=4), suppress_health_check=[HealthCheck.too_slow]
)


def encode(value: Any) -> bytes:
    return msgspec.json.encode(value)


def test_the_settings_that_are_compared_differ_in_every_field(
    game: AnyGame, sample: Sample
) -> None:
    drawn: dict[str, set[Any]] = {field: set() for field in game.settings.__struct_fields__}

    @settings(max_examples=60, database=None, derandomize=True, phases=[Phase.generate])
    @given(sample.settings)
    def draw(board: Any) -> None:
        for field, values in drawn.items():
            values.add(getattr(board, field))

    draw()
    assert [field for field, values in drawn.items() if len(values) < 2] == []


def test_the_arrays_of_slime_mind_know_every_setting_but_that_of_a_picture() -> None:
    tree = ast.parse((HOME / "learning/slime_mind/layout.py").read_text(encoding="utf-8"))
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "settings"
    }
    assert set(SlimeMindSettings.__struct_fields__) - read == {"king_level"}


@thorough
@given(data=st.data(), seed=seeds)
@pytest.mark.parametrize("name", WHO_SIMULATES)
def test_a_simulation_says_of_any_orders_what_the_match_says(
    name: str, data: st.DataObject, seed: int
) -> None:
    game, sample, dice, record = GAMES[name], SAMPLES[name], Random(seed), Recorder()
    board = data.draw(sample.settings)
    match: Stepper[Any, Any, Any] = Stepper(
        game, a_spec(game, board, seed, dice.choice(counts_for(game, board))), (record,)
    )
    match.start()
    for chance in count():
        if match.outcome is not None:
            break
        match._streams = Streams(chance)  # a simulation has the chance of its seed
        simulation = Simulator(game, match.state, 1)(chance)
        asks = list(match.asks)
        answers = [sample.answer(match.state, ask, dice) for ask in asks]
        before = len(record.events)
        for ask, answer in zip(asks, answers, strict=True):
            if ask in match.asks:  # the match may end before
                match.take(ask, match.check(ask, answer))
        assert simulation.play(*answers) == record.events[before:]
        assert simulation.outcome == match.outcome
    assert encode(simulation.state) == encode(match.state)


@thorough
@given(data=st.data(), seed=seeds)
def test_a_bot_that_is_asked_about_a_recorded_match_knows_what_it_knew_in_it(
    game: AnyGame,
    sample: Sample,
    data: st.DataObject,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    def answer(ask: Ask, known: Any) -> Any:
        return sample.answer(known, ask, Random(encode(known) + encode(ask)))

    board = data.draw(sample.settings)
    teams = Random(seed).choice(counts_for(game, board))
    spec, path = a_spec(game, board, seed, teams), tmp_path_factory.mktemp("asked") / "replay.gz"
    record, bots = Recorder(), [Contestant(name=bot, digest=bot) for bot in spec.bots]
    recorder = ReplayRecorder(game, spec, bots, path)
    try:
        play_match(game, spec, [ScriptedSeat(answer) for _ in bots], [recorder, record])
    finally:
        recorder.close()
    for team in range(1, teams + 1):
        asked = [(ask, order) for ask, order in record.orders if ask.team == team]
        replay = Replay(path)
        asks = RecordedAsks(replay, ScriptedSeat(answer), team)
        answers = list(asks.read_answers(range(replay.last_turn + 1)))
        assert [(each.ask, each.recorded) for each in answers] == asked
        assert all(each.is_same for each in answers)
        for each in answers:
            if each.legal and not isinstance(each.recorded, Fault):
                assert sample.listed(each.recorded) in each.legal


def options_for(game: AnyGame, board: Any, teams: int, dice: Random) -> dict[str, Any]:
    if game.name == "game_of_death":
        return {"designs": [an_army(board, dice, teams) for _ in range(teams)]}
    return {"offers": True} if game.name == "smack" else {}


def actions(env: MatchEnv, dice: Random) -> Iterator[tuple[Ask, int]]:
    """Take random legal actions to the end of a match; yield each ask, and its first action."""
    while env.match.next_ask() is not None:
        legal = env.legal_actions.tolist()
        # The first action of a list of clicks submits it.
        is_over = env.encoding.is_simultaneous and dice.random() < 0.2
        action = legal[0] if is_over else dice.choice(legal)
        ask = env.match.next_ask()
        assert ask is not None
        yield ask, action
        env.step(action)


@thorough
@given(data=st.data(), seed=seeds)
def test_an_environment_offers_what_the_rules_allow_and_plays_what_they_say(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    dice, record, board = Random(seed), Recorder(), data.draw(sample.settings)
    teams = dice.choice(counts_for(game, board))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("learning.agent_match.Stepper", partial(Stepper, observers=(record,)))
        env = MatchEnv(
            game.name,
            settings=msgspec.to_builtins(board),
            teams=teams,
            **options_for(game, board, teams, dice),
        )
        env.reset(seed=seed)
    lines: list[Any] = []
    for ask, action in actions(env, dice):
        listed = game.legal_orders(env.match.stepper.state, ask)
        if listed is None:
            require_refusal_of_others(game, env, ask, lines, dice)
            submitted = action == 0
            lines = [] if submitted else [*lines, env.encoding.lines[action]]  # type: ignore[attr-defined]
        elif dice.random() < CHECKED:
            choice = env.match.choice(ask)
            offered = {encode(choice.take(number)) for number in env.legal_actions.tolist()}
            assert offered == {encode(order) for order in listed}
    assert not [order for _, order in record.orders if isinstance(order, Fault)]
    skipped = [skip for each in record.events if type(each) is Skipped for skip in each.skips]
    assert [skip for skip in skipped if skip.order.startswith(("place", "evolve"))] == []
    assert encode(record.events) == encode(by_the_rules(game, board, teams, seed, record.orders))


def require_refusal_of_others(
    game: AnyGame, env: MatchEnv, ask: Ask, lines: Sequence[Any], dice: Random
) -> None:
    """Check that an action which is not legal would be refused, or change nothing."""
    if dice.random() > CHECKED:
        return
    known, choice = env.match.stepper.known[ask.team], env.match.choice(ask)
    for line in lines:
        choice.take(env.encoding.lines.index(line))  # type: ignore[attr-defined]
    others = set(range(1, env.encoding.actions)) - set(choice.legal)
    for action in dice.sample(sorted(others), 5):
        line = env.encoding.lines[action]  # type: ignore[attr-defined]
        is_once = line[0] in ("bid", "select", "use") and line[0] in {one[0] for one in lines}
        draft = game.draft(known, ask, [*lines, line])
        assert draft is not None
        assert draft.refused or is_once or line in lines


@thorough
@given(board=SAMPLES["slime_mind"].settings, seed=seeds)
def test_a_click_beside_a_slime_does_what_its_board_says(board: Any, seed: int) -> None:
    for game, state, ask, dice in play_until_each_ask("slime_mind", board, seed):
        shown = next(
            slime
            for slime in slime_mind_board.view(state, None, {ask.team}, ()).slimes
            if slime.id == ask.piece_id
        )
        command = dice.choice(game.legal_orders(state, ask) or ())
        first = Simulator(game, state, ask.team)(seed).play(str(command))[0]
        assert isinstance(first, Nothing) == (command in shown.no_effect)
        for square, clicked in shown.sides.items():
            found = Simulator(game, state, ask.team)(seed).play(str(clicked))[0]
            x, y = map(int, square.split(", "))
            if isinstance(found, Moved):
                assert (found.x, found.y) == (x, y)
            else:
                assert isinstance(found, Bitten)
                assert found.target == state.at[x, y].id


@thorough
@given(board=SAMPLES["smack"].settings, seed=seeds)
def test_a_board_of_smack_offers_the_legal_moves_and_says_what_they_capture(
    board: Any, seed: int
) -> None:
    for game, state, ask, dice in play_until_each_ask("smack", board, seed):
        if dice.random() > CHECKED:
            continue
        half = smack_board.view(state, None, {ask.team}, ((), ())).halves[ask.piece_id - 1]
        captured = {
            f"{source}-{target}": squares
            for source, targets in half.moves.items()
            for target, squares in targets.items()
        }
        legal = {order.move for order in game.legal_orders(state, ask) or ()}
        assert captured.keys() == legal
        move, simulation = dice.choice(sorted(legal)), Simulator(game, state, ask.team)(seed)
        events = simulation.play(*(move if each == ask else None for each in simulation.asks))
        made = next(
            each for each in events if type(each) is SmackMoved and each.half == ask.piece_id
        )
        assert [SQUARE_OF[name] for name in captured[move]] == [*made.captured]


def play_until_each_ask(
    name: str, board: Any, seed: int
) -> Iterator[tuple[AnyGame, Any, Ask, Random]]:
    """Play a random match; yield before each decision."""
    game, sample, dice = GAMES[name], SAMPLES[name], Random(seed)
    match: Stepper[Any, Any, Any] = Stepper(game, a_spec(game, board, seed, 2))
    match.start()
    while match.outcome is None:
        for ask in list(match.asks):
            if ask in match.asks:
                yield game, match.state, ask, dice
                match.take(ask, match.check(ask, sample.answer(match.state, ask, dice)))
