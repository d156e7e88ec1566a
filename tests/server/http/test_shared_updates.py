"""What streams are told: read once for all who see the same."""

import asyncio
from contextlib import ExitStack
from functools import partial

from server.http.event_streams import Followers

GAME = "a game"
Wanted = tuple[tuple[int, ...], int | None]
ALL: Wanted = ((), None)


class Reads:
    """Reads something, and notes what."""

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []

    def __call__(self, wanted: Wanted) -> int:
        self.wanted.append(wanted)
        return len(self.wanted)


async def receive(news: Followers, reads: Reads, *wanted: Wanted) -> list[int]:
    shared = (news.read_shared(GAME, one, partial(reads, one)) for one in wanted)
    return list(await asyncio.gather(*shared))


def test_it_is_read_once_for_all_spectators_and_anew_after_a_change() -> None:
    async def check() -> None:
        reads, news = Reads(), Followers()
        with news.follow(GAME):
            assert await receive(news, reads, ALL, ALL, ALL) == [1, 1, 1]
            news.wake(GAME)
            assert await receive(news, reads, ALL) == [2]

    asyncio.run(check())


def test_players_and_who_knows_less_are_told_something_of_their_own() -> None:
    async def check() -> None:
        reads, news = Reads(), Followers()
        with news.follow(GAME):
            await receive(news, reads, ((), 3), ((1,), 3), ((2,), 3), ((), 2))
        assert sorted(reads.wanted) == [((), 2), ((), 3), ((1,), 3), ((2,), 3)]

    asyncio.run(check())


def test_one_who_leaves_does_not_end_what_others_wait_for() -> None:
    async def check() -> None:
        reads, news = Reads(), Followers()
        with news.follow(GAME):
            first = asyncio.create_task(receive(news, reads, ALL))
            second = asyncio.create_task(receive(news, reads, ALL))
            await asyncio.sleep(0)
            first.cancel()
            assert await second == [1]

    asyncio.run(check())


def test_nothing_is_kept_of_a_game_that_nobody_follows() -> None:
    async def check() -> None:
        reads, news = Reads(), Followers()
        with ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(news.follow(GAME))
            await receive(news, reads, ALL)
            assert news._shared
        assert not news._shared

    asyncio.run(check())
