"""Ladders in the database, and who may enter them."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.catalog import GAMES
from runners.contests.contests import Ladder
from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import EntryState, SourceRule
from server.bots.built_in_bots import BuiltInBots
from server.contests.ladder_tables import ladder_state
from tests.server.contests.field import bot_in, ladder_in, person_in

HOUR = timedelta(hours=1)


def test_a_new_server_has_one_ladder_for_each_game_and_no_second_one(database: Database) -> None:
    ladders = Ladders(database)
    ladders.ensure_usual()
    ladders.ensure_usual()
    assert [ladder.spec.game for ladder in ladders.all()] == list(GAMES)
    assert [ladder.name for ladder in ladders.all() if ladder.is_running(now())] == [
        game.title for game in GAMES.values()
    ]
    assert not any(ladder.is_season for ladder in ladders.all())


def test_a_ladder_whose_game_is_not_installed_is_left_out_and_nothing_is_lost(
    database: Database,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    saved, gone = ladder_in(database, "smack", name="kept"), ladder_in(database, name="gone")
    spec = replace(gone.spec, game="connect_four", publisher="connect-four 1.0")
    Ladders(database).change(replace(gone, spec=spec))
    assert [one.id for one in Ladders(database).all()] == [saved.id]
    assert Ladders(database).all() == [saved]
    person = person_in(database, "of ours")
    made = bot_in(database, person, "gone", game="connect_four")
    monkeypatch.setattr("server.bots.built_in_bots.BUILT_IN_OWNER", made.person)
    BuiltInBots(database, tmp_path).start()
    assert caplog.text.count("connect_four is that of connect-four 1.0, and installed is none") == 1
    Ladders(database).change(gone)
    assert [one.id for one in Ladders(database).all()] == [saved.id, gone.id]


def test_an_organizers_ladder_takes_the_place_of_the_usual_ones(database: Database) -> None:
    ladder = ladder_in(database, "smack")
    Ladders(database).ensure_usual()
    assert [one.id for one in Ladders(database).all()] == [ladder.id]


def test_a_ladder_is_read_as_it_was_written(database: Database) -> None:
    at = now()
    ladder = ladder_in(database, freezes_at=at + HOUR, ends_at=at + 2 * HOUR)
    ladders = Ladders(database)
    assert ladders.ladder(ladder.id) == ladder
    ladders.change(replace(ladder, is_paused=True, name="another name"))
    assert ladders.ladder(ladder.id) == replace(ladder, is_paused=True, name="another name")


def of_rules(database: Database, version: int, **changes: Any) -> Ladder:
    """A ladder that was made when the rules had this version."""
    ladder = ladder_in(database, name="Spring", **changes)
    older = replace(ladder, spec=replace(ladder.spec, rules_version=version))
    Ladders(database).change(older)
    return older


def test_a_ladder_of_older_rules_ends_and_a_new_one_begins_with_its_bots(
    database: Database,
) -> None:
    ladders, hour_ago = Ladders(database), now() - HOUR
    old = of_rules(database, 1, begins_at=hour_ago, source_rule=SourceRule.EVERYBODY_AFTER_END)
    person = person_in(database, "ada")
    states = (EntryState.PLAYING, EntryState.WITHDRAWN)
    for name, state in zip(("one", "two"), states, strict=True):
        bot = bot_in(database, person, name, game=old.spec.game)
        enter(database, old.id, bot.id)
        if state is not EntryState.PLAYING:
            ladders.set_state(old.id, bot.id, state, was=(EntryState.PLAYING,))
    assert [one for one in ladders.all() if one.is_running(now())] == []
    [(ended, new)] = ladders.replace_those_of_old_rules()
    assert ladders.ladder(old.id) == ended
    assert (ended.name, ended.is_over(now()), ended.spec) == ("Spring (rules 1)", True, old.spec)
    assert ended.source_rule is SourceRule.NOBODY  # those bots play on
    assert (new.name, new.source_rule) == ("Spring", SourceRule.EVERYBODY_AFTER_END)
    assert new.spec == replace(old.spec, rules_version=old.game.rules_version)
    assert new.begins_at > hour_ago
    assert [one for one in ladders.all() if one.is_running(now())] == [new]
    assert [entry.state for entry in ladders.entries(new.id)] == list(states)
    assert [one.bot for one in ladders.entries(new.id)] == [
        one.bot for one in ladders.entries(old.id)
    ]
    assert ladders.replace_those_of_old_rules() == []


def test_a_ladder_of_older_rules_that_is_over_stays_as_it_is(database: Database) -> None:
    old = of_rules(database, 1, begins_at=now() - 2 * HOUR, ends_at=now() - HOUR)
    ladders = Ladders(database)
    assert ladders.replace_those_of_old_rules() == []
    assert ladders.all() == [old]


def test_the_name_of_a_ladder_of_older_rules_may_be_taken(database: Database) -> None:
    old = of_rules(database, 1)
    ladder_in(database, name="Spring (rules 1)")
    [(ended, _)] = Ladders(database).replace_those_of_old_rules()
    assert ended.name == f"Spring (rules 1) {old.id[:6]}"


def test_a_ladder_of_newer_rules_waits_for_a_server_that_has_them(database: Database) -> None:
    newer = of_rules(database, 99)
    ladders = Ladders(database)
    assert ladders.replace_those_of_old_rules() == []
    assert (ladders.all(), [one for one in ladders.all() if one.is_running(now())]) == ([newer], [])
    assert ladder_state(newer, now()) == "of other rules (version 99)"


def test_no_two_ladders_have_one_name(database: Database) -> None:
    ladder_in(database, name="Spring")
    with pytest.raises(Stale):
        ladder_in(database, name="SPRING")


@pytest.mark.parametrize(
    ("changes", "runs"),
    [
        ({}, True),
        ({"is_paused": True}, False),
        ({"begins_at": now() + HOUR}, False),
        ({"ends_at": now() - HOUR, "concluded_at": now()}, False),
        ({"ends_at": now() - HOUR}, True),
        ({"ends_at": now() + HOUR}, True),
        ({"freezes_at": now() - HOUR, "ends_at": now() + HOUR}, True),
    ],
)
def test_a_ladder_runs_from_its_begin_to_its_end_unless_it_is_paused(
    database: Database, changes: dict[str, Any], runs: bool
) -> None:
    ladder = ladder_in(database, **changes)
    assert ladder.is_running(now()) is runs


def test_a_table_is_frozen_until_the_final_was_played(database: Database) -> None:
    at = now()
    ladder = ladder_in(database, freezes_at=at + HOUR, ends_at=at + 3 * HOUR)
    assert [ladder.is_frozen(at + hours * HOUR) for hours in range(4)] == [False, True, True, True]
    over = replace(ladder, concluded_at=at + 3 * HOUR)
    assert not over.is_frozen(at + 3 * HOUR)
