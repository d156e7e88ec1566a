"""Several servers of one PostgreSQL database: a game goes on through any of them."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from unittest.mock import Mock

import pytest

from engine.game import Ask
from runners.storage.database import Stale
from server.games import change_listener as changes
from server.games.clocks import DAY_S, read_control
from server.games.game_rows import Terms
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.open_games import OpenGames
from server.http.errors import NoSuchGame
from server.identity.names import DELETED_NAME
from server.identity.people import People
from tests.postgresql import PostgreSQL
from tests.server.contests.field import person_in
from tests.server.playing import Changed, first_move, game_service_on, start_game
from tests.shell import eventually


@contextmanager
def serving_games(url: str) -> Iterator[GameService]:
    """Yield the games of one server, which listens to the others."""
    with closing(GameStorage(url)) as storage:
        game_service = game_service_on(storage)
        listening = game_service.start()
        assert listening is not None
        with closing(listening):
            yield game_service


@pytest.fixture
def two(postgresql: PostgreSQL) -> Iterator[tuple[GameService, GameService]]:
    """Return the games of two servers of one database."""
    url = postgresql.new_url()
    with serving_games(url) as first, serving_games(url) as second:
        yield first, second


def choose(game_service: GameService, game: str) -> tuple[Ask, int, str]:
    """Return an ask of the first half, its step, and a move."""
    with game_service.open_session(game) as session:
        ask = next(ask for ask in session.stepper.asks if ask.piece_id == 1)
        return ask, session.ask_step(ask), first_move(session.stepper, ask)


def move(game_service: GameService, game: str) -> int:
    """Move in the first half; return how many decisions there are."""
    return game_service.answer(game, *choose(game_service, game))


def steps(game_service: GameService, game: str) -> int:
    with game_service.open_session(game) as session:
        return len(session.log)


@pytest.mark.slow
def test_a_move_is_seen_and_answered_through_another_server(
    two: tuple[GameService, GameService],
) -> None:
    first, second = two
    game = start_game(first)
    for number in range(4):
        here, there = (first, second) if number % 2 == 0 else (second, first)
        assert move(here, game) == number + 1
        assert steps(there, game) == number + 1


@pytest.mark.slow
def test_the_same_order_through_two_servers_counts_once(
    two: tuple[GameService, GameService],
) -> None:
    first, second = two
    game = start_game(first)
    ask, step, chosen = choose(second, game)
    assert first.answer(game, ask, step, chosen) == 1
    assert second.answer(game, ask, step, chosen) == 1  # the same again is harmless
    with pytest.raises(Stale):
        second.answer(game, ask, step + 5, chosen)
    assert steps(first, game) == 1


def test_two_moves_at_once_on_the_two_boards_of_a_game_both_count(
    two: tuple[GameService, GameService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second server learns of the first move when it writes its own."""
    first, second = two
    game = start_game(first)
    with second.open_session(game) as session:
        asks = [(ask, session.ask_step(ask)) for ask in session.stepper.asks]
        chosen = {ask: first_move(session.stepper, ask) for ask, _ in asks}
    (here, its_step), (there, other_step) = asks
    assert {here.piece_id, there.piece_id} == {1, 2}
    assert first.answer(game, here, its_step, chosen[here]) == 1
    late = Mock(side_effect=[False, True, False, False])
    monkeypatch.setattr(second._storage, "has_changed", late)
    assert second.answer(game, there, other_step, chosen[there]) == 2
    monkeypatch.undo()
    assert (steps(first, game), steps(second, game)) == (2, 2)


@pytest.mark.slow
def test_who_looks_on_at_another_server_is_told(two: tuple[GameService, GameService]) -> None:
    first, second = two
    game = start_game(first)
    found = Changed(second)
    move(first, game)
    assert eventually(lambda: game in found.games)
    first.conversations.say(game, 1, "hello")
    (message,) = second.conversations.load(game).messages
    assert message.text == "hello"
    assert second.conversations.load(game).read_up_to == {}
    for one in two:  # two pages of somebody, at two servers
        one.conversations.mark_read(game, [2], message.id)
    assert [one.conversations.load(game).read_up_to for one in two] == [{2: message.id}] * 2


@pytest.mark.slow
def test_a_bot_is_asked_by_one_server_and_after_its_end_by_another(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "POLL_S", 0.1)
    url = postgresql.new_url()
    with ExitStack() as stack:
        first_end = stack.enter_context(ExitStack())
        first = first_end.enter_context(serving_games(url))
        assert eventually(lambda: first._questions.is_asking)
        second = stack.enter_context(serving_games(url))
        game = start_game(second, who="pb")
        assert eventually(lambda: steps(second, game) >= 1)  # the bot has moved in its half
        assert not second._questions.is_asking
        first_end.close()
        assert eventually(lambda: second._questions.is_asking)
        with second.open_session(game) as session:
            before = len(session.log)
            ask = next(
                ask for ask in session.stepper.asks if not session.is_played_by_bot(ask.team)
            )
            step, chosen = session.ask_step(ask), first_move(session.stepper, ask)
        second.answer(game, ask, step, chosen)
        assert eventually(lambda: steps(second, game) >= before + 2)


@pytest.mark.slow
def test_the_name_of_who_has_left_is_kept_by_no_server(
    two: tuple[GameService, GameService],
) -> None:
    first = two[0]
    game = start_game(first)
    move(first, game)
    for game_service in two:
        with game_service.open_session(game) as session:
            assert [one.name for one in session.sitting] == ["Ann 1", "Ann 2"]
    database = first._storage.database
    open_games = OpenGames(database)
    open_games.own(game, 2, person_in(database, "Ann"))
    (person,) = People(database).find_all()
    for forgotten in open_games.forget(person.id):
        first.forget(forgotten)
    for game_service in two:
        with game_service.open_session(game) as session:
            assert [one.name for one in session.stored.seats] == ["Ann 1", DELETED_NAME]
            assert [one.name for one in session.sitting] == ["Ann 1", DELETED_NAME]
            assert len(session.log) == 1


@pytest.mark.slow
def test_a_game_that_one_server_removes_is_gone_on_the_other(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgresql.new_url()
    with serving_games(url) as first:
        assert eventually(lambda: first._questions.is_asking)
        with serving_games(url) as second:
            terms = Terms(clock=read_control("1d"), is_strangers=True)
            game = start_game(first, terms=terms)
            move(second, game)
            assert second.until_deadline(2 * DAY_S) < 2 * DAY_S
            for game_service in (first, second):
                for part in (game_service, game_service._sessions):
                    monkeypatch.setattr(part, "_now", lambda: time.time() + 2 * DAY_S)
            first.tidy()
            for game_service in (first, second):
                game_service.call_time()  # its clock has run out
                with pytest.raises(NoSuchGame), game_service.open_session(game):
                    pass
                assert game_service.until_deadline(5) == 5
