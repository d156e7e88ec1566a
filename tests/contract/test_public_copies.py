"""What is published of a match of any game: nothing of what bots and authors keep to themselves."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask
from engine.replays.public_copy import write_public_copy
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import PublicCopy
from tests.contract.playing import counts_for, few, seeds
from tests.contract.samples import Sample
from tests.engine.seats import Answer
from tests.engine.secretive import MARKER, read_text, record_match, with_code


@few
@given(data=st.data(), seed=seeds)
def test_no_secret_of_a_bot_is_in_the_public_copy(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    board = data.draw(sample.settings)
    answers = [_answers(sample, Random(f"{seed}/{team}"), team) for team in _teams(game, board)]
    with TemporaryDirectory() as folder:
        whole = record_match(game, board, answers, Path(folder) / "whole")
        write_public_copy(whole, Path(folder) / "copy")
        copy = Replay(Path(folder) / "copy")
        assert MARKER in read_text(whole.path)
        assert MARKER not in read_text(copy.path)
    assert verify(whole) is None
    assert verify(copy) is None
    assert copy.copy == PublicCopy(fingerprint=copy.fingerprint, original=whole.fingerprint)
    assert (copy.outcome, copy.spec, copy.bots) == (whole.outcome, whole.spec, whole.bots)
    if not game.has_designs:  # there is no source in its orders, so that nothing is left out
        assert list(copy.record()) == list(whole.record())
        assert copy.fingerprint == whole.fingerprint


def _teams(game: AnyGame, board: Any) -> range:
    return range(1, counts_for(game, board)[0] + 1)


def _answers(sample: Sample, dice: Random, team: int) -> Answer:
    def answer(ask: Ask, known: Any) -> Any:
        if dice.random() < 0.05:
            return Fault(Cause.EXCEPTION, f"{MARKER} {team}, words")
        return with_code(sample.answer(known, ask, dice), team)

    return answer
