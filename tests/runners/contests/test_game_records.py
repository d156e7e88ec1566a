"""Matches for programs that rate games of two."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import force_setattr

from engine.errors import UsageError
from runners.contests.game_records import records_for
from tests.report.test_folder import BEGUN_AT, Played, a_tournament
from tests.runners.contests.fields import a_field, play_all


def records_text(tournament: Any, name: str) -> str:
    return records_for(tournament, Path(name)).decode()


def test_pgn_has_a_game_for_each_match() -> None:
    text = records_text(a_tournament(3), "cup.pgn")
    games = text.count("[Event ")
    assert games == 6
    assert len(re.findall(r"^(1-0|0-1|1/2-1/2)$", text, re.MULTILINE)) == games
    assert f'[Date "{BEGUN_AT:%Y.%m.%d}"]' in text
    assert '[White "bot_0"]' in text
    assert '[Round "1.1"]' in text


def test_names_cannot_end_a_tag() -> None:
    field = a_field(2)
    for number, entrant in enumerate(field.entrants):
        force_setattr(entrant.bot, "name", f'a{number}"]\n[White "b\\')
    text = records_text(Played(field, play_all(field)), "cup.pgn")
    assert text.count("\n[White ") == text.count("[Event ")
    assert 'a0\\"] [White \\"b\\\\"]' in text


def test_csv_has_a_row_for_each_two_that_met() -> None:
    rows = list(csv.DictReader(io.StringIO(records_text(a_tournament(3), "cup.csv"))))
    assert len(rows) == 6
    assert {row["white_points"] for row in rows} <= {"1", "0", "0.5"}
    assert rows[0]["white"].startswith("bot_")


def test_matches_of_three_are_no_pgn_and_a_row_for_each_two() -> None:
    tournament = a_tournament(3, table=3)
    with pytest.raises(UsageError, match=r"these are matches of 3; \.csv has a row"):
        records_for(tournament, Path("cup.pgn"))  # type: ignore[arg-type]
    rows = list(csv.DictReader(io.StringIO(records_text(tournament, "cup.csv"))))
    matches = {row["key"] for row in rows}
    assert len(rows) == 3 * len(matches)


def test_another_name_is_refused() -> None:
    with pytest.raises(UsageError, match=r"expected a name that ends with \.pgn or \.csv"):
        records_text(a_tournament(2), "cup.txt")
