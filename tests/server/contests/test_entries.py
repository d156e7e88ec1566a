"""How bots enter contests: ladders and tournaments that are to begin take them in alike."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from runners.contests.entries import NotEntered, enter, find_bot_entries
from runners.contests.ladders import Ladders
from runners.match_request import RunOptions
from runners.storage.database import Database, Stale
from runners.storage.ladder_tables import EntryRule, EntryState, FieldRule
from server.contests.tournaments import Tournaments
from server.groups.groups import Groups
from server.identity.groups import add_member
from tests.server.contests.field import Made, announced, bot_in, ladder_in, person_in

PLAYING, WAITING = EntryState.PLAYING, EntryState.WAITING


class Contests(msgspec.Struct):
    """Contests of one kind, called Spring, and a bot."""

    kind: str
    database: Database
    folder: Path
    bot: Made

    def make(self, **terms: Any) -> str:
        """Return the id of a new contest that bots enter on these terms."""
        if self.kind == "ladder":
            return ladder_in(self.database, name="Spring", **terms).id
        ladder = ladder_in(self.database)
        one = announced(ladder.id, "Spring", **{"field": FieldRule.ENTERED, **terms})
        Tournaments(self.database, RunOptions(out=self.folder)).announce(one)
        return one.name


@pytest.fixture(params=["ladder", "tournament"])
def spring(request: pytest.FixtureRequest, database: Database, tmp_path: Path) -> Contests:
    bot = bot_in(database, person_in(database, "Ann"), "ann")
    return Contests(request.param, database, tmp_path, bot)


def test_a_bot_enters_an_open_contest_at_once_and_stays_in(spring: Contests) -> None:
    ladders, contest, bot = Ladders(spring.database), spring.make(), spring.bot.id
    assert enter(spring.database, contest, bot) is PLAYING
    entry = ladders.entry(contest, bot)
    assert enter(spring.database, contest, bot) is PLAYING
    assert ladders.entries(contest) == spring.database.find(find_bot_entries(bot)) == [entry]


def test_a_bot_waits_where_the_organizer_lets_bots_in(spring: Contests) -> None:
    ladders, bot = Ladders(spring.database), spring.bot.id
    contest = spring.make(entry_rule=EntryRule.APPROVED)
    assert enter(spring.database, contest, bot) is WAITING
    ladders.set_state(contest, bot, PLAYING, was=[WAITING])
    assert enter(spring.database, contest, bot) is PLAYING
    with pytest.raises(Stale):
        ladders.set_state(contest, bot, PLAYING, was=[WAITING])


def test_a_bot_that_was_withdrawn_may_enter_again_and_one_disqualified_may_not(
    spring: Contests,
) -> None:
    ladders, contest, bot = Ladders(spring.database), spring.make(), spring.bot.id
    enter(spring.database, contest, bot)
    ladders.set_state(contest, bot, EntryState.WITHDRAWN, was=[PLAYING])
    assert enter(spring.database, contest, bot) is PLAYING
    ladders.set_state(contest, bot, EntryState.DISQUALIFIED, "copied", was=[PLAYING])
    with pytest.raises(NotEntered, match="this bot was disqualified from Spring"):
        enter(spring.database, contest, bot)


def test_no_bot_enters_what_is_of_another_game_or_not_there(spring: Contests) -> None:
    contest = spring.make()
    boxer = bot_in(spring.database, spring.bot.person, "boxer", game="smack")
    why = f"Spring is a {spring.kind} of Slime Mind, and this bot plays Smack!"
    for missing, bot, words in [
        (contest, boxer.id, why),
        (contest, "none", "there is no such bot"),
        ("none", boxer.id, "there is no such contest"),
    ]:
        with pytest.raises(NotEntered, match=words):
            enter(spring.database, missing, bot)


def test_a_contest_for_a_group_takes_in_bots_of_its_members_alone(spring: Contests) -> None:
    group, _ = Groups(spring.database).make("Class 10b", "")
    contest = spring.make(only_group=group)
    with pytest.raises(NotEntered, match="Spring is for the members of the group Class 10b alone"):
        enter(spring.database, contest, spring.bot.id)
    with spring.database.transaction() as connection:
        add_member(connection, group, spring.bot.person)
    assert enter(spring.database, contest, spring.bot.id) is PLAYING


@pytest.mark.parametrize("spring", ["tournament"], indirect=True)
def test_nobody_enters_a_tournament_of_all_bots(spring: Contests) -> None:
    contest = spring.make(field=FieldRule.EVERYBODY)
    with pytest.raises(NotEntered, match="every bot of the ladder plays in Spring"):
        enter(spring.database, contest, spring.bot.id)
