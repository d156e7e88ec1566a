"""What a person is offered: the orders that can be listed, or a draft of those that cannot."""

from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import AnyGame, Ask, Draft, RefusedLine
from tests.contract.playing import Match, counts_for, garbage, seeds
from tests.contract.samples import Sample

LOOKED_AT = 0.15
"""The share of asks whose orders are all checked; checking all of them takes too long."""
fewer = settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def play(game: AnyGame, board: Any, seed: int, answer: Any) -> Match:
    teams = Random(seed).choice(counts_for(game, board))
    return Match(game, board, seed, *[answer] * teams)


@fewer
@given(data=st.data(), seed=seeds)
def test_every_listed_order_is_legal_and_listed_once(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    dice = Random(seed)

    def answer(ask: Ask, known: Any) -> Any:
        listed = game.legal_orders(known, ask)
        if listed is not None and dice.random() < LOOKED_AT:
            assert listed
            assert [game.check(known, ask, as_json(order)) for order in listed] == list(listed)
            assert len({msgspec.json.encode(order) for order in listed}) == len(listed)
        return sample.answer(known, ask, dice)

    play(game, data.draw(sample.settings), seed, answer)


@fewer
@given(data=st.data(), seed=seeds)
def test_what_is_ordered_is_listed(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    dice = Random(seed)

    def answer(ask: Ask, known: Any) -> Any:
        answer = sample.answer(known, ask, dice)
        listed = game.legal_orders(known, ask)
        if listed is not None:
            assert sample.listed(game.check(known, ask, as_json(answer))) in listed
        return answer

    play(game, data.draw(sample.settings), seed, answer)


@fewer
@given(data=st.data(), seed=seeds, lines=garbage | st.lists(garbage, max_size=8))
def test_a_draft_of_whatever_lines_is_a_legal_answer(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, lines: Any
) -> None:
    dice = Random(seed)

    def answer(ask: Ask, known: Any) -> Any:
        drafts = game.draft(known, ask, lines), game.draft(known, ask, [])
        assert drafts[0] is None or game.legal_orders(known, ask) is None
        for draft in drafts:
            if draft is not None:
                order = game.check(known, ask, as_json(draft.answer))
                assert isinstance(order, game.order)
                assert game.find_refusals(order) is None
        return sample.answer(known, ask, dice)

    play(game, data.draw(sample.settings), seed, answer)


def test_a_draft_is_encoded_with_what_the_game_shows() -> None:
    class Shown(msgspec.Struct):
        stones: int

    draft = Draft(3, (RefusedLine(1, "there are 3 stones"),), Shown(0))
    assert as_json(draft) == {
        "answer": 3,
        "refused": [[1, "there are 3 stones"]],
        "shows": {"stones": 0},
    }
