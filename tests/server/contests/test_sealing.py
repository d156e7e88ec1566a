"""What is handed in for a sealed tournament is met and read by nobody before it begins."""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import update

from runners.contests.contests import Ladder
from runners.contests.ladders import Ladders
from runners.contests.visibility import find_sealed_versions
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.ladder_tables import SourceRule, VersionState, versions
from runners.storage.store import StoredResult
from runners.storage.tables import contests
from server.bots.bots import Bots, open_bots
from server.contests.tournaments import Tournaments
from tests.server.contests.field import (
    Made,
    add_match,
    announced,
    bot_in,
    enter_all,
    keep_result,
    ladder_in,
    person_in,
    version_in,
)
from tests.server.members import Server, page_text
from tests.server.writing.authors import API, make_draft, request

HOUR = timedelta(hours=1)


def an_open_bot(database: Database, ladder: Ladder, person: str, name: str) -> Made:
    """Add a bot of Smack! that people may play against, and that plays on a ladder."""
    bot = bot_in(database, person, name, game="smack", digest=f"{name} 1")
    Bots(database).set_open(bot.id, True)
    enter_all(database, ladder, [bot])
    return bot


def hand_in(database: Database, bot: Made, number: int) -> str:
    """Add a version of a bot that passes its checks; return its id."""
    version = digest = f"{bot.name} {number}"
    checking = VersionState.CHECKING
    version_in(database, bot, version, number=number, digest=digest, state=checking)
    Bots(database).activate(version)
    return version


def seal(database: Database, ladder: Ladder) -> None:
    """Announce a sealed tournament."""
    cup = announced(ladder.id, "Spring_cup", is_sealed=True)
    Tournaments(database, RunOptions()).announce(cup)


def start(database: Database) -> None:
    database.write(update(contests).values(settled_at=now()))


def a_sealed_field(database: Database) -> Ladder:
    """Make a sealed ladder: of alpha two versions are from before the seal, of beta none."""
    ladder = ladder_in(database, "smack")
    alpha = an_open_bot(database, ladder, person_in(database, "Ann"), "alpha")
    hand_in(database, alpha, 2)
    seal(database, ladder)
    hand_in(database, alpha, 3)
    hand_in(database, alpha, 4)
    an_open_bot(database, ladder, person_in(database, "Bob"), "beta")
    gamma = an_open_bot(database, ladder_in(database, "smack"), person_in(database, "Cid"), "gamma")
    hand_in(database, gamma, 2)
    return ladder


def test_the_last_version_from_before_the_seal_is_met(database: Database) -> None:
    a_sealed_field(database)

    def met() -> list[str]:
        return sorted(bot.digest for bot in open_bots(database, "smack"))

    assert met() == ["alpha 2", "gamma 2"]
    start(database)
    assert met() == ["alpha 4", "beta 1", "gamma 2"]


def test_only_the_tournament_that_opens_the_seal_plays_what_is_under_it(
    database: Database, tmp_path: Path
) -> None:
    ladder = a_sealed_field(database)
    tournaments, soon = Tournaments(database, RunOptions(out=tmp_path)), now() + HOUR

    def field(**choices: object) -> list[str]:
        found = tournaments.candidates(ladder.id, **choices)  # type: ignore[arg-type]
        return [one.contestant.digest for one in found]

    assert field() == field(until=soon) == ["alpha 2"]
    assert field(until=soon, opens_seal=True) == ["alpha 4", "beta 1"]


@pytest.fixture
def ann_under_seal(server: Server) -> Made:
    """Return a bot of Ann with one version, under a seal, that plays on an open ladder, too."""
    database = server.storage.database
    server.member("Ann")
    sealed, other = (
        ladder_in(database, "smack", name=name, source_rule=rule)
        for name, rule in (("Sealed", SourceRule.NOBODY), ("Open", SourceRule.EVERYBODY))
    )
    seal(database, sealed)
    bot = an_open_bot(database, sealed, server.person_id("Ann"), "alpha")
    enter_all(database, other, [bot])
    return bot


def test_a_seal_hides_a_source_that_another_ladder_shows(
    server: Server, ann_under_seal: Made
) -> None:
    visitor, path = server.browser(), f"/bots/{ann_under_seal.id}"
    source = f"{path}/versions/1/source.zip"
    (other,) = (one for one in Ladders(server.storage.database).all() if one.name == "Open")

    def links() -> tuple[bool, bool]:
        page = visitor.get(f"{path}?ladder={other.id}").text
        return source in page, "Play against it" in page

    assert links() == (False, False)
    assert "the server has no copy" not in page_text(visitor.get(source))
    start(server.storage.database)
    assert links() == (True, True)
    assert "the server has no copy" in page_text(visitor.get(source))  # nor was there ever one


def test_nobody_plays_on_from_a_match_of_a_version_under_a_seal(
    server: Server, ann_under_seal: Made
) -> None:
    database = server.storage.database
    (other,) = (one for one in Ladders(database).all() if one.name == "Open")
    result = StoredResult(key="m", winner=None, reason="", turns=1, teams=(), fingerprint="m")
    add_match(database, other.id, ann_under_seal, key="m", public_id="abc")
    with database.transaction() as connection:
        keep_result(connection, "m", msgspec.json.encode(result).decode())
    bob = server.member("Bob")

    def play_on() -> str:
        answer = bob.client.post("/api/v1/matches/abc/continue", json={"step": 0, "team": 1})
        return str(answer.json()["error"])

    assert "is sealed: play on once the tournament has begun" in play_on()
    start(database)
    assert "the replay is no longer kept" in play_on()


def test_the_pages_of_handing_in_say_where_a_bot_is_seen_all_the_same(
    server: Server, ann_under_seal: Made
) -> None:
    database = server.storage.database
    sealed = database.find(find_sealed_versions(versions.c.bot == ann_under_seal.id))
    assert sealed == {ann_under_seal.version}
    organizer = server.organizer()
    draft = make_draft(organizer, game="smack")
    found = request(organizer, "GET", f"{API}/{draft['id']}/ladders")["ladders"]
    names = [one["name"] for one in found]
    assert names == ["Smack!", "Sealed (sealed until Spring cup begins)", "Open"]
    form = page_text(organizer.get("/submit"))
    assert "Sealed is sealed until Spring cup begins" in form
    assert "on other ladders that the bot has entered" in form
    version = page_text(organizer.get(f"/bots/{ann_under_seal.id}/versions/1"))
    assert "But it also plays on Open , where everybody can watch its matches" in version
