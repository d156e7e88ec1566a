"""Bots that were handed in: their versions and checks, as they are kept."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import update

from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import CheckState, VersionState, versions
from server.bots.bots import (
    MAX_BOTS_PER_GAME,
    MAX_BYTES_PER_DAY,
    Bots,
    Identical,
    NewVersion,
    NotAccepted,
    TooManyVersions,
    Version,
    default_name,
    validate_bot_name,
)
from server.identity.names import BadName
from server.identity.people import Kind, People

ACTIVE = VersionState.ACTIVE
FORMER = VersionState.FORMER
CHECKING = VersionState.CHECKING
REFUSED = VersionState.REFUSED
QUARANTINED = VersionState.QUARANTINED


@pytest.fixture
def bots(database: Database) -> Bots:
    return Bots(database)


@pytest.fixture
def ann(database: Database) -> str:
    return a_person(database, "Ann")


def a_person(database: Database, name: str) -> str:
    people = People(database)
    return people.join(people.new_link(Kind.PERSON, made_by=None), name, None).id


def hand_in(bots: Bots, person: str, digest: str, name: str = "Muncher", most: int = 5) -> Version:
    return bots.new_version(a_version(person, digest, name, most_per_day=most))


def a_version(
    person: str, digest: str, name: str = "Muncher", *, size: int = 100, most_per_day: int = 9
) -> NewVersion:
    return NewVersion(
        person_id=person,
        game="slime_mind",
        name=name,
        digest=digest,
        size=size,
        most_per_day=most_per_day,
        ladder=None,
    )


def states(bots: Bots, bot_id: str) -> list[tuple[int, VersionState]]:
    return [(version.number, version.state) for version in bots.find_versions(bot_id)]


def test_the_first_version_makes_the_bot_and_the_next_one_follows_it(bots: Bots, ann: str) -> None:
    first, second = hand_in(bots, ann, "a"), hand_in(bots, ann, "b", name="MUNCHER")
    bot = bots.bot(first.bot_id)
    assert bot is not None
    assert (bot.name, bot.person_id, bot.game) == ("Muncher", ann, "slime_mind")
    assert bots.find_bot_by_name("slime_mind", "muncher") == bot
    assert [one for one, _ in bots.find_bots_and_versions(ann)] == [bot]
    assert states(bots, bot.id) == [(2, CHECKING), (1, CHECKING)]
    assert bots.find_version(bot.id, 2) == second


def test_one_version_is_active_and_a_former_one_can_be_again(bots: Bots, ann: str) -> None:
    first = hand_in(bots, ann, "a")
    bots.activate(first.id, first_match="k1")
    second = hand_in(bots, ann, "b")
    assert states(bots, first.bot_id) == [(2, CHECKING), (1, ACTIVE)]
    bots.activate(second.id)
    assert states(bots, first.bot_id) == [(2, ACTIVE), (1, FORMER)]
    bots.activate_again(first.id)
    assert states(bots, first.bot_id) == [(2, FORMER), (1, ACTIVE)]
    active = bots.active_version(first.bot_id)
    assert active is not None
    assert active.first_match == "k1"


def test_a_version_is_decided_of_once(bots: Bots, ann: str) -> None:
    version = hand_in(bots, ann, "a")
    bots.refuse(version.id, "line 3: no")
    decisions: list[Callable[[], None]] = [
        lambda: bots.refuse(version.id, "twice"),
        lambda: bots.activate(version.id),
        lambda: bots.activate_again(version.id),
        lambda: bots.quarantine(version.id, "it breaks"),
        lambda: bots.restart_checks(version.id),
        lambda: bots.note_check(version.id, 1, "size", CheckState.PASSED),
    ]
    for decide in decisions:
        with pytest.raises(Stale):
            decide()
    found = bots.version(version.id)
    assert found is not None
    assert (found.state, found.why) == (REFUSED, "line 3: no")


def test_a_version_in_quarantine_gives_way_to_the_next_one(bots: Bots, ann: str) -> None:
    first = hand_in(bots, ann, "a")
    bots.activate(first.id)
    bots.quarantine(first.id, "it broke in 5 matches")
    assert bots.active_version(first.bot_id) is None
    bots.activate(hand_in(bots, ann, "b").id)
    assert states(bots, first.bot_id) == [(2, ACTIVE), (1, FORMER)]


def test_identical_files_make_no_version_unless_they_were_refused(bots: Bots, ann: str) -> None:
    first = hand_in(bots, ann, "a")
    with pytest.raises(Identical, match="version 1, which is checking"):
        hand_in(bots, ann, "a")
    bots.refuse(first.id, "no")
    assert hand_in(bots, ann, "a").number == 2
    assert hand_in(bots, ann, "a", name="Another").number == 1


def test_a_name_belongs_to_one_person_in_a_game(bots: Bots, database: Database, ann: str) -> None:
    hand_in(bots, ann, "a")
    bob = a_person(database, "Bob")
    with pytest.raises(NotAccepted, match="somebody else's bot is called Muncher"):
        hand_in(bots, bob, "b", name="munCher")
    assert bots.find_bots_and_versions(bob) == []


def test_versions_are_limited_by_the_day(bots: Bots, database: Database, ann: str) -> None:
    version = hand_in(bots, ann, "a", most=2)
    hand_in(bots, ann, "b", most=2)
    with pytest.raises(TooManyVersions, match="2 versions within 24 hours"):
        hand_in(bots, ann, "c", most=2)
    before = now() - timedelta(days=1, seconds=1)
    own = versions.c.id == version.id
    database.write(update(versions).where(own).values(handed_in_at=before))
    assert hand_in(bots, ann, "c", most=2).number == 3


def test_what_somebody_hands_in_within_a_day_has_a_size(bots: Bots, ann: str) -> None:
    half = MAX_BYTES_PER_DAY // 2
    bots.new_version(a_version(ann, "aa", "aa", size=half))
    bots.new_version(a_version(ann, "bb", "bb", size=half))
    for hand_in_more in (bots.require_acceptable, bots.new_version):
        with pytest.raises(TooManyVersions, match="more than 256 MB with this one"):
            hand_in_more(a_version(ann, "cc", "cc", size=half))
    assert bots.find_bot_by_name("slime_mind", "cc") is None


def test_bots_are_limited(bots: Bots, ann: str) -> None:
    for number in range(MAX_BOTS_PER_GAME):
        hand_in(bots, ann, "a", name=f"bot {number}")
    with pytest.raises(NotAccepted, match=f"you have {MAX_BOTS_PER_GAME} bots"):
        hand_in(bots, ann, "a", name="one more")


def test_the_steps_of_the_checks_are_kept_in_order(bots: Bots, ann: str) -> None:
    version = hand_in(bots, ann, "a")
    bots.note_check(version.id, 1, "size", CheckState.PASSED, "1 file")
    bots.note_check(version.id, 2, "syntax", CheckState.RUNNING)
    bots.note_check(version.id, 2, "syntax", CheckState.FAILED, "line 3")
    assert [(one.name, one.state, one.words) for one in bots.find_checks(version.id)] == [
        ("size", CheckState.PASSED, "1 file"),
        ("syntax", CheckState.FAILED, "line 3"),
    ]
    bots.restart_checks(version.id)
    assert bots.find_checks(version.id) == []


def test_versions_to_check_come_in_the_order_in_which_they_were_handed_in(
    bots: Bots, ann: str
) -> None:
    first, second = hand_in(bots, ann, "a"), hand_in(bots, ann, "b", name="Another")
    third = hand_in(bots, ann, "c")
    bots.activate(second.id)
    assert [one.id for one in bots.versions_to_check()] == [first.id, third.id]


def test_bots_of_who_leaves_play_no_more(bots: Bots, ann: str) -> None:
    version = hand_in(bots, ann, "a")
    bots.set_open(version.bot_id, True)
    bots.activate(version.id)
    hand_in(bots, ann, "b")
    bots.forget(ann)
    assert states(bots, version.bot_id) == [(2, FORMER), (1, FORMER)]
    bot = bots.bot(version.bot_id)
    assert bot is not None
    assert not bot.is_open


@pytest.mark.parametrize("name", ["a/b", "..\\x", "a:b", "x", "a" * 25, "\u202eabc", "--"])
def test_a_name_that_a_file_could_not_have_is_refused(name: str) -> None:
    with pytest.raises(BadName):
        validate_bot_name(name)


def test_a_name_keeps_letters_of_all_scripts() -> None:
    assert validate_bot_name("  Süßer  Schleim_2.0 ") == "Süßer Schleim_2.0"


@pytest.mark.parametrize(
    ("file", "author", "name"),
    [
        ("mine", "", "mine"),
        ("mine", "Ann", "mine Ann"),
        ("mine", "<Zoë> 2", "mine Zoë 2"),
        ("a_bot_of_a_long_name_indeed", "", "a_bot_of_a_long_name_ind"),
        ("a_bot_of_a_long_name_indeed", "Ann", "a_bot_of_a_long_name Ann"),
        ("mine", "a" * 24, "a" * 24),
        ("x", "", "bot x"),
        ("(!)", "", "bot"),
    ],
)
def test_a_name_that_nobody_typed_is_one_that_can_be_had(file: str, author: str, name: str) -> None:
    assert default_name(file, author) == name
    assert validate_bot_name(name) == name
