"""What the pages of tournaments and ladders are sent while somebody looks at them."""

import json
from typing import Any

from engine.play_options import PlayOptions
from tests.server.contests.test_playing_now import Arena, Running
from tests.server.http.test_shared_stream import Shared, shared_stream


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
        running = Running(made.folder, tournament.field.make_job(first.fixture, PlayOptions()))
        running.show(len(running.lines) // 2)
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
        running = made.start(made.waiting[0])
        running.show(len(running.lines) // 2)
        (found,) = read_until(stream, lambda news: news["matches"])["matches"]
        assert found["path"] == f"/matches/{made.waiting[0].public_id}/watch"
        answer = made.visitor.get(f"/api/v1/ladders/{made.ladder.id}/playing")
        assert json.loads(answer.text)["matches"] == [found]
    made.freeze()
    with shared_stream(home, topic) as stream:
        assert stream.next()[1]["status"] == 404
