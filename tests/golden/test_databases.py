"""Databases of former versions open with the present one, and give the tables that they gave.

How they were made is said in `tests/golden/databases/__init__.py`.
"""

import re
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.spec import decode_spec
from tests.cases import for_each
from tests.golden.databases import read_results, read_server
from tests.golden.databases.__main__ import SERVERS
from tests.golden.databases.contents import HALF
from tests.golden.databases.make_results import SERIES
from tests.golden.databases.packing import archive
from tests.golden.databases.recorded import load_record, plain
from tests.golden.databases.result_keys import results_in
from tests.postgresql import PostgreSQL
from tests.shell import Shell

FEW = ("broken", "half-swiss", "versus", "molds", "half-pairs")
"""What is looked at in the usual run."""
ALL = pytest.param(None, marks=pytest.mark.slow)
ROUNDING = 1e-4
"""How much a machine's ratings differ from those of another."""
ARCHIVES = (*read_results.PLAYED, *SERVERS)


# -- results of the command line --------------------------------------------------------------


@pytest.mark.parametrize("few", [FEW, ALL], ids=("few", "all"))
@pytest.mark.parametrize("name", read_results.PLAYED)
def test_results_give_the_tables_they_gave_also_when_played_to_their_end(
    name: str, few: tuple[str, ...] | None, tmp_path: Path
) -> None:
    expected = load_record(name)
    shell = read_results.open_results(name, tmp_path)
    for one in read_results.PLAYED[name]:
        if few is None or one.name in few:
            require_same(one.name, plain(read_results.read(shell, one)), expected[one.name])
    for series in SERIES:
        if few is None or series.name in few:
            shown = plain(read_results.read_series(shell, series))
            require_same(series.name, shown, expected[series.name])


def test_every_tournament_of_the_recorded_ones_ends_with_every_fixture_played() -> None:
    for name in read_results.PLAYED:
        for one in read_results.PLAYED[name]:
            of_one = load_record(name)[one.name]
            assert ("finished" in of_one) == (one.matches is not None), (name, one.name)
            ended = of_one.get("finished", of_one)["standings"]
            assert (ended["is_over"], ended["open"], ended["void"]) == (True, 0, 0)
            assert of_one["standings"]["played"] < ended["played"] or one.matches is None


@pytest.mark.parametrize("name", read_results.PLAYED)
def test_what_was_said_of_matches_gives_their_keys(name: str) -> None:
    results = list(results_in(archive(name)))
    assert len(results) > 100
    for result in results:
        assert decode_spec(result.spec).key == result.key
    shown = [load_record(name)[one.name]["matches"] for one in read_results.PLAYED[name]]
    played = {row["key"] for rows in shown for row in rows if row["state"] == "played"}
    assert played <= {result.key for result in results}


# -- a server's database ----------------------------------------------------------------------


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_shows_everybody_what_it_showed(name: str, tmp_path: Path) -> None:
    with closing(read_server.open_server(name, tmp_path / "served")) as server:
        seen = plain(read_server.read(server))
    expected = load_record(name)
    expected.pop("finished", None)
    assert seen.keys() == expected.keys()
    for what in expected:
        require_same(what, seen[what], expected[what])


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
def test_tournaments_of_a_server_are_played_to_their_ends(name: str, tmp_path: Path) -> None:
    server = read_server.open_server(name, tmp_path / "served", plays=True)
    with closing(server):
        read_server.finish(server)
        ended = {one: read_server.tournament(server, one) for one in HALF}
    require_same("finished", plain(ended), load_record(name)["finished"])


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVERS)
def test_a_ladder_is_played_on_from_the_match_that_waited(name: str, tmp_path: Path) -> None:
    """Its key is still that of what would be played; otherwise it would be given up."""
    before = load_record(name)["Endless matches"]
    after = plain(read_server.play_on(name, tmp_path / "served", matches=len(before) // 2 + 4))
    assert after[: len(before)] == before
    assert [row for row in after[len(before) :] if row["score"] is None] == []


@pytest.mark.slow
def test_a_server_shows_the_same_from_postgresql(postgresql: PostgreSQL, tmp_path: Path) -> None:
    name, folder, url = SERVERS[-1], tmp_path / "served", postgresql.new_url()
    with closing(read_server.open_server(name, folder)):
        """Its tables become those of the present version, which alone are copied."""
    shell = Shell(tmp_path / "home")
    done = shell.run("admin", "copy", url, "--out", str(folder))
    assert done.code == 0, done
    with closing(read_server.open_server(name, folder, url)) as server:
        seen = plain(read_server.read(server))
    expected = load_record(name)
    expected.pop("finished")
    for what in expected:
        require_same(what, seen[what], expected[what])


# -- the files --------------------------------------------------------------------------------


@for_each("name", ARCHIVES)
def test_archives_are_small_and_name_no_machine(name: str) -> None:
    assert archive(name).stat().st_size < 100_000
    with tarfile.open(archive(name)) as tar:
        for entry in tar:
            file = tar.extractfile(entry)
            assert file is not None
            with closing(file):
                content = file.read()
            assert not re.search(rb"/(tmp|home|root|work|dev/shm)/", content), entry.name
            assert not re.search(rb"[\w.]{2,}@[\w-]{2,}\.[a-z]{2,}", content), entry.name


def require_same(what: str, seen: Any, expected: Any) -> None:
    """Compare part by part, so that a failure names the first that differs; more may be shown."""
    if isinstance(expected, dict) and isinstance(seen, dict) and seen.keys() >= expected.keys():
        for name in expected:
            require_same(f"{what}: {name}", seen[name], expected[name])
    elif isinstance(expected, list) and isinstance(seen, list) and len(seen) == len(expected):
        for number, (one, other) in enumerate(zip(seen, expected, strict=True)):
            require_same(f"{what}: {number}", one, other)
    elif isinstance(expected, float):
        assert seen == pytest.approx(expected, rel=ROUNDING), what
    else:
        assert seen == expected, what
