"""Games of people for tests: a server's parts on a real database, with bots that are scripted."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.catalog import find_game
from engine.game import Ask
from engine.replays.decisions import DecisionReader, encode, order_to_record
from engine.spec import MatchSpec
from engine.stepper import Stepper
from engine.support.process_pool import ProcessLost
from server.games.game_rows import Participant, StoredGame, Terms
from server.games.game_service import GameService
from server.games.game_sessions import GameObserver
from server.games.game_storage import GameStorage
from server.http.parts import Report, ignore_report

Choose = Callable[[Stepper[Any, Any, Any], Ask], Any]
"""What a scripted bot orders, as it is checked."""


class ScriptedBotSeats:
    """Answers at once, in place of processes in which bots think."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self.asked: list[Ask] = []
        self.ended: list[str] = []
        """The games whose bots were ended."""
        self.lost = 0
        """How often the process in which a bot thinks is killed."""

    def ask(
        self,
        stored: StoredGame,
        decisions: Sequence[str],
        ask: Ask,
        substitute: Participant | None = None,
    ) -> "Future[str]":
        self.asked.append(ask)
        if len(self.asked) <= self.lost:
            failed = Future[str]()
            failed.set_exception(ProcessLost("a process was killed"))
            return failed
        game = find_game(stored.spec.game)
        stepper = Stepper[Any, Any, Any](game, stored.spec)
        stepper.start()
        reader = DecisionReader(game, len(stored.seats))
        for content in decisions:
            stepper.play(reader.read(content.encode()))
        order = game.check(stepper.state, ask, self._choose(stepper, ask))
        future = Future[str]()
        future.set_result(encode(order_to_record(order)).decode())
        return future

    def end(self, game_id: str) -> None:
        self.ended.append(game_id)

    def end_idle(self) -> None: ...


class SilentBotSeats:
    """Never answers: as if the server ended before."""

    def end(self, game_id: str) -> None: ...
    def end_idle(self) -> None: ...

    def ask(
        self,
        stored: StoredGame,
        decisions: Sequence[str],
        ask: Ask,
        substitute: Participant | None = None,
    ) -> "Future[str]":
        return Future[str]()


def first_move(stepper: Stepper[Any, Any, Any], ask: Ask) -> str:
    """Choose the first legal move of Smack!."""
    return str(stepper.state.halves[ask.piece_id - 1].position.moves()[0])


def no_orders(stepper: Stepper[Any, Any, Any], ask: Ask) -> dict[str, Any]:
    """Order nothing in SMAC."""
    return {}


def nearest_food(stepper: Stepper[Any, Any, Any], ask: Ask) -> str:
    """Choose in Slime Mind what leads to the nearest plant."""
    return str(stepper.game.premove(stepper.state, ask, "EAT"))


class Now:
    """The present point in time, which a test moves on."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


class Changed(GameObserver):
    """Notes which games have changed."""

    def __init__(self, game_service: GameService) -> None:
        self.games: list[str] = []
        game_service.add_observer(self)

    def on_game_change(self, game_id: str) -> None:
        self.games.append(game_id)


def a_game_service(
    path: Path,
    choose: Choose = first_move,
    now: Callable[[], float] = time.time,
    report: Report = ignore_report,
) -> GameService:
    """Return the games of a server on a database, as after a start of the server."""
    return game_service_on(GameStorage(path), choose, now, report)


def game_service_on(
    storage: GameStorage,
    choose: Choose = first_move,
    now: Callable[[], float] = time.time,
    report: Report = ignore_report,
) -> GameService:
    """Return the same on a database that is open."""
    bot_seats: Any = ScriptedBotSeats(choose)
    return GameService(storage, bot_seats, now, report)


def a_spec(game_name: str, seats: Sequence[Participant], **settings: Any) -> MatchSpec:
    game = find_game(game_name)
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=msgspec.convert(settings, game.settings),
        limits=game.limits,
        bots=tuple(one.digest for one in seats),
        seed=1 << 100,
    )


def make_seats(text: str) -> list[Participant]:
    """Return seats: `p` for a person, `b` for a bot."""
    return [
        Participant(name=f"Ann {team}", digest=f"person:{team}", is_person=True)
        if letter == "p"
        else Participant(name=f"bot {team}", digest=f"{team:064x}", is_person=False)
        for team, letter in enumerate(text, 1)
    ]


def start_game(
    game_service: GameService,
    game: str = "smack",
    who: str = "pp",
    terms: Terms | None = None,
    **settings: Any,
) -> str:
    """Begin a game; in Smack! at the players' own pace unless something else is said."""
    if game == "smack":
        settings = {"pace": "free", **settings}
    seats = make_seats(who)
    game_id = f"{Random().getrandbits(64):016x}"
    return game_service.create(a_spec(game, seats, **settings), seats, game_id, terms)


def read_plies(game_service: GameService, game: str) -> list[int]:
    """Return how far both halves of a game of Smack! are."""
    with game_service.open_session(game) as session:
        return [half.ply for half in session.stepper.state.halves]


def choose_orders(position: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield a random move of Smack! for each ask of a position, with its board, as browsers do."""
    dice = Random(position["step"])
    for ask in position["asks"]:
        half = position["board"]["halves"][ask["piece"] - 1]
        moves = [f"{source}-{t}" for source, targets in half["moves"].items() for t in targets]
        if moves:
            body = {name: ask[name] for name in ("step", "team", "piece")}
            yield half, {**body, "order": dice.choice(moves)}
