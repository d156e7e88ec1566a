"""At the end of a season handing in closes, then everybody plays, and then the table is final."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from runners.contests.contests import Ladder
from runners.contests.entries import NotEntered, enter
from runners.contests.ladders import Ladders
from runners.contests.player import ContestPlayer
from runners.contests.visibility import table_until
from runners.formats.open_ladder import PLACEMENT_SETS
from runners.match_request import RunOptions
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
    add_match,
    announced,
    bot_in,
    bots_in,
    contest_of,
    enter_all,
    ladder_in,
    person_in,
    play_on_paper,
    playing,
    real_bot_in,
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
    query = select(players.c.version, fixtures.c.set_number).distinct()
    found = query.join(fixtures, fixtures.c.id == players.c.fixture).where(
        fixtures.c.ladder == ladder.id, fixtures.c.created_at >= ladder.ends_at
    )
    return Counter(row.version for row in database.fetch_all(found))


def a_final(database: Database, *names: str, **fields: object) -> tuple[Ladder, list[Made]]:
    """Add a season that has just ended, on which these bots play its final."""
    season, bots = season_in(database, **fields), bots_in(database, *names)
    enter_all(database, season, bots)
    return close(database, season), bots


@pytest.fixture
def player(database: Database, tmp_path: Path) -> Iterator[ContestPlayer]:
    """Return one that looks what is to be played when a test asks it to."""
    player = ContestPlayer(database, RunOptions(out=tmp_path, workers=1), NotingObserver())
    with player._lease.hold(), player._held:
        yield player


def test_whoever_was_let_in_before_the_end_plays_the_final_and_then_nobody_plays(
    database: Database, player: ContestPlayer
) -> None:
    season, bots = a_final(database, "ann", "ben", "cem", cpu_s_per_day=0.000001)
    player._poll()
    assert find_concluded(database, season) is None
    assert len(play_on_paper(player._known[season.id][0], 99)) < 99
    sets = sets_since(database, season)
    assert set(sets) == {one.version for one in bots}
    assert all(count >= PLACEMENT_SETS for count in sets.values())
    player.wake()
    player._poll()
    final = find_concluded(database, season)
    assert final is not None
    assert final.is_over(now())
    assert not final.is_in_final(now())


def test_authors_are_told_once_that_a_season_has_begun(
    database: Database, player: ContestPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    season, (ann, ben) = season_in(database), bots_in(database, "ann", "ben")
    enter_all(database, season, [ann, ben])
    reporter = Reporter(database, LadderTables(database))
    monkeypatch.setattr(player._observer, "on_season_begin", reporter.on_season_begin)
    player._poll()
    assert season.id in player._known
    old = replace(season, name="Old", begins_at=now() - 200 * HOUR)
    for one in (season, old, replace(season, name="Over", ends_at=now())):
        reporter.on_season_begin(one)
    (told,) = Notices(database).of(ann.person, 9)
    assert (told.words, told.path) == (
        f"{season.name} has begun; ann plays.",
        f"/contests/{season.id}",
    )


def test_a_final_goes_on_where_it_was_broken_off(database: Database) -> None:
    season, bots = a_final(database, "ann", "ben")
    for matches in (1, 4, 99):
        play_on_paper(contest_of(database, season), matches)
    assert sets_since(database, season) == {one.version: PLACEMENT_SETS for one in bots}


def test_a_paused_final_waits(database: Database, player: ContestPlayer) -> None:
    season, _ = a_final(database, "ann", "ben")
    play_on_paper(contest_of(database, season), 99)
    for is_paused in (True, False):
        Ladders(database).set_paused(season.id, is_paused=is_paused)
        player.wake()
        player._poll()
        assert (find_concluded(database, season) is None) is is_paused


def test_what_was_handed_in_before_the_end_is_waited_for(database: Database) -> None:
    season = season_in(database)
    bot = bot_in(database, person_in(database, "Ann"), "late")
    database.write(update(versions).values(state=VersionState.CHECKING, ladder=season.id))
    season = close(database, season)
    contest = contest_of(database, season)
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
    database.write(update(versions).values(state=VersionState.CHECKING, ladder=other.id))
    assert contest_of(database, close(database, season)).is_final_played()


def test_a_season_of_older_rules_is_over_at_its_end(database: Database) -> None:
    season = season_in(database)
    season = replace(season, spec=replace(season.spec, rules_version=0), ends_at=now())
    assert season.is_over(now())


def test_who_did_not_play_is_named_and_why(database: Database) -> None:
    season = season_in(database, entry_rule=EntryRule.OPEN)
    ladders, names = Ladders(database), ("alone", "gone", "refused", "waiting", "out")
    made = dict(zip(names, bots_in(database, *names), strict=True))
    for name in ("alone", "gone", "out"):
        enter(database, season.id, made[name].id)
    living = (EntryState.PLAYING,)
    ladders.set_state(season.id, made["gone"].id, EntryState.WITHDRAWN, was=living)
    ladders.set_state(season.id, made["out"].id, EntryState.DISQUALIFIED, "copied", was=living)
    ladders.change(replace(season, entry_rule=EntryRule.APPROVED))
    enter(database, season.id, made["waiting"].id)
    own = update(versions).where(versions.c.id == made["refused"].version)
    database.write(own.values(state=VersionState.REFUSED, ladder=season.id))
    bot_in(database, person_in(database, "Zoe"), "elsewhere")
    season = close(database, season)
    version_in(database, made["alone"], "later", number=2, state=VersionState.REFUSED)
    found = database.find(contest_entries.absentees(season))
    assert [(one.name, one.author, one.why) for one in found] == [
        ("alone", "of alone", contest_entries.ALONE),
        ("gone", "of gone", contest_entries.WITHDRAWN),
        ("refused", "of refused", contest_entries.REFUSED),
        ("waiting", "of waiting", contest_entries.NOT_LET_IN),
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
    former = update(versions).where(versions.c.id == ann.version)
    database.write(former.values(state=VersionState.FORMER))
    version_in(database, ann, "newer", number=2)
    assert rated() == before


def test_an_organizer_reads_why_a_final_waits(server: Server) -> None:
    database = server.storage.database
    season = season_in(database)
    Ladders(database).change(replace(season, ends_at=now() - HOUR / 2))
    organizer, page = server.organizer(), f"/admin/contests/{season.id}"
    why = "Ladders are played where the server has workers"
    add_match(database, season.id, played_at=now() - HOUR / 4, has_result=False)
    assert why in organizer.text(page)
    add_match(database, season.id, played_at=now(), key="l", has_result=False)
    assert why not in organizer.text(page)
    server.site.contests.tournaments.announce(announced(season.id, is_sealed=True))
    assert "The final waits until cup begins, which is sealed" in organizer.text(page)
    visitor, seen = server.browser(), f"/contests/{season.id}"
    assert "Its final waits until cup begins: everybody who" in visitor.text(seen)
    organizer.post(f"{page}/pause")
    assert "The final waits, as the season is paused" in organizer.text(page)
    assert "Its final is paused" in visitor.text(seen)
