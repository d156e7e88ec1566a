"""A tournament begun at home goes on at a server, and back."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import cli
from engine.errors import UsageError
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.result_folder import REPLAY
from runners.contests.organizer import playing_alone
from runners.contests.persistence import find_tournament, save_tournament
from runners.contests.plan import Entrant, Field, Secret, TournamentPlan
from runners.contests.standings import Standings, compute_standings
from runners.contests.tournament import Progress, Tournament
from runners.match_request import RunOptions
from runners.storage.store import default_url, open_store
from tests.runners.playing import GAME, TINY, contestant
from tests.server.contests.field import ladder_in
from tests.server.members import Server, serving
from tests.shell import WALKER, eventually

NAMES = ("ann", "bob", "cid")


def admin(out: Path, *parts: str) -> str:
    done = CliRunner().invoke(cli, ["admin", *parts, "--out", str(out)])
    if done.exception is not None:
        raise done.exception
    return done.output


def start_at_home(home: Path) -> str:
    """Begin a tournament of three, and stop it after half of its matches; return its database."""
    secret = Secret(0, 1 << 100)
    bots = [contestant(home, name, WALKER + "#" * n) for n, name in enumerate(NAMES)]
    plan = TournamentPlan(
        name="spring",
        game=GAME.name,
        rules_version=GAME.rules_version,
        format="round_robin",
        settings=TINY,
        limits=GAME.limits,
    )
    field = Field(plan, tuple(Entrant(bot=bot, secret=secret) for bot in bots))
    received: list[Progress] = []

    def stop_after_three(progress: Progress) -> None:
        received.append(progress)
        if len(received) == 3:
            raise KeyboardInterrupt

    url = default_url(home, GAME.name)
    with closing(open_store(url)) as store:
        save_tournament(store, field)
        with suppress(KeyboardInterrupt):
            Tournament(field, store).play(RunOptions(out=home, workers=1), stop_after_three)
    return url


def standings_at(url: str) -> Standings:
    with closing(open_store(url)) as store:
        return compute_standings(find_tournament(store, "spring").ledger())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


@pytest.fixture
def server(out: Path) -> Iterator[Server]:
    with serving(out) as server:
        ladder_in(server.storage.database, name="Summer")
        yield server


def test_what_was_begun_at_home_is_finished_by_a_server_and_comes_back(
    server: Server, out: Path, tmp_path: Path
) -> None:
    home, back = tmp_path / "home", tmp_path / "back"
    url = start_at_home(home)
    begun = standings_at(url)
    assert (begun.played, begun.open) == (3, 3)
    parts = ("import", "spring", "--from", str(home), "--ladder", "summer")
    assert admin(out, *parts) == (
        "spring: 3 bots and 3 results copied, 3 to be played; /contests/spring\n"
    )
    browser = server.browser()
    assert eventually(lambda: " over " in browser.text("/contests/spring"))
    assert "6 of 6 matches played" in browser.text("/contests/spring")
    replays = sorted((out / "matches").glob(f"*/{REPLAY}"))
    assert [verify(Replay(path)) for path in replays] == [None] * 6
    said = admin(out, "export", "spring", "--to", str(back))
    assert said.startswith("spring: 3 bots and 6 results copied, 0 to be played; see ")
    assert standings_at(default_url(back, GAME.name)).played == 6
    assert sorted(path.name for path in (back / "matches").iterdir()) == sorted(
        path.parent.name for path in replays
    )
    assert server.audit()[:2] == ["tournament exported", "tournament imported"]
    with pytest.raises(UsageError, match="there is a tournament 'spring' already"):
        admin(out, *parts)


def test_what_is_not_there_is_not_taken_in(server: Server, out: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    parts = ("import", "autumn", "--from", str(home), "--ladder")
    with pytest.raises(UsageError, match="there is no ladder 'winter'; 'admin ladders' lists"):
        admin(out, *parts, "winter")
    with pytest.raises(UsageError, match="home: there are no results of Slime Mind there"):
        admin(out, *parts, "Summer")
    start_at_home(home)
    with pytest.raises(UsageError, match=r"no tournament 'autumn' in .*; there are: spring"):
        admin(out, *parts, "Summer")
    assert server.browser().get("/contests/autumn").status_code == 404


def test_one_that_is_being_played_stays_where_it_is(
    server: Server, out: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    with (
        closing(open_store(start_at_home(home))) as store,
        playing_alone(store, "spring"),
        pytest.raises(UsageError, match="'spring' is being played by process"),
    ):
        admin(out, "import", "spring", "--from", str(home), "--ladder", "Summer")
    assert server.browser().get("/contests/spring").status_code == 404
