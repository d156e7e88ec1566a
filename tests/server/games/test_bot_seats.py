"""Which bots are kept between their moves, and when their processes end."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.bots.finding import Copies, resolve
from engine.bots.sandbox import Level
from engine.game import Act
from runners.configuration import HOME
from server.games import bot_seats as bot_seats
from server.games.bot_seats import IDLE_S, BotSeats
from server.games.game_rows import Participant, Terms
from server.games.game_service import GameService, new_game_id
from server.games.game_storage import GameStorage
from tests import needs
from tests.engine.bots.matches import find_children
from tests.server.playing import Now, a_spec
from tests.shell import eventually

pytestmark = needs.FORK


@pytest.fixture
def kept(tmp_path: Path, now: Now) -> Iterator[BotSeats]:
    with closing(BotSeats(tmp_path, Level.DEFAULT, processes=1, clock=now)) as saved:
        yield saved


@pytest.fixture
def game_service(tmp_path: Path, kept: BotSeats, now: Now) -> GameService:
    return GameService(GameStorage(tmp_path / "games.sqlite"), kept, now)


@pytest.fixture
def ours() -> set[int]:
    """Return the children that were there before."""
    return set(find_children(os.getpid()))


def begin_against_bot(game_service: GameService, out: Path, terms: Terms | None = None) -> str:
    """Begin a game in which it is a bot's turn first."""
    bot = resolve("player_one", HOME / "playerCode" / "smack")
    Copies(out / "bots").save(bot)
    seats = [
        Participant(name=bot.name, digest=bot.digest, is_person=False),
        Participant(name="Ann", digest="person:2", is_person=True),
    ]
    return game_service.create(a_spec("smack", seats, pace="free"), seats, new_game_id(), terms)


def has_moved(game_service: GameService, game: str) -> bool:
    with game_service.open_session(game) as session:
        return len(session.log) > 0


def processes_of_bots(ours: set[int]) -> int:
    """Return how many processes there are below those that were started since."""
    return sum(map(_below, set(find_children(os.getpid())) - ours))


def _below(pid: int) -> int:
    return sum(1 + _below(child) for child in find_children(pid))


def test_bots_end_with_their_game(
    game_service: GameService, kept: BotSeats, tmp_path: Path, ours: set[int]
) -> None:
    game = begin_against_bot(game_service, tmp_path)
    assert eventually(lambda: has_moved(game_service, game))
    before = processes_of_bots(ours)
    assert kept.games == [game]
    for half in (1, 2):
        game_service.perform_act(game, Act(2, half, "resign"))
    assert kept.games == []
    assert eventually(lambda: processes_of_bots(ours) == before - 1)


def test_bots_of_whom_nobody_asks_anything_end(
    game_service: GameService, kept: BotSeats, tmp_path: Path, now: Now, ours: set[int]
) -> None:
    game = begin_against_bot(game_service, tmp_path)
    assert eventually(lambda: has_moved(game_service, game))
    before = processes_of_bots(ours)
    now.seconds += IDLE_S - 1
    game_service.tidy()
    assert kept.games == [game]
    now.seconds += IDLE_S
    game_service.tidy()
    assert kept.games == []
    assert eventually(lambda: processes_of_bots(ours) == before - 1)


def test_there_are_so_many_bots_and_no_more(
    game_service: GameService, kept: BotSeats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_seats, "MAX_BOTS", 2)
    games = [begin_against_bot(game_service, tmp_path) for _ in range(3)]
    assert kept.games == games[1:]
    assert all(eventually(lambda game=game: has_moved(game_service, game)) for game in games)  # type: ignore[misc]


def test_games_of_strangers_have_few_of_them(
    game_service: GameService, kept: BotSeats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_seats, "MAX_GUEST_BOTS", 1)
    ours = begin_against_bot(game_service, tmp_path)
    strangers = Terms(is_strangers=True)
    games = [begin_against_bot(game_service, tmp_path, strangers) for _ in range(2)]
    assert kept.games == [ours, games[1]]
