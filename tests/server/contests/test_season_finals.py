"""At the end of a season handing in closes, then everybody plays, and then the table is final."""

from collections import Counter
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from runners.contests.contests import Ladder
from runners.contests.entries import NotEntered, enter
from runners.contests.ladder_contest import LadderContest
from runners.contests.ladders import Ladders
from runners.contests.visibility import table_until
from runners.formats.open_ladder import PLACEMENT_SETS
from runners.storage.database import Database, now
from runners.storage.ladder_tables import (
    EntryRule,
    EntryState,
    VersionState,
    fixtures,
    players,
    versions,
)
from server.bots.bots import Bots
from server.contests import contest_entries
from server.contests.ladder_tables import LadderTables
from server.contests.notices import Notices
from server.contests.reporting import Reporter
from tests.server.contests.field import (
    Made,
    NotingObserver,
    bot_in,
    enter_all,
    ladder_in,
    person_in,
    playing,
    real_bot_in,
    results_in,
    tiny_ladder_in,
    version_in,
)
from tests.server.members import Server
from tests.shell import eventually

HOUR = timedelta(hours=1)


def season_in(database: Database, **fields: object) -> Ladder:
    """Add a season of matches of three turns that has begun, and ends in an hour."""
    return tiny_ladder_in(
        database, begins_at=now() - HOUR, ends_at=now() + HOUR, matches_per_day=1, **fields
    )


def close(database: Database, ladder: Ladder) -> Ladder:
    """Let the end of a season be now."""
    closed = replace(ladder, ends_at=now())
    Ladders(database).change(closed)
    return closed


def find_concluded(database: Database, ladder: Ladder) -> Ladder | None:
    """Return a season if its final was played."""
    found = Ladders(database).ladder(ladder.id)
    assert found is not None
    return found if found.concluded_at else None


def sets_since(database: Database, ladder: Ladder) -> Counter[str]:
    """Return in how many sets each version was that were drawn after the end."""
    query = (
        select(players.c.version, fixtures.c.set_number)
        .distinct()
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .where(fixtures.c.ladder == ladder.id, fixtures.c.created_at >= ladder.ends_at)
    )
    with database.reading() as connection:
        return Counter(version for version, _ in connection.execute(query))


def has_results(database: Database, ladder: Ladder, count: int) -> bool:
    return len(results_in(database, ladder)) >= count


@pytest.mark.slow
def test_whoever_was_let_in_before_the_end_plays_the_final_and_then_nobody_plays(
    database: Database, tmp_path: Path
) -> None:
    season = season_in(database, cpu_s_per_day=0.000001)
    bots = [real_bot_in(database, tmp_path, name) for name in ("ann", "ben", "cem")]
    enter_all(database, season, bots)
    season = close(database, season)
    with playing(database, tmp_path):
        assert eventually(lambda: find_concluded(database, season))
        played = len(results_in(database, season))
        assert not eventually(lambda: len(results_in(database, season)) > played, 2)
    sets = sets_since(database, season)
    assert set(sets) == {one.version for one in bots}
    assert all(count >= PLACEMENT_SETS for count in sets.values())
    final = find_concluded(database, season)
    assert final is not None
    assert final.is_over(now())
    assert not final.is_in_final(now())


@pytest.mark.slow
def test_a_final_goes_on_where_it_was_broken_off(database: Database, tmp_path: Path) -> None:
    season = season_in(database)
    bots = [real_bot_in(database, tmp_path, name) for name in ("ann", "ben")]
    enter_all(database, season, bots)
    season = close(database, season)
    for number in (1, 4):
        with playing(database, tmp_path):
            assert eventually(partial(has_results, database, season, number))
    with playing(database, tmp_path):
        assert eventually(lambda: find_concluded(database, season))
    assert sets_since(database, season) == dict.fromkeys(
        [one.version for one in bots], PLACEMENT_SETS
    )


@pytest.mark.slow
def test_a_paused_final_waits(database: Database, tmp_path: Path) -> None:
    season = season_in(database)
    enter_all(database, season, [real_bot_in(database, tmp_path, name) for name in ("a", "b")])
    season = close(database, season)
    Ladders(database).set_paused(season.id, is_paused=True)
    with playing(database, tmp_path):
        assert not eventually(lambda: find_concluded(database, season), 2)
        Ladders(database).set_paused(season.id, is_paused=False)
        assert eventually(lambda: find_concluded(database, season))


def make_contest(database: Database, season: Ladder) -> LadderContest:
    return LadderContest(database, season, None, None, None)  # type: ignore[arg-type]


def test_what_was_handed_in_before_the_end_is_waited_for(database: Database) -> None:
    season = season_in(database)
    bot = bot_in(database, person_in(database, "Ann"), "late")
    with database.transaction() as connection:
        checking = {"state": VersionState.CHECKING, "ladder": season.id}
        connection.execute(update(versions).values(checking))
    season = close(database, season)
    contest = make_contest(database, season)
    assert not contest.is_final_played()
    in_time = Bots(database).find_versions(bot.id)[0].handed_in_at
    enter(database, season.id, bot.id, in_time)
    Bots(database).activate(bot.version)
    assert contest.is_final_played()  # it has no opponent
    other = bot_in(database, person_in(database, "Ben"), "other")
    with pytest.raises(NotEntered, match=r"ended on \d{4}-\d\d-\d\d at \d\d:\d\d UTC"):
        enter(database, season.id, other.id)
    Ladders(database).conclude(season.id)
    with pytest.raises(NotEntered, match="ended on"):
        enter(database, season.id, other.id, in_time)


def test_what_is_handed_in_for_another_ladder_is_not_waited_for(database: Database) -> None:
    season, other = season_in(database), ladder_in(database)
    bot_in(database, person_in(database, "Ann"), "elsewhere")
    with database.transaction() as connection:
        checking = {"state": VersionState.CHECKING, "ladder": other.id}
        connection.execute(update(versions).values(checking))
    assert make_contest(database, close(database, season)).is_final_played()


def test_a_season_of_older_rules_is_over_at_its_end(database: Database) -> None:
    season = season_in(database)
    season = replace(season, spec=replace(season.spec, rules_version=0), ends_at=now())
    assert season.is_over(now())


def test_who_did_not_play_is_named_and_why(database: Database) -> None:
    season = season_in(database, entry_rule=EntryRule.OPEN)
    ladders, names = Ladders(database), ("alone", "gone", "refused", "waiting", "out")
    made = {name: bot_in(database, person_in(database, name.title()), name) for name in names}
    for name in ("alone", "gone", "out"):
        enter(database, season.id, made[name].id)
    living = (EntryState.PLAYING,)
    ladders.set_state(season.id, made["gone"].id, EntryState.WITHDRAWN, was=living)
    ladders.set_state(season.id, made["out"].id, EntryState.DISQUALIFIED, "copied", was=living)
    ladders.change(replace(season, entry_rule=EntryRule.APPROVED))
    enter(database, season.id, made["waiting"].id)
    with database.transaction() as connection:
        refused = {"state": VersionState.REFUSED, "ladder": season.id}
        own = versions.c.id == made["refused"].version
        connection.execute(update(versions).where(own).values(refused))
    bot_in(database, person_in(database, "Zoe"), "elsewhere")
    season = close(database, season)
    version_in(database, made["alone"], "later", number=2, state=VersionState.REFUSED)
    found = database.find(contest_entries.absentees(season))
    assert [(one.name, one.author, one.why) for one in found] == [
        ("alone", "Alone", contest_entries.ALONE),
        ("gone", "Gone", contest_entries.WITHDRAWN),
        ("refused", "Refused", contest_entries.REFUSED),
        ("waiting", "Waiting", contest_entries.NOT_LET_IN),
    ]


@pytest.mark.slow
def test_the_table_of_a_season_that_is_over_stays_and_authors_are_told_their_places_once(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = season_in(database)
    ann, ben = (real_bot_in(database, tmp_path, name) for name in ("ann", "ben"))
    enter_all(database, season, [ann, ben])
    season = close(database, season)
    tables = LadderTables(database)

    def rated() -> list[tuple[str, int, bool]]:
        found = find_concluded(database, season)
        table = tables.table(season, table_until(found, None, now())) if found else None
        return [
            (one.version, one.games, one.is_provisional)
            for one in (table.standings if table else [])
            if one.elo is not None
        ]

    def on_season_end(_: object, ladder_id: str) -> None:
        reporter.on_season_end(ladder_id)

    def told() -> list[str]:
        return [one.words for one in Notices(database).of(ann.person, 9) if "place" in one.words]

    reporter = Reporter(database, tables)
    monkeypatch.setattr(NotingObserver, "on_season_end", on_season_end)
    with playing(database, tmp_path):
        assert eventually(lambda: len(rated()) == 2 and told())
    before = rated()
    rank = [version for version, *_ in before].index(ann.version) + 1
    reporter.on_season_end(season.id)
    assert told() == [f"{season.name} is over: ann took place {rank} of 2 bots."]
    assert all(games == 2 * PLACEMENT_SETS and not is_new for _, games, is_new in before)
    _hand_in_another(database, ann)
    assert rated() == before


def _hand_in_another(database: Database, bot: Made) -> None:
    with database.transaction() as connection:
        former = update(versions).where(versions.c.id == bot.version)
        connection.execute(former.values(state=VersionState.FORMER))
    version_in(database, bot, "newer", number=2)


def test_an_organizer_reads_why_a_final_waits(server: Server) -> None:
    season = season_in(server.storage.database)
    Ladders(server.storage.database).change(replace(season, ends_at=now() - HOUR / 2))
    organizer, page = server.organizer(), f"/admin/contests/{season.id}"
    assert "Ladders are played where the server has workers" in organizer.text(page)
    organizer.post(f"{page}/pause")
    assert "The final waits, as the season is paused" in organizer.text(page)
    assert "Its final is paused" in server.browser().text(f"/contests/{season.id}")
