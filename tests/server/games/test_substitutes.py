"""A substitute that thinks in a process of its own, beside a bot that goes on as it was."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.bots.finding import Copies, resolve
from engine.bots.sandbox import Level
from engine.game import Act, Ask
from runners.configuration import HOME
from server.games.bot_seats import BotSeats
from server.games.clocks import read_control
from server.games.game_rows import Participant, Terms
from server.games.game_service import GameService, new_game_id
from server.games.game_sessions import BACK_MESSAGE
from server.games.game_storage import GameStorage
from tests import needs
from tests.server.playing import Now, a_spec
from tests.shell import eventually

pytestmark = needs.FORK


@pytest.fixture
def game_service(tmp_path: Path, now: Now) -> Iterator[GameService]:
    with closing(BotSeats(tmp_path, Level.DEFAULT, processes=1)) as bot_seats:
        yield GameService(GameStorage(tmp_path / "games.sqlite"), bot_seats, now)


def a_bot(out: Path, name: str) -> Participant:
    bot = resolve(name, HOME / "playerCode" / "smac")
    Copies(out / "bots").save(bot)
    return Participant(name=bot.name, digest=bot.digest, is_person=False)


@pytest.mark.slow
def test_a_substitute_plays_until_the_person_is_back(
    game_service: GameService, tmp_path: Path, now: Now
) -> None:
    person = Participant(name="Ann", digest="person:1", is_person=True)
    other = Participant(name="Ben", digest="person:2", is_person=True)
    seats = [person, other, a_bot(tmp_path, "player_one")]
    substitute = a_bot(tmp_path, "player_two")
    terms = Terms(clock=read_control("1d"), absent_turns=1, substitute=substitute)
    game = game_service.create(a_spec("smac", seats), seats, new_game_id(), terms)

    def turns(team: int) -> list[bool]:
        """Return per turn whether a team has given an order in time."""
        with game_service.open_session(game) as session:
            return [
                not hasattr(decision.orders[team - 1], "cause")
                for decision in session.decisions
                if decision.orders
            ]

    def play() -> None:
        """Order nothing for team 1, and wait until that turn is run."""
        before = len(turns(1))
        with game_service.open_session(game) as session:
            step = session.ask_step(Ask(1))
        game_service.answer(game, Ask(1), step, {})
        assert eventually(lambda: len(turns(1)) > before)

    with game_service.open_session(game) as session:
        game_service.answer(game, Ask(1), session.ask_step(Ask(1)), {})
    assert eventually(lambda: [ask.team for ask in waiting(game_service, game)] == [1, 3])
    now.seconds += 86_400
    game_service.call_time()
    for _ in range(3):
        play()
    assert turns(2) == [False, True, True, True]
    assert turns(3) == [True] * 4
    game_service.perform_act(game, Act(2, 0, BACK_MESSAGE))
    with game_service.open_session(game) as session:
        assert session.sitting == seats


def waiting(game_service: GameService, game: str) -> list[Ask]:
    """Return the asks whose order waits for others."""
    with game_service.open_session(game) as session:
        return sorted(session.waiting, key=lambda ask: ask.team)
