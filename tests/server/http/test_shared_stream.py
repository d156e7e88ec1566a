"""One stream for all that a browser follows."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from starlette.requests import Request

from server.games.game_service import GameService
from server.http.event_streams import Events, Followers, SharedStream, StreamEvent
from server.http.responses import MAX_TOPICS, game_cookie_name
from tests.server.conftest import Serve
from tests.server.games.test_watching import play, resign_all
from tests.server.playing import start_game

PATIENCE_S = 20


class Shared:
    """A shared stream, as a browser's pages read it."""

    def __init__(self, response: httpx2.Response) -> None:
        self._lines = response.iter_lines()

    def next(self) -> tuple[dict[str, Any], Any]:
        """Return the head and the data of the next event of a topic."""
        while True:
            head, data = self.next_of_all()
            if "topic" in head:
                return head, data

    def next_of_all(self) -> tuple[dict[str, Any], Any]:
        """Return the same of the next event, be it only that the stream is alive."""
        for line in self._lines:
            if line:
                data = next(self._lines)
                return json.loads(line.removeprefix("data: ")), json.loads(
                    data.removeprefix("data: ")
                )
        raise AssertionError("the stream has ended")


@contextmanager
def shared_stream(
    address: str, *topics: str, cookies: dict[str, str] | None = None
) -> Iterator[Shared]:
    params = {"topic": list(topics)}
    with (
        httpx2.Client(timeout=PATIENCE_S, cookies=cookies) as client,
        client.stream("GET", f"{address}/api/v1/stream", params=params) as response,
    ):
        assert response.status_code == 200
        yield Shared(response)


def test_a_stream_sends_what_each_of_its_topics_does(
    game_service: GameService, serve: Serve
) -> None:
    address, games = serve(game_service), [start_game(game_service), start_game(game_service)]
    topics = [f"games/{games[0]}/events", f"games/{games[1]}/events", f"games/{games[1]}/scene"]
    with shared_stream(address, *topics) as stream:
        first = [stream.next() for _ in topics]
        assert sorted((head["topic"], head["event"]) for head, _ in first) == [
            (0, "position"),
            (1, "position"),
            (2, "scene"),
        ]
        assert {data["id"] for head, data in first if head["event"] == "position"} == set(games)
        play(game_service, games[0])
        head, data = stream.next()
    assert (head["topic"], data["id"], data["step"]) == (0, games[0], 1)
    assert [each["words"] for each in data["happened"]] == [
        data["board"]["halves"][0]["history"][0]
    ]


def test_who_knows_all_of_a_topic_is_sent_what_comes_next(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    topics = [f"games/{game}/events", f"games/{game}/scene"]
    with shared_stream(address, *topics) as stream:
        lasts = {head["topic"]: head["last"] for head, _ in (stream.next(), stream.next())}
    again = [f"{topic}@{lasts[number]}" for number, topic in enumerate(topics)]
    with shared_stream(address, *again) as stream:
        play(game_service, game)
        found = {head["event"]: data for head, data in (stream.next(), stream.next())}
    assert found["position"]["step"] == 1
    assert "facts" not in found["scene"]


def test_who_was_told_of_a_change_is_not_told_of_it_again(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    with shared_stream(address, f"games/{game}/events") as stream:
        stream.next()
        play(game_service, game)
        assert stream.next()[1]["step"] == 1
        game_service.announce_change(game)  # nothing has changed since
        assert stream.next_of_all() == ({"event": "alive"}, None)


def test_what_came_while_nobody_was_connected_is_not_lost(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    with shared_stream(address, f"games/{game}/events") as stream:
        last = stream.next()[0]["last"]
    play(game_service, game, 2)
    with shared_stream(address, f"games/{game}/events@{last}") as stream:
        _, data = stream.next()
    assert (data["step"], len(data["happened"])) == (2, 2)


def test_a_seat_shows_each_of_its_games_and_no_other(
    game_service: GameService, serve: Serve
) -> None:
    address, own, other = serve(game_service), start_game(game_service), start_game(game_service)
    cookies = {game_cookie_name(own): game_service.keys.new_token(own, [1])}
    topics = [f"games/{own}/events", f"games/{other}/events"]
    with shared_stream(address, *topics, cookies=cookies) as stream:
        shown = [stream.next()[1] for _ in topics]
    yours = {data["id"]: [seat["is_yours"] for seat in data["seats"]] for data in shown}
    assert yours == {own: [True, False], other: [False, False]}


def test_a_topic_that_is_refused_ends_and_the_others_go_on(
    game_service: GameService, serve: Serve
) -> None:
    address, game, unknown = serve(game_service), start_game(game_service), "0" * 16
    with shared_stream(address, f"games/{unknown}/events", f"games/{game}/events") as stream:
        ends = [event for event in (stream.next(), stream.next()) if event[0]["event"] == "end"]
        assert ends == [
            (
                {"topic": 0, "event": "end", "last": None},
                {"status": 404, "error": "there is no such game"},
            )
        ]
        play(game_service, game)
        assert stream.next()[1]["step"] == 1


def test_a_scene_that_is_over_ends_its_topic(game_service: GameService, serve: Serve) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game)
    resign_all(game_service, game)
    with shared_stream(address, f"games/{game}/scene") as stream:
        heads = [stream.next()[0]["event"] for _ in range(2)]
    assert heads == ["scene", "end"]


def test_who_follows_a_game_that_too_many_follow_is_told_so(
    game_service: GameService, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.http.event_streams.MAX_STREAMS_PER_GAME", 0)
    address, game = serve(game_service), start_game(game_service)
    with shared_stream(address, f"games/{game}/events") as stream:
        assert stream.next()[1]["status"] == 503


@pytest.mark.parametrize(
    ("topics", "message"),
    [
        ([], "0 topics; expected 1 to 50"),
        ([f"games/{number}/events" for number in range(MAX_TOPICS + 1)], "51 topics"),
        (["games/x/orders"], "expected games/ID/events or games/ID/scene"),
        (["games/x"], "is not a topic"),
        (["games/x/events@a b"], "is not a topic"),
        (["games/../events"], "is not a topic"),
    ],
)
def test_what_is_not_a_topic_is_refused(
    game_service: GameService, serve: Serve, topics: list[str], message: str
) -> None:
    answer = httpx2.get(f"{serve(game_service)}/api/v1/stream", params={"topic": topics})
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_nothing_is_followed_any_more_once_a_browser_has_left() -> None:
    async def check() -> None:
        news = Followers()

        async def follow(request: Request, game_id: str, last: str | None) -> Events:
            with news.follow(game_id) as woken:
                assert woken is not None
                yield StreamEvent("position", b"1")
                await woken.wait()

        query = b"topic=games/a/events&topic=games/b/events"
        request = Request({"type": "http", "query_string": query, "headers": []})
        stream: Any = SharedStream(news, {"games/events": follow}).response(request)
        heard = 0

        async def read() -> None:
            nonlocal heard
            async for _ in stream.body_iterator:
                heard += 1

        reading = asyncio.create_task(read())
        while heard < 3:
            await asyncio.sleep(0)
        assert news.streams == 2
        reading.cancel()
        await asyncio.wait([reading])
        while news.streams:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(check(), PATIENCE_S))
