"""Hours that come together and clocks that are set: nothing is lost, played twice or gone early."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from runners.contests.ladders import Ladders
from runners.contests.open_tournaments import RoundByRound, round_opens_at
from runners.contests.player import ContestPlayer
from runners.contests.visibility import find_sealed_ladders
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.ladder_tables import VersionState, versions
from runners.storage.tables import contests
from server.http.page_requests import make_environment
from server.operations.cleaning import DAY_S, HOUR_S, Cleaning
from tests.server.contests.field import (
    NotingObserver,
    announced,
    bots_in,
    enter_all,
    tiny_ladder_in,
    version_in,
)
from tests.server.contests.test_scheduled_tournaments import Event
from tests.server.members import Server

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def event(database: Database, tmp_path: Path) -> Event:
    return Event(database, tmp_path)


def test_a_season_ends_in_the_minute_in_which_a_sealed_tournament_begins(event: Event) -> None:
    hour = now() + HOUR
    season = replace(event.ladder, begins_at=now() - DAY, ends_at=hour)
    Ladders(event.database).change(season)
    event.announce(is_sealed=True, begins_at=hour, entries_until=hour)
    assert event.database.find(find_sealed_ladders())
    event.tournaments.begin_due(hour)
    assert event.field() == {"ann": "1", "bob": "1", "cid": "1"}
    assert season.is_in_final(hour)
    assert not event.database.find(find_sealed_ladders()), "the final is played"


def test_what_was_handed_in_sealed_plays_in_both_tournaments_of_one_minute(event: Event) -> None:
    for name in ("cup", "bowl"):
        event.announce(name=name, is_sealed=True)
    version_in(event.database, event.bots[0], "sealed", number=2)
    event.tournaments.begin_due(now() + HOUR)
    for name in ("cup", "bowl"):
        tournament = event.tournaments.load_tournament(name)
        assert tournament is not None
        versions = {one.bot.name: one.bot.version for one in tournament.field.entrants}
        assert versions == {"ann": "2", "bob": "1", "cid": "1"}


def test_a_season_that_a_wrong_clock_has_ended_goes_on_until_its_end(
    database: Database, tmp_path: Path
) -> None:
    ladders = Ladders(database)
    season = tiny_ladder_in(database, ends_at=now() + HOUR, concluded_at=now() + DAY)
    player = ContestPlayer(database, RunOptions(out=tmp_path, workers=1), NotingObserver())

    def is_concluded() -> bool:
        with player._lease.hold():
            player._looked_at = 0.0
            player._poll()
        found = ladders.ladder(season.id)
        assert found is not None
        return found.concluded_at is not None

    assert not is_concluded()
    database.write(update(contests).values(ends_at=now() - MINUTE))
    assert is_concluded(), "there is nobody left to play in its final"


@pytest.mark.parametrize(
    ("last", "opens"), [(-2 * HOUR, -HOUR), (-MINUTE, HOUR - MINUTE), (DAY, None)]
)
def test_a_break_is_no_longer_where_the_clock_is_set_back(
    last: timedelta, opens: timedelta | None
) -> None:
    at = now()
    store = cast(Any, SimpleNamespace(last_played_at=lambda keys: at + last))
    assert round_opens_at(store, [], 3_600) == (None if opens is None else at + opens)


def test_whoever_waits_for_a_round_looks_again_where_the_clock_is_set_back(event: Event) -> None:
    event.announce()
    event.tournaments.begin_due(now() + HOUR)
    tournament = event.tournaments.load_tournament("cup")
    assert tournament is not None
    rounds, at = RoundByRound(tournament, RunOptions().play, 3_600, print), now()
    rounds.opens_at = at + HOUR
    waits = [rounds.is_waiting(at + passed) for passed in (timedelta(), 2 * HOUR, -DAY)]
    assert waits == [True, False, False]


def test_where_the_clock_jumps_ahead_nothing_is_removed_for_an_hour(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed_s, cleaned = [0.0], list[datetime]()
    cleaning = Cleaning(database, tmp_path, monotonic=lambda: passed_s[0])

    def clean(at: datetime, **_: object) -> dict[str, int]:
        cleaned.append(at)
        return {"matches": 0}

    monkeypatch.setattr(cleaning, "clean", clean)
    start = datetime(2027, 5, 28, 14, tzinfo=UTC)
    jumped = start + 3 * DAY
    for seconds, at in (
        (0.0, start),
        (DAY_S - 1, start + DAY),
        (DAY_S, jumped),
        (DAY_S + HOUR_S - 1, jumped + HOUR),
        (DAY_S + HOUR_S, jumped + HOUR),
        (2 * DAY_S + HOUR_S, start),
    ):
        passed_s[0] = seconds
        cleaning.run_daily(at)
    assert cleaned == [start, jumped + HOUR, start], "once a day, and on when it is set back"


def test_days_and_moments_on_pages_are_those_of_the_zone_of_the_site() -> None:
    berlin = make_environment(zone=ZoneInfo("Europe/Berlin"))
    page = berlin.from_string("{{ at | day }}, {{ at | moment }}, {{ at | when }}")
    assert page.render(at=datetime(2027, 5, 28, 22, 30, tzinfo=UTC)) == (
        "2027-05-29, 2027-05-29 00:30 CEST, "
        '<time datetime="2027-05-28T22:30:00Z">2027-05-29 00:30 CEST</time>'
    )


def test_a_tournament_that_waits_says_why(server: Server) -> None:
    database, tournaments = server.storage.database, server.site.contests.tournaments
    server.site.contests.player.close()
    ladder, bots = tiny_ladder_in(database), bots_in(database, "ann", "bob")
    enter_all(database, ladder, bots)
    tournaments.announce(announced(ladder.id))
    version_in(database, bots[0], "new", number=2, state=VersionState.CHECKING)
    checking = update(versions).where(versions.c.id == "new")
    database.write(checking.values(ladder=ladder.id))
    visitor = server.browser()
    assert "Its hour has come" not in visitor.text("/contests/cup")
    database.write(update(contests).values(begins_at=now(), entries_until=now()))
    tournaments.begin_due(now())
    why = "it begins once what was handed in before has been checked"
    assert why in visitor.text("/contests/cup")
    database.write(checking.values(state=VersionState.REFUSED))
    tournaments.begin_due(now())
    Ladders(database).set_paused("cup", is_paused=True)
    assert "An organizer has paused it: its matches wait" in visitor.text("/contests/cup")
