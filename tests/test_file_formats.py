"""docs/library.md says what files are like: its programs read them with nothing of ours."""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import slime_mind_arena
from bootstrap import HOME
from engine.replays.writing import REPLAY_FORMAT

PAGE = (HOME / "docs" / "library.md").read_text(encoding="utf-8")
TEXT = PAGE.partition("\n## Formats of replays and results\n")[2].partition("\n## ")[0]


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    bots = ("player_one", "player_two", "player_three")
    slime_mind_arena.play_tournament(
        *bots, name="cup", out=folder, preset="small", settings={"max_turns": 3}
    )
    return folder


def test_ten_lines_of_foreign_code_read_a_replay(results: Path) -> None:
    code = (HOME / "docs" / "cookbook" / "count_events.py").read_text(encoding="utf-8")
    replay = next(results.glob("matches/*/replay.jsonl.gz"))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(replay)],
        capture_output=True,
        text=True,
        check=True,
    )
    ours = slime_mind_arena.read_replay(replay)
    assert done.stdout.startswith(f"{ours.game} {list(ours.bots)}")
    events = sum(len(turn.events) for turn in ours.turns())
    counted = re.findall(r": (\d+)", done.stdout)
    assert sum(map(int, counted)) == events


def test_a_query_reads_the_results(results: Path) -> None:
    with closing(sqlite3.connect(results / "slime_mind.sqlite")) as database:
        rows = database.execute(block("sql")).fetchall()
    assert {row[0] for row in rows} == {"player_one", "player_two", "player_three"}
    assert {row[1] for row in rows} == {4}


def test_the_columns_and_fields_that_are_named_are_there(results: Path) -> None:
    with closing(sqlite3.connect(results / "slime_mind.sqlite")) as database:
        for table, columns in re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT, re.MULTILINE):
            there = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
            assert there, table
            assert set(re.findall(r"`(\w+)`", columns)) <= there
        (text,) = database.execute("SELECT result FROM matches").fetchone()
        (plan,) = database.execute("SELECT plan FROM contests").fetchone()
    result = json.loads(text)
    said = TEXT[TEXT.index("A `result` has") :]
    for word in re.findall(r"`(\w+)`", said[: said.index("A team has")]):
        assert word in result or word == "result"
    for word in re.findall(r"`(\w+)`", said[said.index("A team has") : said.index("A `plan`")]):
        team = result["teams"][0]
        assert word in team or word in team["bot"] or word in team["cpu"]
    for word in re.findall(r"`(\w+)`", said[said.index("A `plan`") : said.index("the table of a")]):
        assert word in json.loads(plan) or word == "plan"


def test_the_version_is_that_which_is_written() -> None:
    versions = re.findall(r"^\| (\d) \| 1\.", TEXT, re.MULTILINE)
    assert int(versions[0]) == REPLAY_FORMAT
    assert f'{{"replay":{REPLAY_FORMAT},' in TEXT
