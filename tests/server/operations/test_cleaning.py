"""What is removed by age, and what stays."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import DateTime, delete, func, insert, select, update

from engine.errors import UsageError
from engine.result_folder import REPLAY, ResultFolder
from runners.contests.retention import LadderRetention, find_old_folders
from runners.match_request import KeptReplays, read_kept_replays
from runners.storage import game_tables
from runners.storage.database import Database, now
from runners.storage.ladder_tables import fixtures
from runners.storage.tables import IS_LADDER, contests, tables
from server.operations.cleaning import KEPT_TABLES, REMOVALS, Cleaning
from server.operations.results_folder import measure_disk_use
from server.rooms.rooms import BattleResult, Phase, Room, RoomTerms
from tests.server.contests.field import bot_in, keep_result, ladder_in, person_in

OPERATING = Path(__file__).parents[3] / "docs" / "operating.md"
LONG_AGO = timedelta(days=400)


def test_every_table_has_an_age_or_a_reason_why_its_rows_stay() -> None:
    found = [one.table.name for one in REMOVALS]
    found += [table.name for of_reason in KEPT_TABLES.values() for table in of_reason]
    assert sorted(found) == sorted(tables.tables)


def test_the_page_for_operators_says_what_cleaning_does() -> None:
    page = " ".join(OPERATING.read_text().split())
    for one in REMOVALS:
        assert f"| `{one.table.name}` | {one.words} |" in page
    for reason in KEPT_TABLES:
        assert reason in page


def count_rows(database: Database, names: list[str]) -> Mapping[str, int]:
    return {
        name: database.fetch_value(select(func.count()).select_from(tables.tables[name]))
        for name in names
    }


def row_of_each(person: str, version: str) -> Mapping[str, Mapping[str, object]]:
    """Return a row of each table that is cleaned, without its times."""
    guest = {"guest": "g", "game": "smack"}
    return {
        "sessions": {"hash": "h", "person": person},
        "shown_once": {"session": "s", "page": "p", "content": b""},
        "invitations": {"id": "i", "hash": "h", "kind": "person", "note": ""},
        "account_requests": {
            "name": "N",
            "name_key": "n",
            "password": "",
            "words": "",
            "address": "",
            "state": "waiting",
            "note": "",
        },
        "audit": {"what": "banned", "words": "", "address": ""},
        "reports": {
            "reporter_name": "A",
            "name": "B",
            "reason": "insult",
            "words": "",
            "messages": "[]",
            "note": "",
        },
        "open_games": {"id": "o", "spec": "{}", "seats": "[]", "clock": "none", "is_rated": False},
        "rooms": {"id": "r", "content": "{}", "phase": "over", "people": "", "has_ratings": False},
        "runs": {"id": "r", "content": "{}", "state": "over", "words": ""},
        "draft_series": {"id": "s", "draft": "d", "content": "{}", "state": "over"},
        "draft_bots": {"id": "d", "name": "D", "files": b"", "revision": 1, **guest},
        "draft_versions": {"draft": "d", "number": 1, "note": "", "digest": "", "files": b""},
        "course_steps": {"step": 1, "tries": 1, **guest},
        "checks": {"version": version, "place": 1, "name": "starts", "state": "passed"},
        "notices": {"person": person, "words": "w", "path": "/"},
    }


def add_rows(database: Database, at: datetime) -> list[str]:
    """Add a row to each table that is cleaned, all of whose times are one; return their names."""
    person = person_in(database, "Ann")
    version = bot_in(database, person, "bot").version
    rows = row_of_each(person, version)
    assert sorted(rows) == sorted(one.table.name for one in REMOVALS)
    database.write(delete(game_tables.invitations))  # by which she has joined
    for name, row in rows.items():
        columns = tables.tables[name].columns
        times = {one.name: at for one in columns if isinstance(one.type, DateTime)}
        database.write(insert(tables.tables[name]).values({**times, **row}))
    return list(rows)


def test_of_each_table_that_is_cleaned_a_row_of_400_days_goes(
    database: Database, tmp_path: Path
) -> None:
    names = add_rows(database, now() - LONG_AGO)
    cleaning = Cleaning(database, tmp_path)
    would_go = cleaning.count_old(now())
    assert {name: would_go[name] for name in names} == dict.fromkeys(names, 1)
    assert count_rows(database, names) == dict.fromkeys(names, 1), "a dry run removes nothing"
    assert cleaning.clean(now()) == would_go
    assert count_rows(database, names) == dict.fromkeys(names, 0)


def test_of_each_table_that_is_cleaned_a_new_row_stays(database: Database, tmp_path: Path) -> None:
    names = add_rows(database, now())
    Cleaning(database, tmp_path).clean(now())
    assert count_rows(database, names) == dict.fromkeys(names, 1)


def test_an_open_game_of_a_member_waits_on(database: Database, tmp_path: Path) -> None:
    person = person_in(database, "Ann")
    row = {"id": "o", "spec": "{}", "seats": "[]", "clock": "none", "is_rated": False}
    made = {**row, "made_by": person, "created_at": now() - LONG_AGO}
    database.write(insert(game_tables.open_games).values(made))
    Cleaning(database, tmp_path).clean(now())
    assert count_rows(database, ["open_games"]) == {"open_games": 1}


def play_ladder(database: Database, out: Path, keys: str) -> None:
    """Play matches with these keys on a ladder, one a day, the last one now; it ended since."""
    ladder = ladder_in(database)
    usual = {"ladder": ladder.id, "set_number": 1, "seats": "[]", "seed": "1", "has_result": True}
    with database.transaction() as connection:
        for place, key in enumerate(keys):
            at = now() - timedelta(days=len(keys) - 1 - place)
            if key not in keys[:place]:
                keep_result(connection, key, "{}")
            row = {**usual, "key": key, "created_at": at, "played_at": at}
            connection.execute(insert(fixtures).values(row))
            (out / ResultFolder.MATCHES / key).mkdir(parents=True, exist_ok=True)
            (out / ResultFolder.MATCHES / key / "log").write_bytes(b"12345")
        connection.execute(update(contests).values(ends_at=now(), concluded_at=now()))


@pytest.mark.parametrize("saved", [KeptReplays(matches=2), KeptReplays(days=2)])
def test_of_a_ladder_that_has_ended_the_newest_replays_stay(
    database: Database, tmp_path: Path, saved: KeptReplays
) -> None:
    play_ladder(database, tmp_path, "abcd")
    (tmp_path / ResultFolder.MATCHES / "of another contest").mkdir()
    Cleaning(database, tmp_path, saved).run_daily(now())
    left = sorted(path.name for path in (tmp_path / ResultFolder.MATCHES).iterdir())
    assert left == ["c", "d", "of another contest"]


def test_a_replay_that_a_newer_match_shares_stays(database: Database, tmp_path: Path) -> None:
    play_ladder(database, tmp_path, "aba")
    old = find_old_folders(database, tmp_path, KeptReplays(matches=1), now())
    assert [path.name for path in old] == ["b"]


def fight_in_rooms(database: Database, out: Path, ended: Mapping[str, timedelta]) -> Path:
    """Keep the folders of battles, each in a room of its own, by keys and ages."""
    for key, age in ended.items():
        folder = out / ResultFolder.MATCHES / key
        folder.mkdir(parents=True)
        (folder / REPLAY).touch()
        room = Room(id=key, terms=RoomTerms(), seats=[], phase=Phase.OVER)
        room.results.append(
            BattleResult(
                number=1,
                key=key,
                armies=("Raid", "Hunt"),
                people=(),
                late=(),
                scores=(1, 0),
                winners=(1,),
                reason="so",
                ended_at=now() - age,
            )
        )
        row = {
            "id": key,
            "content": msgspec.json.encode(room).decode(),
            "phase": room.phase,
            "people": "",
            "has_ratings": key.startswith("rated"),
            "changed_at": now() - age,
        }
        database.write(insert(game_tables.rooms).values(row))
    return out / ResultFolder.MATCHES


@pytest.mark.parametrize(
    ("saved", "left"),
    [
        (None, ["month", "new", "rated of old"]),
        (KeptReplays(days=20), ["new"]),
        (KeptReplays(matches=2), ["month", "new"]),
    ],
)
def test_replays_of_rooms_go_with_them_or_as_those_of_contests(
    database: Database, tmp_path: Path, saved: KeptReplays | None, left: list[str]
) -> None:
    ages = {"old": LONG_AGO, "rated of old": LONG_AGO, "month": timedelta(30), "new": timedelta()}
    folder = fight_in_rooms(database, tmp_path, ages)
    cleaning = Cleaning(database, tmp_path, saved)
    would_go = cleaning.count_old(now())
    assert would_go[ResultFolder.MATCHES] == len(ages) - len(left)
    assert cleaning.clean(now()) == would_go
    assert sorted(path.name for path in folder.iterdir()) == left
    assert count_rows(database, ["rooms"]) == {"rooms": 3}


def test_without_a_wish_all_these_replays_stay(database: Database, tmp_path: Path) -> None:
    play_ladder(database, tmp_path, "abcd")
    assert find_old_folders(database, tmp_path, None, now()) == []


def test_while_a_ladder_plays_as_many_stay_as_its_operator_wants(
    database: Database, tmp_path: Path
) -> None:
    play_ladder(database, tmp_path, "abc")
    ladder = database.fetch_value(select(contests.c.name).where(IS_LADDER))
    LadderRetention(database, tmp_path, KeptReplays(days=1)).clear(ladder)
    assert len(list((tmp_path / ResultFolder.MATCHES).iterdir())) == 3
    LadderRetention(database, tmp_path, KeptReplays(matches=1)).clear(ladder)
    assert [path.name for path in (tmp_path / ResultFolder.MATCHES).iterdir()] == ["c"]


def test_what_is_kept_is_a_number_of_matches_or_days() -> None:
    assert read_kept_replays("500") == KeptReplays(matches=500)
    assert read_kept_replays("90d") == KeptReplays(days=90)
    for text_ in ("", "0", "-1", "90 d", "d", "99999999d", "٣"):
        with pytest.raises(UsageError, match="--keep-replays"):
            read_kept_replays(text_)


def test_the_use_of_the_disk_is_told_by_folder_and_by_ladder(
    database: Database, tmp_path: Path
) -> None:
    play_ladder(database, tmp_path, "ab")
    use = measure_disk_use(database, tmp_path)
    name = database.fetch_value(select(contests.c.title).where(IS_LADDER))
    assert list(use.contests) == [(name, 10)]
    assert ("matches", 10) in use.folders
    assert ("fixtures", 2) in use.rows
