"""Pages of ladders, bots and matches, and who sees what of them."""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image
from sqlalchemy import select, update

from engine.fault import Cause
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import FaultAside
from runners.contests.contests import Ladder
from runners.contests.ladder_ratings import Published, compute_ratings, publish
from runners.contests.ladders import Ladders
from runners.storage.database import Database, now
from runners.storage.ladder_tables import ratings, versions
from server.contests import contest_pages
from server.contests.bot_pages import rating_chart
from server.contests.notices import Notices
from tests.server.contests.field import (
    Made,
    enter_all,
    playing,
    real_bot_in,
    results_in,
    tiny_ladder_in,
)
from tests.server.members import HOST, Browser, Server, page_text, read_link, serving
from tests.shell import eventually
from tests.visualizer.painting import RED, blob, picture_color, png
from visualizer.drawing.custom_sprites import CustomSprites, save_sprites

MATCHES = 12
SAYS = "print('what I think'); return 'LEFT'"
BREAKS = "raise ValueError('my secret plan')"


class Played:
    """A ladder that was played: bots of Ann and of Ben, and one of Cem that breaks."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.server = server
        self.database: Database = server.storage.database
        self.organizer = server.organizer()
        self.ann, self.ben, self.cem = (server.member(name) for name in ("Ann", "Ben", "Cem"))
        self.visitor = server.browser()
        self.ladder: Ladder = tiny_ladder_in(self.database, name="Tiny")
        self.alpha = self._bot(folder, "alpha", SAYS, "Ann")
        save_sprites(CustomSprites(base=png(blob(RED))), folder, self.find_digest(self.alpha))
        self.beta = self._bot(folder, "beta", "return 'BITEUP'", "Ben")
        self.gamma = self._bot(folder, "gamma", BREAKS, "Cem")
        enter_all(self.database, self.ladder, [self.alpha, self.beta, self.gamma])
        with playing(self.database, folder):
            assert eventually(lambda: len(results_in(self.database, self.ladder)) >= MATCHES)
        self.rate()
        self.rows = results_in(self.database, self.ladder)

    def _bot(self, folder: Path, name: str, decide: str, author: str) -> Made:
        person = self.server.person_id(author)
        return real_bot_in(self.database, folder, name, decide, person=person)

    def find_digest(self, bot: Made) -> str:
        query = select(versions.c.digest).where(versions.c.id == bot.version)
        return str(self.database.fetch_value(query))

    def rate(self, until: datetime | None = None) -> None:
        """Publish the ratings of now, or of a freeze."""
        with self.database.reading() as connection:
            found = compute_ratings(connection, self.ladder.id, until)
        publish(self.database, self.ladder.id, found, until or now())

    def find_match(self, *bots: Made) -> str:
        """Return the public id of the first match in which these play."""
        wanted = {one.version for one in bots}
        return next(
            str(row.public_id) for row in self.rows if set(msgspec.json.decode(row.seats)) == wanted
        )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("ladder")
    with serving(folder) as server:
        yield Played(folder, server)


def test_everybody_sees_the_ladders_and_their_tables(played: Played) -> None:
    assert "Tiny" in played.visitor.text("/contests")
    text = played.visitor.text(f"/contests/{played.ladder.id}")
    assert "3 bots" in text
    for word in ("alpha", "Ann", "beta", "Ben", "gamma", "Cem"):
        assert word in text
    assert "Your bot" not in text
    assert "Your bot alpha is number" in played.ann.text(f"/contests/{played.ladder.id}")


def test_who_breaks_in_every_match_is_the_last(played: Played) -> None:
    page = played.visitor.get(f"/contests/{played.ladder.id}").text
    assert page.index(f"/bots/{played.gamma.id}") > page.index(f"/bots/{played.beta.id}")


def test_a_bots_page_shows_its_record_to_everybody(played: Played) -> None:
    text = played.visitor.text(f"/bots/{played.alpha.id}")
    assert "Slime Mind, by Ann" in text
    assert "version 1" in text
    assert "beta" in text
    assert "gamma" in text
    assert "p95 call" in text
    assert "Submit a new version" not in text
    assert "Submit a new version" in played.ann.text(f"/bots/{played.alpha.id}")


@pytest.mark.parametrize(
    ("who", "sees"), [("visitor", False), ("ann", False), ("cem", True), ("organizer", True)]
)
def test_the_words_of_faults_are_for_the_author(played: Played, who: str, sees: bool) -> None:
    browser: Browser = getattr(played, who)
    match = played.find_match(played.alpha, played.gamma)
    for path in (f"/bots/{played.gamma.id}", f"/matches/{match}"):
        text = browser.text(path)
        assert ("my secret plan" in text) is sees
        assert "exception" in text  # the cause is for everybody


def test_a_bots_own_picture_is_on_the_page_of_a_match_and_in_its_replay(played: Played) -> None:
    match = played.find_match(played.alpha, played.beta)
    page = played.visitor.get(f"/matches/{match}").text
    shown = re.findall(rf'src="(/matches/{match}/pictures/\d)"', page)
    assert len(shown) == 1
    assert picture_color(played.visitor.get(shown[0]).content) == RED
    team = int(shown[0][-1])
    assert played.visitor.get(f"/matches/{match}/pictures/{3 - team}").status_code == 404
    scene = played.visitor.get(f"/api/v1/matches/{match}/scene").text
    images = json.loads(scene.partition("data: ")[2])["images"]
    red = {one["name"] for one in images if is_red(picture_color(base64.b64decode(one["png"])))}
    assert {re.sub(r":\d+$", "", name) for name in red} <= {f"slime_{team}", f"king_{team}"}
    assert red != set()


def is_red(color: str) -> bool:
    """Return whether a color is RED but for what a palette makes of it."""
    parts = (bytes.fromhex(one[1:]) for one in (color, RED))
    return all(abs(found - wanted) < 16 for found, wanted in zip(*parts, strict=True))


def test_what_is_sent_of_a_match_has_no_words_of_faults(played: Played, tmp_path: Path) -> None:
    match = played.find_match(played.alpha, played.gamma)
    assert "my secret plan" not in played.visitor.get(f"/api/v1/matches/{match}/scene").text
    content = played.visitor.get(f"/matches/{match}/replay").content
    assert b"my secret plan" not in gzip.decompress(content)
    path = tmp_path / "replay.jsonl.gz"
    path.write_bytes(content)
    replay = Replay(path)
    faults = [one for one in replay.asides if isinstance(one, FaultAside)]
    assert {one.cause for one in faults} >= {Cause.EXCEPTION}
    assert {one.detail for one in faults} == {""}
    assert verify(replay) is None


@pytest.mark.parametrize(
    ("who", "status"),
    [("visitor", 404), ("ben", 404), ("cem", 404), ("ann", 200), ("organizer", 200)],
)
def test_a_log_is_for_the_author_and_organizers(played: Played, who: str, status: int) -> None:
    browser: Browser = getattr(played, who)
    match = played.find_match(played.alpha, played.beta)
    seats = msgspec.json.decode(next(row.seats for row in played.rows if row.public_id == match))
    seat = seats.index(played.alpha.version) + 1
    answer = browser.get(f"/matches/{match}/logs/{seat}")
    assert answer.status_code == status
    assert ("what I think" in answer.text) is (status == 200)
    if status == 200:
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert f"/matches/{match}/logs/{seat}" in browser.get(f"/matches/{match}").text
    else:
        assert f"/matches/{match}/logs/{seat}" not in browser.get(f"/matches/{match}").text


@pytest.mark.parametrize("seat", ["0", "3", "x", "99999999"])
def test_there_is_no_log_of_another_seat(played: Played, seat: str) -> None:
    match = played.find_match(played.alpha, played.beta)
    assert played.organizer.get(f"/matches/{match}/logs/{seat}").status_code == 404


def test_a_match_has_all_that_is_needed_to_verify_it(played: Played) -> None:
    match = played.find_match(played.alpha, played.beta)
    row = next(row for row in played.rows if row.public_id == match)
    text = played.visitor.text(f"/matches/{match}")
    assert row.seed in text
    assert row.key in text
    assert msgspec.json.decode(row.result)["fingerprint"] in text
    assert f"python3 replay.py match-{match}.jsonl.gz --verify" in text
    assert "The same map from every side" in text
    replay = played.visitor.get(f"/matches/{match}/replay")
    assert replay.content[:2] == b"\x1f\x8b"
    assert f'filename="match-{match}.jsonl.gz"' in replay.headers["content-disposition"]


def test_a_match_is_watched_by_everybody(played: Played) -> None:
    match = played.find_match(played.alpha, played.beta)
    page = played.visitor.get(f"/matches/{match}/watch")
    assert page.status_code == 200
    assert "alpha" in page.text
    scene = played.visitor.get(f"/api/v1/matches/{match}/scene")
    assert scene.headers["content-type"].startswith("text/event-stream")
    assert scene.text.startswith("event: scene\n")


def test_two_bots_are_compared(played: Played) -> None:
    text = played.visitor.text(f"/bots/{played.alpha.id}/against/{played.gamma.id}")
    assert "alpha against gamma" in text
    assert "of the points for alpha" in text
    assert (
        played.visitor.get(f"/bots/{played.alpha.id}/against/{played.alpha.id}").status_code == 404
    )


@pytest.mark.parametrize(
    "path",
    [
        *("/contests/none", "/bots/none", "/matches/0", "/matches/x", "/matches/9/logs/1"),
        "/matches/0/watch",
    ],
)
def test_what_is_not_there_is_not_found(played: Played, path: str) -> None:
    assert played.visitor.get(path).status_code == 404


@pytest.mark.parametrize("page", ["2", "0", "-1", "x", "9999999"])
def test_pages_of_matches_are_within_bounds(played: Played, page: str) -> None:
    assert played.visitor.get(f"/bots/{played.alpha.id}?page={page}").status_code == 200


def test_a_link_to_a_match_has_a_picture_and_does_not_tell_who_won(played: Played) -> None:
    match = played.rows[0].public_id
    page = played.visitor.get(f"/matches/{match}/watch").text
    address = re.search(r'<meta property="og:image" content="([^"]+)"', page)
    assert address is not None
    assert address[1].endswith(f"/matches/{match}/preview.png")
    answer = played.visitor.get(f"/matches/{match}/preview.png")
    assert answer.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == (1200, 630)
    assert played.visitor.get(f"/matches/{match}/preview.png").content == answer.content
    assert re.search(r'og:description" content="A match of Slime Mind: watch it', page)


@pytest.mark.parametrize("what", ["bot", "ladder"])
def test_pages_show_their_newest_match_as_a_small_board(played: Played, what: str) -> None:
    path = f"/bots/{played.alpha.id}" if what == "bot" else f"/contests/{played.ladder.id}"
    page = played.visitor.get(path).text
    board = re.search(r'src="(/matches/[^"]+/board.png)" [^>]*>\s*<span>([^<]+)<strong>', page)
    assert board is not None
    assert " : " in board[2]
    answer = played.visitor.get(board[1])
    assert answer.headers["content-type"] == "image/png"
    width, height = Image.open(BytesIO(answer.content)).size
    assert (width, height) <= (360, 240)


def test_the_page_of_a_person_lists_their_bots_on_ladders(played: Played) -> None:
    page = played.ben.get(f"/people/{played.server.person_id('Ann')}").text
    assert f'<a href="/bots/{played.alpha.id}">alpha</a> <span class="quiet">Slime Mind' in page
    assert played.beta.id not in page


def test_only_its_author_opens_a_bot_to_people(played: Played) -> None:
    path, opened = f"/bots/{played.alpha.id}", {"open": "yes"}
    assert played.ben.post(f"{path}/open", opened).status_code == 404
    assert "/sign-in" in str(played.visitor.post(f"{path}/open", opened).url)
    assert "Play against it" not in played.ben.text(path)
    played.ann.post(f"{path}/open", opened)
    bot = played.server.site.bots.bots.bot(played.alpha.id)
    assert bot is not None
    assert bot.is_open  # Slime Mind has no board, so that there is no button
    played.ann.post(f"{path}/open", {"open": "no"})


@pytest.mark.slow
def test_a_frozen_season_shows_nobody_what_came_later(played: Played) -> None:
    ladders = Ladders(played.database)
    times = [row.played_at for row in played.rows]
    frozen_at = times[5].replace(tzinfo=now().tzinfo)
    frozen = msgspec.structs.replace(
        played.ladder, freezes_at=frozen_at, ends_at=now() + timedelta(hours=1)
    )
    ladders.change(frozen)
    try:
        played.rate(frozen_at)
        late = played.rows[-1].public_id
        for browser in (played.visitor, played.ann):
            text = browser.text(f"/contests/{frozen.id}")
            assert "5 matches" in text
            assert "frozen as it stood" in text
            table = json.loads(browser.get(f"/api/v1/ladders/{frozen.id}").content)
            assert (table["ladder"]["matches"], table["ladder"]["is_frozen"]) == (5, True)
            assert browser.get(f"/matches/{late}/replay").status_code == 404
            assert browser.get(f"/matches/{late}/watch").status_code == 404
            shown = browser.get(f"/matches/{late}")
            assert shown.status_code == 404 or played.rows[-1].seed not in shown.text
            assert f"/matches/{late}" not in browser.get(f"/bots/{played.alpha.id}").text
        assert f"{len(played.rows)} matches" in played.organizer.text(f"/contests/{frozen.id}")
        assert played.organizer.get(f"/matches/{late}/replay").status_code == 200
    finally:
        ladders.change(played.ladder)
    assert f"{len(played.rows)} matches" in played.visitor.text(f"/contests/{frozen.id}")


def test_a_person_sees_what_changed_until_it_is_marked(played: Played) -> None:
    notices = Notices(played.database)
    person = played.server.person_id("Ben")
    notices.tell([person], "beta leads <Tiny>", f"/contests/{played.ladder.id}")
    assert "changed for your bots" in played.ben.text("/")
    page = played.ben.get("/notices")
    assert "beta leads &lt;Tiny&gt;" in page.text
    assert "new" in page_text(page)
    feed = played.visitor.get(read_link(played.ben.post("/me/feed"))).text
    assert "<title>beta leads &lt;Tiny&gt;</title>" in feed
    assert f'<link href="http://{HOST}/contests/{played.ladder.id}"/>' in feed
    newest = notices.of(person, 1)[0].id
    played.ben.post("/notices/seen", {"up_to": str(newest)})
    assert "changed for your bots" not in played.ben.text("/")
    assert "beta leads" in played.ben.text("/notices")
    assert "beta leads" not in played.ann.text("/notices")


def test_a_withdrawn_bot_leaves_the_table_at_once(played: Played) -> None:
    path = f"/admin/contests/{played.ladder.id}/entries/{played.gamma.id}"
    try:
        answer = played.organizer.post(
            f"{path}/disqualify", {"reason": "it was copied", "matches": "keep"}
        )
        assert answer.status_code == 200, page_text(answer)
        text = played.visitor.text(f"/contests/{played.ladder.id}")
        assert "2 bots" in text
        assert "gamma was disqualified on" in text
        assert "it was copied" in played.visitor.text(f"/bots/{played.gamma.id}")
        assert "gamma was disqualified from Tiny: it was copied" in played.cem.text("/notices")
    finally:
        played.organizer.post(f"{path}/approve", {"why": ""})


def test_an_empty_ladder_says_how_to_begin(played: Played) -> None:
    usual: Any = tiny_ladder_in(played.database, name="Empty")
    assert "Nobody is here yet" in played.visitor.text(f"/contests/{usual.id}")


def test_a_chart_goes_on_with_the_newest_version_that_has_a_rating() -> None:
    def rating(version: str, minute: int, elo: float) -> Published:
        at = datetime(2026, 1, 1, 0, minute, tzinfo=UTC)
        return Published(version=version, at=at, games=9, elo=elo, low=elo - 50, high=None)

    history = [
        rating("one", 0, 1500),
        rating("one", 1, 1510),
        rating("two", 2, 1600),
        rating("one", 2, 1505),  # it is rated on, as the results of others change
        rating("one", 3, 1490),
        rating("two", 3, 1620),
    ]
    chart = rating_chart(history, {"one": 1, "two": 2})
    assert chart is not None
    assert [float(point.split(",")[0]) for point in chart.line.split()] == pytest.approx(
        [0, 213.3, 426.7, 640], abs=0.1
    )
    ((place, number),) = chart.changes
    assert (round(place), number) == (427, 2)
    heights = [float(point.split(",")[1]) for point in chart.line.split()]
    assert heights == sorted(heights, reverse=True)  # it rose all the time
    # The second version has not played enough: what stands beside the chart is the first one's.
    provisional = rating_chart(history, {"one": 1, "two": 2}, rating("one", 4, 1480))
    assert provisional is not None
    assert (len(provisional.line.split()), provisional.changes) == (5, [])


def test_there_is_no_chart_of_a_single_rating() -> None:
    assert rating_chart([], {}) is None


def test_a_bots_page_counts_matches_that_no_rating_has_seen_yet(played: Played) -> None:
    own = [row for row in played.rows if played.alpha.version in row.seats]
    played.database.write(update(ratings).values(games=1))
    assert f"{len(own)} games" in played.visitor.text(f"/bots/{played.alpha.id}")
    played.rate()


def listed_names(text: str) -> list[str]:
    """Return the names in the lines of a table, in their order."""
    return re.findall(r'<td class="name"><a href="/bots/\w+">([^<]+)</a>', text)


def test_a_large_table_comes_in_pages_and_is_filtered_whole(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = listed_names(played.visitor.get(f"/contests/{played.ladder.id}").text)
    assert len(whole) == 3
    monkeypatch.setattr(contest_pages, "BOTS_PER_PAGE", 2)
    place = f"/contests/{played.ladder.id}?q="
    first, second, beyond = (
        played.visitor.get(f"{place}&page={number}").text for number in (1, 2, 9)
    )
    assert (listed_names(first), listed_names(second)) == (whole[:2], whole[2:])
    assert listed_names(beyond) == whole[2:]
    assert "page 1 of 2" in first
    assert 'data-whole=""' in first
    assert listed_names(played.visitor.get(f"{place}{whole[2].upper()}").text) == [whole[2]]
    assert "1 of 3" in played.visitor.text(f"{place}{whole[2]}")
    assert listed_names(played.visitor.get(f"{place}%22%3E%3Cb%3E").text) == []


def test_the_ladder_of_a_game_that_people_play_shows_bots_people_or_both(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ladder = next(one for one in Ladders(server.storage.database).all() if one.name == "Smack!")
        browser = server.browser()

        def shown(query: str) -> tuple[bool, bool]:
            text = browser.text(f"/contests/{ladder.id}{query}")
            return "Random" in text, "on a scale of their own" in text or "of people is" in text

        assert shown("") == (True, True)
        assert shown("?show=bots") == (True, False)
        assert shown("?show=people") == (False, True)
        assert shown("?show=nonsense") == (True, True)
        all_ladders = Ladders(server.storage.database).all()
        other = next(one for one in all_ladders if one.name == "Game of Death")
        assert "Bots and people" not in browser.text(f"/contests/{other.id}")
