"""People play against ladder bots whose authors let them."""

import json
from datetime import timedelta

import msgspec
from sqlalchemy import insert

from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.storage.database import Database, now
from runners.storage.ladder_tables import EntryState, VersionState, ratings
from server.bots.bots import Bots, open_bots
from server.identity.people import People
from tests.server.contests.field import Made, bot_in, ladder_in, person_in, version_in
from tests.server.members import Server, page_text

PLAYING = EntryState.PLAYING


BEGUN = now()
"""Ratings of a ladder are those of a time, of all who are rated."""


def add_ratings(database: Database, bot: Made, ladder: str, *elos: float) -> None:
    for hours, elo in enumerate(elos):
        database.write(
            insert(ratings).values(
                ladder=ladder,
                version=bot.version,
                at=BEGUN + timedelta(hours=hours),
                games=10 * (hours + 1),
                elo=elo,
                low=elo - 50,
                high=elo + 50,
            )
        )


def an_open_bot(database: Database, author: str, name: str, digest: str) -> Made:
    bot = bot_in(database, person_in(database, author), name, game="smack", digest=digest)
    Bots(database).set_open(bot.id, True)
    return bot


def open_bot_names(database: Database, game: str = "smack") -> list[str]:
    return [bot.title for bot in open_bots(database, game)]


def test_only_bots_that_were_opened_are_listed_the_strongest_first(database: Database) -> None:
    ladder = ladder_in(database, "smack").id
    first = an_open_bot(database, "Ann", "alpha", "a" * 64)
    second = an_open_bot(database, "Bob", "beta", "b" * 64)
    an_open_bot(database, "Cid", "gamma", "c" * 64)
    bot_in(database, person_in(database, "Dan"), "delta", game="smack")
    add_ratings(database, first, ladder, 1700, 1500)  # what counts is the latest
    add_ratings(database, second, ladder, 1650, 1600)
    assert open_bot_names(database) == ["beta by Bob", "alpha by Ann", "gamma by Cid"]
    assert [bot.elo for bot in open_bots(database, "smack")] == [1600, 1500, None]
    assert open_bot_names(database, "smac") == []


def test_the_ratings_of_a_frozen_season_are_those_of_the_freeze(database: Database) -> None:
    at, hour = now(), timedelta(hours=1)
    season = ladder_in(
        database, "smack", begins_at=at - hour, freezes_at=at + hour, ends_at=at + 9 * hour
    )
    bot = an_open_bot(database, "Ann", "alpha", "a" * 64)
    add_ratings(database, bot, season.id, 1500, 1700)
    Ladders(database).change(msgspec.structs.replace(season, freezes_at=now()))
    assert [bot.elo for bot in open_bots(database, "smack")] == [1500]


def test_the_version_of_today_is_met(database: Database) -> None:
    bot = an_open_bot(database, "Ann", "alpha", "a" * 64)
    version_in(database, bot, "second", number=2, digest="b" * 64, state=VersionState.CHECKING)
    assert [one.digest for one in open_bots(database, "smack")] == ["a" * 64]
    Bots(database).activate("second")
    assert [one.digest for one in open_bots(database, "smack")] == ["b" * 64]


def test_bots_of_banned_people_and_disqualified_ones_are_not_met(database: Database) -> None:
    banned, disqualified = (
        an_open_bot(database, author, name, digest * 64)
        for author, name, digest in (("Ann", "alpha", "a"), ("Bob", "beta", "b"))
    )
    ladders, ladder = Ladders(database), ladder_in(database, "smack").id
    assert open_bot_names(database) == ["alpha by Ann", "beta by Bob"]
    enter(database, ladder, disqualified.id)
    ladders.set_state(ladder, disqualified.id, EntryState.DISQUALIFIED, "it cheated", was=[PLAYING])
    People(database).set_banned(banned.person, True)
    assert open_bot_names(database) == []


def test_a_person_begins_a_game_against_a_ladder_bot(server: Server) -> None:
    database = server.storage.database
    bot = an_open_bot(database, "Bob", "alpha", "a" * 64)
    ann = server.member("Ann")
    assert "alpha by Bob" in ann.text("/lobby/new?game=smack&seats=2")
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": f"bot:ladder/{bot.id}"}
    game = ann.post("/lobby/new", fields).url.path.rpartition("/")[2]
    position = json.loads(ann.get(f"/api/v1/games/{game}").content)
    assert [seat["name"] for seat in position["seats"]] == ["Ann", "alpha by Bob"]
    stored = server.storage.find_game(game)
    assert stored is not None
    assert stored.spec.bots[1] == "a" * 64
    Bots(database).set_open(bot.id, False)
    answer = ann.post("/lobby/new", fields)
    assert answer.status_code == 422
    assert "does not let people play" in page_text(answer)


def test_the_strongest_ladder_bot_plays_for_who_is_away(server: Server) -> None:
    database = server.storage.database
    ladder = ladder_in(database, "smack").id
    opponents = server.site.lobby_pages._opponents
    assert opponents.substitute("smack").name == "player_one"
    for author, name, digest, elo in (("Bob", "alpha", "a", 1500), ("Cid", "beta", "b", 1600)):
        add_ratings(database, an_open_bot(database, author, name, digest * 64), ladder, elo)
    assert opponents.substitute("smack").digest == "b" * 64
    assert opponents.substitute("smac").name == "player_one"
