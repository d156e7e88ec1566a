"""What streams are told: made once for all who see the same."""

import asyncio
from contextlib import ExitStack

from server.games.game_streams import SharedUpdates, Update
from server.http.event_streams import StreamEvent

GAME = "a game"
Wanted = tuple[tuple[int, ...], int | None]


class Made:
    """Makes events, and notes which."""

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []

    def __call__(self, game_id: str, teams: tuple[int, ...], since: int | None) -> Update:
        self.wanted.append((teams, since))
        return Update(len(self.wanted), StreamEvent("position", b""))


async def receive_steps(news: SharedUpdates, *wanted: Wanted) -> list[int]:
    return [
        one.step
        for one in await asyncio.gather(*(news.update_since(GAME, *each) for each in wanted))
    ]


def test_an_event_is_made_once_for_all_spectators_and_anew_after_a_change() -> None:
    async def check() -> None:
        made = Made()
        news = SharedUpdates(made)
        with news.following(GAME):
            assert await receive_steps(news, ((), None), ((), None), ((), None)) == [1, 1, 1]
            news.wake(GAME)
            assert await receive_steps(news, ((), None)) == [2]

    asyncio.run(check())


def test_players_and_who_knows_less_are_told_something_of_their_own() -> None:
    async def check() -> None:
        made = Made()
        news = SharedUpdates(made)
        with news.following(GAME):
            await receive_steps(news, ((), 3), ((1,), 3), ((2,), 3), ((), 2))
        assert sorted(made.wanted) == [((), 2), ((), 3), ((1,), 3), ((2,), 3)]

    asyncio.run(check())


def test_one_who_leaves_does_not_end_what_others_wait_for() -> None:
    async def check() -> None:
        news = SharedUpdates(Made())
        with news.following(GAME):
            first = asyncio.create_task(news.update_since(GAME, (), None))
            second = asyncio.create_task(news.update_since(GAME, (), None))
            await asyncio.sleep(0)
            first.cancel()
            assert (await second).step == 1

    asyncio.run(check())


def test_nothing_is_kept_of_a_game_that_nobody_follows() -> None:
    async def check() -> None:
        news = SharedUpdates(Made())
        with ExitStack() as stack:
            for _ in range(2):
                stack.enter_context(news.following(GAME))
            await receive_steps(news, ((), None))
            assert news._shared
        assert not news._shared

    asyncio.run(check())
