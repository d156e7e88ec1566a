"""What is being played at this moment: on pages, in the API, and in the viewer."""

import asyncio
import json
import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from engine.bots.finding import Copies, read_bot
from engine.catalog import find_game
from engine.play_options import PlayOptions
from engine.referee import Job, Referee
from engine.replays.decisions import DECISION_PREFIX
from engine.replays.writing import Contestant
from engine.result_folder import REPLAY, ResultFolder, live_file
from engine.streams import seed_text
from runners.contests.contests import Ladder, TournamentChoices, usual_spec
from runners.contests.ladder_fixtures import LadderFixture, LadderFixtures, match_job
from runners.contests.tournament import Tournament
from runners.execution.local_executor import Processes
from runners.starter_bots import starter_files
from runners.storage.database import now
from runners.storage.store import StoredResult
from runners.storage.tables import contests
from server.http.event_streams import StreamEvent
from server.watching.live_scene import LiveScene
from server.watching.running_matches import MAX_WATCHED_MATCHES, RunningMatch, RunningMatches
from tests.engine.bots.matches import DUEL, LENIENT, a_bot, a_job
from tests.engine.bots.matches import GAME as SLIME_MIND
from tests.server.contests.field import enter_all, ladder_in, real_bot_in
from tests.server.http.test_shared_stream import Shared, shared_stream
from tests.server.members import Server, page_text, serving
from tests.shell import eventually

TURNS = 12
WALK = "return ('LEFT', 'UP', 'RIGHT', 'DOWN')[slime.id % 4]"


class Arena:
    """A server with a ladder of two bots, and a set of matches that are to be played."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.server = server
        self.folder = folder
        self.database = server.storage.database
        self.visitor = server.browser()
        self.organizer = server.organizer()
        spec = msgspec.structs.replace(
            usual_spec(SLIME_MIND),
            settings=msgspec.structs.replace(DUEL, max_turns=TURNS),
            limits=LENIENT,
        )
        self.ladder: Ladder = ladder_in(self.database, name="Spring", spec=spec)
        self.bots = [real_bot_in(self.database, folder, name, WALK) for name in ("ann", "bob")]
        enter_all(self.database, self.ladder, self.bots)
        self.fixtures = LadderFixtures(self.database)
        self.waiting = self.draw_set(7)

    def draw_set(self, seed: int) -> list[LadderFixture]:
        """Draw matches that are to be played."""
        seated = self.fixtures.find_contenders(self.ladder.id)
        return self.fixtures.add_set(self.ladder, seated, seed)

    def job(self, fixture: LadderFixture) -> Job:
        return match_job(
            self.ladder, fixture, self.fixtures.find_seated_contenders(fixture), PlayOptions()
        )

    def start(self, fixture: LadderFixture) -> "Running":
        return self.begin(self.job(fixture))

    def begin(self, job: Job) -> "Running":
        """Play a match, of which the first half is shown."""
        running = Running(self.folder, job)
        running.show(len(running.lines) // 2)
        return running

    def play(self, fixture: LadderFixture) -> LadderFixture:
        """Play a match to its end."""
        running = self.start(fixture)
        running.end()
        self.keep(fixture, running)
        return fixture

    def keep(self, fixture: LadderFixture, running: "Running") -> None:
        """Keep the result of a match that has ended."""
        saved = msgspec.convert(running.result, StoredResult, from_attributes=True)
        self.fixtures.save_result(fixture, saved, SLIME_MIND.name)

    def playing(self, query: str = "") -> list[dict[str, Any]]:
        self.forget()
        answer = self.visitor.get(f"/api/v1/ladders/{self.ladder.id}/playing{query}")
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = json.loads(answer.text)["matches"]
        return found

    def forget(self) -> None:
        """Look at once: what is being played is known for a second."""
        self.server.site.contests.running._looked_at = float("-inf")
        self.server.site.contests.playing._kept.clear()

    def make_cup(self) -> Tournament:
        """Make a tournament whose two matches are played by hand."""
        site = self.server.site.contests
        choices = TournamentChoices(format="single_elimination", games=1, rounds=None, table=2)
        site.player.close()
        made = site.tournaments
        made.make("cup", self.ladder, made.candidates(self.ladder.id), choices)
        tournament = made.load_tournament("cup")
        assert tournament is not None
        return tournament

    def freeze(self) -> None:
        frozen = {"freezes_at": now() - timedelta(seconds=1), "ends_at": now() + timedelta(days=1)}
        self.database.write(
            update(contests).where(contests.c.name == self.ladder.id).values(frozen)
        )


class Running:
    """A match that was played, and is shown as far as a test says."""

    def __init__(self, folder: Path, job: Job) -> None:
        self.key = job.spec.key
        self._home = folder / ResultFolder.MATCHES / self.key
        self._away = folder.parent / f"away-{self.key}"
        whole = folder.parent / f"{self.key}.whole"
        self.result = Referee(folder).play(job, live=whole)
        self.lines = whole.read_bytes().splitlines(keepends=True)
        shutil.move(self._home, self._away)
        self._file = live_file(folder, self.key)
        self._file.parent.mkdir(exist_ok=True)

    def show(self, count: int) -> None:
        """Let there be so many lines of it."""
        self._file.write_bytes(b"".join(self.lines[:count]))

    def end(self) -> None:
        """Leave its record, as whoever has played it does."""
        shutil.move(self._away, self._home)
        self._file.unlink()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    folder = tmp_path / "results"
    with serving(folder) as server:
        yield Arena(folder, server)


def test_pages_say_what_is_being_played(arena: Arena) -> None:
    ladder, bot = f"/contests/{arena.ladder.id}", f"/bots/{arena.bots[0].id}"
    assert "No match at this moment" in arena.visitor.text(ladder)
    fixture = arena.waiting[0]
    assert "It is yet to be played." in arena.visitor.text(f"/matches/{fixture.public_id}")
    arena.start(fixture)
    arena.forget()

    for path in (ladder, bot):
        page = arena.visitor.get(path)
        assert re.search(r"ann\s+against bob|bob\s+against ann", page_text(page))
        assert re.search(r"turn \d+", page_text(page))
        assert f'href="/matches/{fixture.public_id}/watch"' in page.text
    assert "It is being played now." in arena.visitor.text(f"/matches/{fixture.public_id}")
    assert "being played" not in arena.visitor.text(f"/matches/{arena.waiting[1].public_id}")


def test_the_first_board_is_in_the_page_of_a_match_while_it_is_played(arena: Arena) -> None:
    running, path = arena.start(arena.waiting[0]), f"/matches/{arena.waiting[0].public_id}/watch"
    running.show(1)
    assert "poster" not in arena.visitor.get(path).text  # where the page draws an empty frame
    running.show(len(running.lines) // 2)
    assert '<svg id="poster"' in arena.visitor.get(path).text


def test_programs_are_told_the_same(arena: Arena) -> None:
    assert arena.playing() == []
    running = arena.start(arena.waiting[0])

    (found,) = arena.playing()
    assert found["path"] == f"/matches/{arena.waiting[0].public_id}/watch"
    assert {seat["name"] for seat in found["seats"]} == {"ann", "bob"}
    assert 1 <= found["turn"] < TURNS
    assert not found["is_shown_late"]
    assert arena.playing(f"?bot={arena.bots[1].id}") == [found]
    assert arena.playing("?bot=nobody") == []
    running.end()
    assert arena.playing() == []


@pytest.mark.parametrize("path", ["matches/{}/scene", "stream?topic=matches/{}/scene"])
def test_a_match_is_followed_to_its_end(arena: Arena, path: str) -> None:
    fixture = arena.waiting[0]
    running = arena.start(fixture)
    page = arena.visitor.get(f"/matches/{fixture.public_id}/watch")
    assert "bundles/watch_running.js" in page.text

    scenes = follow_to_end(arena, "/api/v1/" + path.format(fixture.public_id), running)
    first, last = scenes[0], scenes[-1]
    assert first["isGrowing"]
    assert first["facts"]["game"] == "Slime Mind"
    assert first["seed"] is None
    assert not last["isGrowing"]
    assert last["ending"]["reason"] == running.result.reason
    assert "facts" not in last  # it goes on where the page is


def follow_to_end(arena: Arena, path: str, running: Running) -> list[dict[str, Any]]:
    """Return the scenes of a stream whose match ends once its beginning was read."""
    topics = arena.server.site.contests.running.topics

    def is_read(one: object) -> bool:
        return isinstance(one, LiveScene) and bool(one.source.moments)

    def end() -> None:
        eventually(lambda: any(map(is_read, topics.open_topics)))
        running.end()

    ending = threading.Thread(target=end)
    ending.start()
    try:
        text = arena.visitor.get(path).text
    finally:
        ending.join()
    found = re.findall(r"^data: (\{.*\})$", text, re.MULTILINE)
    return [scene for scene in map(json.loads, found) if "isGrowing" in scene]


def test_what_was_just_played_is_shown_before_its_result_is_known(arena: Arena) -> None:
    fixture = arena.waiting[0]
    running = arena.start(fixture)
    running.show(1)
    running.end()
    answer = arena.visitor.get(f"/api/v1/matches/{fixture.public_id}/scene")
    scene = json.loads(re.findall(r"^data: (.*)$", answer.text, re.MULTILINE)[-1])
    assert not scene["isGrowing"]
    arena.keep(fixture, running)
    page = arena.visitor.get(f"/matches/{fixture.public_id}/watch")
    assert "bundles/watch.js" in page.text
    assert '<svg id="poster"' in page.text


def test_in_a_frozen_season_only_organizers_see_what_is_played(arena: Arena) -> None:
    fixture = arena.waiting[0]
    arena.start(fixture)
    arena.freeze()
    assert arena.playing() == []
    page = arena.visitor.get(f"/contests/{arena.ladder.id}").text
    assert 'id="playing"' not in page
    watch = f"/matches/{fixture.public_id}/watch"
    assert arena.visitor.get(watch).status_code == 404
    assert arena.visitor.get(f"/api/v1/matches/{fixture.public_id}/scene").status_code == 404
    assert arena.organizer.get(watch).status_code == 200
    assert "Watch" in arena.organizer.text(f"/contests/{arena.ladder.id}")


def test_the_channel_of_a_ladder_shows_its_best_match(arena: Arena) -> None:
    path = f"/channel?ladder={arena.ladder.id}"
    assert "No match is on Spring" in arena.visitor.text(path)
    arena.start(arena.waiting[1])
    arena.forget()
    assert eventually(lambda: "No match" not in arena.visitor.text(path), 10)  # kept so long
    page = arena.visitor.get(path).text
    assert f'data-watch="/matches/{arena.waiting[1].public_id}/watch"' in page
    featured = arena.visitor.get(f"/api/v1/featured?ladder={arena.ladder.id}").text
    assert json.loads(featured)["match"]["path"].endswith(f"{arena.waiting[1].public_id}/watch")
    assert arena.visitor.get("/channel?ladder=nowhere").status_code == 404


# -- what is sent of a match, whatever contest it is of ------------------------------------------


def job_of_starters(folder: Path, game: str, settings: dict[str, Any]) -> Job:
    """A match of two starter bots."""
    named = find_game(game)
    spec = usual_spec(named)
    contestants = []
    for file in starter_files(game)[:2]:
        bot = read_bot(file)
        Copies(folder / "bots").save(bot)
        contestants.append(Contestant(name=file.stem, digest=bot.digest))
    changed = msgspec.structs.replace(
        spec,
        settings=msgspec.structs.replace(spec.settings, **settings),
        limits=LENIENT,
        bots=tuple(one.digest for one in contestants),
        seed=123_456_789_123,
    )
    return Job(spec=changed, contestants=tuple(contestants))


async def receive(
    matches: RunningMatches, key: str, most: int, then: Callable[[], None] | None = None
) -> list[StreamEvent]:
    """Return the first events that whoever follows a match is sent; call `then` after the first."""
    events: list[StreamEvent] = []
    async for event in matches.follow(key, None):
        if event is not None:
            events.append(event)
            if then is not None and len(events) == 1:
                then()
        if len(events) == most:
            break
    return events


def test_no_order_that_is_hidden_and_no_seed_is_sent(tmp_path: Path) -> None:
    job = job_of_starters(tmp_path / "out", "smac", {"last_turn": 6})
    running = Running(tmp_path / "out", job)
    assert any(DECISION_PREFIX in line for line in running.lines)
    running.show(len(running.lines) - 2)
    (event,) = asyncio.run(receive(RunningMatches(tmp_path / "out"), job.spec.key, 1))
    assert event.kind == "scene"
    scene = json.loads(event.data)
    assert scene["isGrowing"]
    assert not any(scene["decisions"])
    assert seed_text(job.spec.seed) not in event.data.decode()


def test_a_game_that_is_shown_late_is_shown_once_it_is_over(tmp_path: Path) -> None:
    job = job_of_starters(tmp_path / "out", "game_of_death", {"max_turns": 5})
    running = Running(tmp_path / "out", job)
    running.show(len(running.lines) - 1)
    assert RunningMatch(tmp_path / "out", job.spec.key).draw_first_board() == b""
    waiting, over = asyncio.run(
        receive(RunningMatches(tmp_path / "out"), job.spec.key, 2, then=running.end)
    )
    assert waiting.kind == "wait"
    assert b"once it is over" in waiting.data
    assert over.kind == "over"  # its page is loaded again, and shows the copy for everybody


def test_few_matches_are_read_at_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    running = Running(out, a_job(out, *(a_bot(tmp_path / n, WALK, name=n) for n in ("a", "b"))))
    running.show(2)
    keys = [f"{number:064x}" for number in range(MAX_WATCHED_MATCHES + 1)]
    for key in keys:
        shutil.copy(live_file(out, running.key), live_file(out, key))

    async def watch_all() -> list[str]:
        matches, kinds = RunningMatches(out), []
        streams = [matches.follow(key, None) for key in keys]
        for stream in streams:
            event = await anext(stream)
            kinds.append(event.kind if event else "")
        for stream in streams:
            await stream.aclose()  # type: ignore[attr-defined]
        again = await receive(matches, keys[-1], 1)
        return [*kinds, again[0].kind]

    assert asyncio.run(watch_all()) == ["scene"] * MAX_WATCHED_MATCHES + ["wait", "scene"]


def test_what_a_server_plays_can_be_read_meanwhile_and_leaves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    bots = [
        a_bot(tmp_path / name, "import time\ntime.sleep(0.3)\nreturn None", name=name)
        for name in ("a", "b")
    ]
    job = a_job(out, *bots)
    left = live_file(out, "f" * 64)
    left.parent.mkdir(parents=True)
    left.touch()
    os.utime(left, (time.time() - 3_600,) * 2)
    executor = Processes(out, 1, is_watched=True)
    try:
        assert not left.exists()
        attempt = executor.submit(job)
        matches = RunningMatches(out)
        assert eventually(lambda: matches.matches_with_turns().get(job.spec.key) is not None)
        attempt.result(60)
        assert not live_file(out, job.spec.key).exists()
        assert (out / ResultFolder.MATCHES / job.spec.key / REPLAY).exists()
    finally:
        executor.end(at_once=True)


# -- tournaments ---------------------------------------------------------------------------------


def test_a_tournament_lists_what_was_played_is_played_and_waits(arena: Arena) -> None:
    tournament = arena.make_cup()
    first, second = tournament.ledger()
    running = arena.begin(tournament.field.make_job(first.fixture, PlayOptions()))
    arena.forget()

    page = arena.visitor.get("/contests/cup")
    watch = f"/contests/cup/matches/{first.key}/watch"
    assert f'href="{watch}"' in page.text
    assert "being played" in re.findall(r"<svg.*</svg>", page.text, re.DOTALL)[0]
    assert 'href="/contests/cup/matches?pairing=1.1"' in page.text
    assert 'href="/contests/cup/matches?bot=1&amp;other=2"' in page.text
    listed = arena.visitor.text("/contests/cup/matches?bot=1&other=2")
    assert "being played" in listed
    assert "waiting" in listed
    found = json.loads(arena.visitor.get("/api/v1/tournaments/cup/matches").text)
    assert [one["state"] for one in found["matches"]] == ["playing", "waiting"]
    assert found["matches"][1]["path"] is None
    assert "watch_running.js" in arena.visitor.get(watch).text
    assert arena.visitor.get(f"/contests/cup/matches/{second.key}/watch").status_code == 404
    assert arena.visitor.get("/contests/cup/matches?bot=x").status_code == 404

    topic = f"tournaments/cup/matches/{first.key}/scene"
    scenes = follow_to_end(arena, f"/api/v1/stream?topic={topic}", running)
    assert scenes[0]["isGrowing"]
    assert not scenes[-1]["isGrowing"]
    tournament.store.add(running.result)
    arena.forget()
    assert eventually(
        lambda: (
            json.loads(arena.visitor.get("/api/v1/tournaments/cup/matches").text)["matches"][0][
                "state"
            ]
            == "played"
        )
    )
    assert "bundles/watch.js" in arena.visitor.get(watch).text
    answer = arena.visitor.get(f"/api/v1/tournaments/cup/matches/{first.key}/scene")
    assert answer.status_code == 200


# -- what pages are sent while somebody looks at them ---------------------------------------------


def read_until(stream: Shared, is_wanted: Any) -> Any:
    while not is_wanted(found := stream.next()[1]):
        pass
    return found


def test_a_tournament_tells_what_is_played_and_when_its_page_is_old(
    served_arena: tuple[Arena, str],
) -> None:
    made, home = served_arena
    tournament = made.make_cup()
    first = next(iter(tournament.ledger()))
    page = made.visitor.get("/contests/cup").text
    with shared_stream(home, "tournaments/cup/news", "tournaments/none/news") as stream:
        both = sorted((stream.next(), stream.next()), key=lambda one: one[0]["topic"])
        (_, before), (_, refused) = both
        assert before["matches"] == []
        assert f'data-mark="{before["mark"]}"' in page  # nothing is loaded again
        assert refused["status"] == 404
        running = made.begin(tournament.field.make_job(first.fixture, PlayOptions()))
        playing = read_until(stream, lambda news: news["matches"])
        assert playing["matches"][0]["path"] == f"/contests/cup/matches/{first.key}/watch"
        assert playing["mark"] != before["mark"]
        running.end()
        tournament.store.add(running.result)
        played = read_until(stream, lambda news: not news["matches"])
        assert played["mark"] not in (before["mark"], playing["mark"])


def test_what_a_ladder_plays_is_told_to_who_may_see_it(served_arena: tuple[Arena, str]) -> None:
    made, home = served_arena
    topic = f"ladders/{made.ladder.id}/playing"
    with shared_stream(home, topic) as stream:
        assert stream.next()[1] == {"matches": []}
        made.start(made.waiting[0])
        (found,) = read_until(stream, lambda news: news["matches"])["matches"]
        assert found["path"] == f"/matches/{made.waiting[0].public_id}/watch"
        answer = made.visitor.get(f"/api/v1/ladders/{made.ladder.id}/playing")
        assert json.loads(answer.text)["matches"] == [found]
    made.freeze()
    with shared_stream(home, topic) as stream:
        assert stream.next()[1]["status"] == 404
