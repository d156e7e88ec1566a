"""The public copy of a match: who reads what in it, and what can be verified of it."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from engine.errors import BadReplay
from engine.fault import Cause, Fault
from engine.games.game_of_death.disclosure import source_hash
from engine.games.game_of_death.events import Deployed
from engine.replays.public_copy import why_not_as_copied, write_public_copy
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import FaultAside, PublicCopy
from tests.engine.recorded import read_lines, write
from tests.engine.secretive import battle_in, make_code, read_text, secrets_in


@pytest.fixture
def battle(tmp_path: Path) -> Replay:
    return battle_in(tmp_path / "whole")


def copy_for(replay: Replay, *teams: int) -> Replay:
    path = replay.path.with_name(f"copy {teams}")
    write_public_copy(replay, path, teams)
    return Replay(path)


@pytest.mark.parametrize(
    ("teams", "message"),
    [
        ((), set()),
        ((1,), {"1, words", "1, type 0", "1, type 1", "2, type 1"}),
        ((2,), {"2, words", "2, type 0", "2, type 1"}),
        ((1, 2), {f"{team}, {kind}" for team in (1, 2) for kind in ("words", "type 0", "type 1")}),
    ],
)
def test_code_is_shown_to_its_author_and_to_whom_it_was_disclosed(
    battle: Replay, teams: tuple[int, ...], message: set[str]
) -> None:
    assert secrets_in(read_text(copy_for(battle, *teams).path)) == message


def test_source_stands_there_as_its_hash(battle: Replay) -> None:
    deployed = [one for one in copy_for(battle).entries() if isinstance(one, Deployed)]
    assert [[kind.code for kind in army.types] for army in deployed] == [
        [f"sha256:{sha256(make_code(team, number).encode()).hexdigest()}" for number in (0, 1)]
        for team in (1, 2)
    ]


def test_a_hash_stands_for_itself_and_no_source_for_none() -> None:
    assert source_hash("") == ""
    assert source_hash(source_hash("pass")) == source_hash("pass")
    assert source_hash("sha256:") != "sha256:"


def test_the_keyframes_have_hashes_too(battle: Replay) -> None:
    state = copy_for(battle).state_at(battle.last_turn)
    assert {kind.code for types in state.types for kind in types} == {
        source_hash(make_code(team, number)) for team in (1, 2) for number in (0, 1)
    }


def test_a_copy_of_a_copy_names_the_match(battle: Replay) -> None:
    first = copy_for(battle, 1, 2)
    second = copy_for(first)
    assert second.copy is not None
    assert second.copy.original == battle.fingerprint
    assert secrets_in(read_text(second.path)) == set()


def test_a_copy_has_its_own_fingerprint_and_names_that_of_the_match(battle: Replay) -> None:
    copy = copy_for(battle)
    assert copy.copy == PublicCopy(fingerprint=copy.fingerprint, original=battle.fingerprint)
    assert copy.fingerprint != battle.fingerprint
    assert battle.copy is None


def test_the_causes_of_faults_are_public(battle: Replay) -> None:
    faults = [one for one in copy_for(battle).asides if isinstance(one, FaultAside)]
    assert {(one.cause, one.detail, one.out) for one in faults} == {
        (Cause.EXCEPTION, "", Fault(Cause.EXCEPTION, ""))
    }


def test_there_is_no_copy_of_what_is_not_over(battle: Replay) -> None:
    cut = Replay(write(battle.path.with_name("cut"), read_lines(battle.path)[:-1]))
    with pytest.raises(BadReplay, match="is not over"):
        write_public_copy(cut, battle.path.with_name("copy"))


def test_the_original_and_its_copies_are_as_the_rules_make_them(battle: Replay) -> None:
    for replay in (battle, copy_for(battle), copy_for(battle, 1)):
        assert verify(replay) is None
        assert why_not_as_copied(replay) is None


def change_lines(replay: Replay, change: Callable[[str], str]) -> Replay:
    lines = [change(line.decode()).encode() for line in read_lines(replay.path)]
    return Replay(write(replay.path.with_name("changed"), lines))


def test_a_changed_event_of_a_copy_is_found(battle: Replay) -> None:
    bent = change_lines(copy_for(battle), lambda line: line.replace('["hit",2,', '["hit",1,'))
    assert verify(bent) is not None


def test_a_changed_hash_of_source_is_found(battle: Replay) -> None:
    """The rules do not look at it, so that the fingerprint has to tell."""
    copy = copy_for(battle)
    digest = re.search(r"sha256:[0-9a-f]{64}", read_text(copy.path))
    assert digest is not None
    bent = change_lines(copy, lambda line: line.replace(digest[0], source_hash("another")))
    assert verify(bent) is None
    assert why_not_as_copied(bent) == (
        f"it was changed after it was made: its fingerprint is {bent.fingerprint}, "
        f"and it says {copy.fingerprint}"
    )
