"""Tournaments made on the page and played by the server."""

import base64
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace
from sqlalchemy import insert

from report.folder import PUBLIC_MARK_FILE
from runners.contests.contests import Ladder, usual_spec
from runners.contests.entries import enter
from runners.contests.persistence import load_tournament
from runners.contests.standings import Standings, compute_standings
from runners.formats import FORMATS
from runners.storage.database import now
from runners.storage.store import open_store
from runners.storage.tables import contests
from server.contests.tournaments import Tournaments
from tests.postgresql import PostgreSQL
from tests.runners.playing import GAME, TINY, contestant
from tests.server.contests.field import CHOICES, bot_in, enter_all, ladder_in, person_in
from tests.server.in_process import make_client
from tests.server.members import DATABASE, HOST, Browser, Server, page_text, serving
from tests.shell import BOT, WALKER, eventually

NAMES = ("ann", "bob", "cid", "dot")
SPEC = replace(usual_spec(GAME), settings=TINY)


class World:
    """A server with a ladder of bots that can play."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.organizer = server.organizer()
        self.ladder, self.bots = with_bots(server, NAMES)

    def form(self, name: str, **changes: str) -> dict[str, str]:
        fields = {"ladder": self.ladder.id, "name": name, "format": "round_robin"}
        chosen = {f"bot-{bot}": "yes" for bot in self.bots}
        return {**fields, "games": "1", "rounds": "", "table": "2", **chosen, **changes}

    def is_over(self, name: str) -> bool:
        return " over " in self.organizer.text(f"/contests/{name}")

    def standings(self, name: str) -> Standings:
        """Return what the runner says of the same results."""
        with closing(open_store(f"sqlite:///{self.folder / DATABASE}")) as store:
            tournament = load_tournament(store, name)
            assert tournament is not None
            return compute_standings(tournament.ledger())


def with_bots(server: Server, names: Sequence[str]) -> tuple[Ladder, list[str]]:
    """Return a ladder, and the ids of bots that play on it."""
    database = server.storage.database
    ladder, author = ladder_in(database, name="Spring", spec=SPEC), person_in(database, "Ann")
    bots = []
    for number, name in enumerate(names):
        digest = contestant(server.folder, name, WALKER + "#" * number).digest
        bots.append(bot_in(database, author, name, digest=digest))
    enter_all(database, ladder, bots)
    return ladder, [bot.id for bot in bots]


def make_cup(server: Server, ladder: Ladder, name: str = "cup", games: int = 1) -> Tournaments:
    """Make a tournament of all bots of a ladder, which the server may play."""
    tournaments = server.site.contests.tournaments
    choices = replace(CHOICES, games=games)
    tournaments.make(name, ladder, tournaments.candidates(ladder.id), choices)
    return tournaments


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("served") / "results"
    with serving(folder) as server:
        yield World(server, folder)


def test_a_tournament_is_made_played_and_shown(world: World) -> None:
    page = world.organizer.post("/admin/contests", world.form(" Spring  cup "))
    assert page.status_code == 200, page_text(page)
    assert eventually(lambda: world.is_over("Spring_cup"))
    visitor = world.server.browser()
    standings = world.standings("Spring_cup")
    assert (standings.played, standings.open) == (12, 0)
    page = visitor.get("/contests/Spring_cup")
    assert "12 of 12 matches played" in page_text(page)
    assert 'http-equiv="refresh"' not in page.text
    order = [row.bot.name for row in standings.rows]
    places = [page.text.index(f"<bdi>{name}</bdi>") for name in order]
    assert places == sorted(places)
    podium = page.text[page.text.index('class="podium"') : page.text.index("</ol>")]
    assert re.findall("<bdi>(.*?)</bdi>", podium) == order[:3]
    assert "Spring cup</h1>" in page.text
    assert "Cross table" in page.text
    boards = re.findall('<img src="(/contests/Spring_cup/matches/[^"]*/board.png)"', page.text)
    assert len(set(boards)) == 3
    assert {visitor.get(board).headers["content-type"] for board in boards} == {"image/png"}
    assert " ".join(order[:3]) in visitor.text("/contests")
    first_three = f"Spring cup first three: {', '.join(order[:3])}"
    assert eventually(lambda: first_three in visitor.text("/"))
    assert "tournament made" in world.server.audit()
    table = visitor.client.get("/api/v1/contests").json()["contests"]
    (cup,) = [one for one in table if one["id"] == "Spring_cup"]
    assert (cup["format"], cup["state"], cup["leaders"]) == ("round_robin", "over", order[:3])
    assert all(visitor.client.get(f"/api/v1/contests/{one['id']}").json() == one for one in table)
    assert visitor.client.get("/api/v1/contests/nowhere").status_code == 404
    rows = visitor.client.get("/contests/Spring_cup/table.json").json()
    assert [row["bot"] for row in rows] == order
    assert len(visitor.client.get("/contests/Spring_cup/matches.json").json()) == 2 * 12
    assert visitor.client.get("/contests/Spring_cup/matches.pgn").text.count("[Event ") == 12


def test_former_addresses_lead_to_the_contest(world: World) -> None:
    client = make_client(world.server.web.app, f"http://{HOST}", follow_redirects=False)
    ladder = world.ladder.id
    for former, present in {
        f"/ladders/{ladder}/table.csv?spreadsheet": f"/contests/{ladder}/table.csv?spreadsheet",
        "/tournaments/cup/matches?bot=1": "/contests/cup/matches?bot=1",
        "/ladders": "/contests",
    }.items():
        answer = client.get(former)
        assert (answer.status_code, answer.headers["location"]) == (308, present)
    sent = world.organizer.post("/admin/tournaments", world.form("by_308"))
    assert "by 308" in page_text(sent)


def test_a_contest_is_found_by_what_people_call_it(world: World) -> None:
    world.organizer.post("/admin/contests", world.form("Some cup"))
    visitor = world.server.browser()
    for asked in ("/tournaments/Some%20Cup", "/contests/some_CUP"):
        assert visitor.get(asked).url.path == "/contests/Some_cup"
    assert visitor.get("/contests/spring").url.path == f"/contests/{world.ladder.id}"
    unknown = visitor.get("/tournaments/none")
    assert unknown.status_code == 404
    assert "there is no such contest as none; there are: " in page_text(unknown)
    assert "Some cup" in page_text(unknown)


@pytest.mark.slow
def test_the_report_is_sent_as_a_zip(world: World) -> None:
    world.organizer.post("/admin/contests", world.form("small", **not_playing(world, 2)))
    assert eventually(lambda: "Download the report" in world.organizer.text("/contests/small"))
    answer = world.server.browser().get("/contests/small/report.zip")
    assert answer.headers["content-disposition"] == 'attachment; filename="small.zip"'
    with ZipFile(io.BytesIO(answer.content)) as made:
        names = made.namelist()
        assert b"ann" in made.read("small/index.html")
    assert "small/files/standings.csv" in names
    assert any(name.startswith("small/replays/") for name in names)


@pytest.mark.slow
def test_the_report_tells_nobody_what_bots_printed_or_how_they_broke(tmp_path: Path) -> None:
    broken = BOT.format("print('my secret plan'); raise ValueError('my secret plan')")
    with serving(tmp_path) as server:
        database = server.storage.database
        ladder = ladder_in(database, spec=SPEC)
        for name, source in (("ann", broken), ("bob", WALKER)):
            digest = contestant(tmp_path, name, source).digest
            author = person_in(database, f"author of {name}")
            enter(database, ladder.id, bot_in(database, author, name, digest=digest).id)
        tournaments = make_cup(server, ladder)
        assert eventually(lambda: tournaments.has_report("cup"))
        with ZipFile(io.BytesIO(server.browser().get("/contests/cup/report.zip").content)) as made:
            files = {name: made.read(name) for name in made.namelist()}
        (tournaments.report_folder("cup") / PUBLIC_MARK_FILE).unlink()
        private = server.browser().get("/contests/cup/report.zip")
        assert private.status_code == 404  # as an organizer's own would be, made by main.py report
    assert any(b"exception" in content for content in files.values())
    for name, content in files.items():
        assert b"my secret plan" not in content, name
        assert not any(b"my secret plan" in block for block in unpack_blocks(content)), name


def unpack_blocks(page: bytes) -> Iterator[bytes]:
    """Yield what a page holds in compressed blocks."""
    for block in re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", page):
        with suppress(ValueError, zlib.error):
            yield zlib.decompress(base64.b64decode(block))


def not_playing(world: World, count: int) -> dict[str, str]:
    """Return the fields that leave out all bots but the first so many."""
    return {f"bot-{bot}": "" for bot in world.bots[count:]}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_played_to_its_end(world: World, kind: str) -> None:
    name = f"of_{kind}"
    page = world.organizer.post("/admin/contests", world.form(name, format=kind))
    assert page.status_code == 200, page_text(page)
    assert eventually(lambda: world.is_over(name))
    assert world.standings(name).is_over
    page = world.server.browser().get(f"/contests/{name}")
    assert ("<svg" in page.text) is (kind not in ("round_robin", "gauntlet"))


def test_one_bot_alone_is_no_tournament(world: World) -> None:
    fields = world.form("alone", **not_playing(world, 1))
    answer = world.organizer.post("/admin/contests", fields)
    assert answer.status_code == 422
    assert "needs 2 or more" in page_text(answer)
    for rounds, words in (
        ({"rounds": "3"}, "no effect"),
        ({"format": "swiss", "rounds": "9"}, "have 3"),
    ):
        refused = world.organizer.post("/admin/contests", world.form("alone", **rounds))
        assert words in page_text(refused)


@pytest.mark.slow
def test_a_tournament_goes_on_where_the_server_ended(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    with serving(folder) as server:
        ladder, _ = with_bots(server, NAMES)
        make_cup(server, ladder, "long", games=3)
        organizer = server.organizer()
        assert eventually(lambda: count_played(folder) > 0)
        assert "Go on Bots Its bots" in page_text(organizer.post("/admin/contests/long/pause"))
        assert "paused" in organizer.text("/contests/long")
    begun = count_played(folder)
    assert 0 < begun < 36
    with serving(folder) as server:
        browser = server.browser()
        assert "paused" in page_text(browser.get("/contests/long"))
        server.site.contests.ladders.set_paused("long", False)
        assert eventually(lambda: " over " in page_text(browser.get("/contests/long")))
    assert count_played(folder) == 36


@pytest.mark.slow
def test_each_process_says_of_a_tournament_that_its_matches_cannot_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.contests.open_tournaments.BACK_OFF_S", (0,))
    folder = tmp_path / "results"
    with serving(folder) as server:
        ladder, _ = with_bots(server, NAMES)
        candidates = server.site.contests.tournaments.candidates(ladder.id)
        [dot] = [one.contestant.digest for one in candidates if one.contestant.name == "dot"]
        (folder / "bots" / dot).rename(tmp_path / "gone")
        beside = Server(folder, is_web_only=True)
        with closing(beside):
            make_cup(server, ladder)
            browsers = [one.browser() for one in (beside, server)]
            assert eventually(lambda: " stopped " in browsers[0].text("/contests/cup"))
            for browser in browsers:
                shown = browser.text("/contests/cup")
                assert "6 could not be played: an organizer sees the reason here" in shown
            shown = server.organizer().text("/contests/cup")
            assert f"6 could not be played: {folder / 'bots'}: no copy of a bot" in shown
    (tmp_path / "gone").rename(folder / "bots" / dot)
    with serving(folder) as server:  # it is tried once more
        browser = server.browser()
        assert eventually(lambda: " over " in browser.text("/contests/cup"))
        assert "could not be played" not in browser.text("/contests/cup")


def count_played(folder: Path) -> int:
    with closing(open_store(f"sqlite:///{folder / DATABASE}")) as store:
        return store.count()


@pytest.mark.timeout(120)
def test_hosts_with_folders_apart_have_the_tournaments_of_one_database(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    """Made on a host that plays nothing, played on another, and shown by both."""
    url = postgresql.new_url()
    with serving(tmp_path / "one", url) as one:
        ladder, _ = with_bots(one, NAMES[:2])
        other = Server(tmp_path / "other", url=url, is_web_only=True)
        with closing(other.storage), closing(other.site):
            make_cup(other, ladder)
            for server in (one, other):
                browser = server.browser()
                assert eventually(partial(says_over, browser))
                assert "2 of 2 matches played" in browser.text("/contests/cup")


def test_a_tournament_that_cannot_be_understood_keeps_no_other_from_being_played(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        ladder, _ = with_bots(server, NAMES[:2])
        made = {"name": "bad", "plan": "{", "begun_at": now(), "ladder": ladder.id}
        server.storage.database.write(insert(contests).values(made))
        make_cup(server, ladder)
        assert eventually(partial(says_over, server.browser()))
        assert "cannot be understood: bad" in server.browser().text("/contests")
        assert "cannot be understood: bad" in server.organizer().text("/admin/contests")
        page = server.browser().get("/contests/bad")
        assert page.status_code == 500
        assert "this tournament cannot be shown" in page_text(page)
    (words,) = server.said
    assert "tournament 'bad'" in words
    assert "cannot be understood" in words


def says_over(browser: Browser) -> bool:
    return " over " in browser.text("/contests/cup")
