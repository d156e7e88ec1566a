"""What viewers of a match that grows share, and what each of them is sent."""

import asyncio
import json
from pathlib import Path

import pytest
from starlette.types import Message

from server.http.event_streams import EventStream, Followers, encode_events
from server.watching.live_scene import LiveScene, Topics, follow
from server.watching.running_matches import RunningMatch
from tests.engine.bots.matches import a_bot, a_job
from tests.server.contests.test_playing_now import WALK, Running


@pytest.fixture
def running(tmp_path: Path) -> Running:
    out = tmp_path / "out"
    match = Running(out, a_job(out, *(a_bot(tmp_path / n, WALK, name=n) for n in ("a", "b"))))
    match.show(4)
    return match


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_who_comes_back_to_another_process_is_sent_everything(running: Running, out: Path) -> None:
    """Its count of moments says how often it looked, not how far the match had come."""
    scene = LiveScene(RunningMatch(out, running.key))
    last = scene.update_since(None).last
    running.show(6)
    last = scene.update_since(last).last
    later = LiveScene(RunningMatch(out, running.key))
    later.update_since(None)
    running.show(8)
    later.update_since(None)
    running.show(10)
    update = later.update_since(last)
    assert update.event is not None
    assert b'"facts":' in update.event.data


def test_each_viewer_gets_what_it_lacks_and_each_message_is_made_once(
    running: Running, out: Path
) -> None:
    scene = LiveScene(RunningMatch(out, running.key))
    lasts = [scene.update_since(None).last for _ in range(3)]
    running.show(6)
    first, *others = [scene.update_since(last) for last in lasts]
    assert first.event is not None
    assert all(one.event and one.event.data is first.event.data for one in others)
    assert scene.update_since(first.last).event is None


def test_a_match_that_was_void_begins_anew_for_who_saw_it(running: Running, out: Path) -> None:
    scene = LiveScene(RunningMatch(out, running.key))
    update = scene.update_since(None)
    (file,) = out.rglob(f"{running.key}.jsonl")
    file.write_bytes(file.read_bytes() + b"".join(running.lines[:3]))
    again = scene.update_since(update.last).event
    assert again is not None
    assert "facts" in json.loads(again.data)


def test_a_match_is_forgotten_when_its_last_viewer_leaves(running: Running, out: Path) -> None:
    async def watch() -> tuple[int, int]:
        scenes = Topics(Followers(), 0.05)
        first, second = (
            follow(scenes, running.key, lambda: LiveScene(RunningMatch(out, running.key)), None)
            for _ in range(2)
        )
        await anext(first)
        await anext(second)
        opened = len(scenes.open_topics)
        running.show(8)  # nobody says so: it is looked at
        assert await anext(first) == await anext(second)
        await first.aclose()  # type: ignore[attr-defined]
        await second.aclose()  # type: ignore[attr-defined]
        return opened, len(scenes.open_topics)

    assert asyncio.run(watch()) == (1, 0)


def test_who_may_no_longer_watch_is_sent_nothing_more(running: Running, out: Path) -> None:
    allowed = [True]

    async def watch() -> list[str]:
        scenes, kinds = Topics(Followers(), 0.05), []
        make_source = lambda: LiveScene(RunningMatch(out, running.key))  # noqa: E731
        async for event in follow(scenes, running.key, make_source, None, lambda: allowed[0]):
            kinds.append(event.kind if event else "")
            allowed[0] = False
            running.show(8)
        return kinds

    assert asyncio.run(watch()) == ["scene"]


def test_a_viewer_that_never_reads_holds_up_nobody_and_piles_nothing_up(
    running: Running, out: Path
) -> None:
    async def check() -> None:
        scenes, reads, written = Topics(Followers(), 0.05), asyncio.Event(), list[bytes]()
        make_source = lambda: LiveScene(RunningMatch(out, running.key))  # noqa: E731
        first, second = (follow(scenes, running.key, make_source, None) for _ in range(2))

        async def send(message: Message) -> None:
            written.append(message.get("body", b""))
            await reads.wait()

        async def receive() -> Message:
            return await asyncio.Future[Message]()

        stream = EventStream(encode_events(first))
        stuck = asyncio.create_task(stream({"type": "http"}, receive, send))
        for count in (4, 6, 8, 10):
            running.show(count)
            while (event := await anext(second)) is None:
                pass
            last = f"id: {event.last}"
        assert written == [b""]  # the head: nothing else was made for it
        reads.set()
        while len(written) == 1:
            await asyncio.sleep(0.02)
        stuck.cancel()
        assert last in written[1].decode()  # all that it has missed at once

    asyncio.run(check())
