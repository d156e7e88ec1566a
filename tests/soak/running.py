"""A run: people play, spectators look on, authors hand in, and processes are killed."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random

from server.arena.bots import Bots
from server.database import Database
from tests.postgresql import running
from tests.shell import PATIENCE_S, eventually
from tests.soak.dashboard import saved_dashboard
from tests.soak.figures import Figures
from tests.soak.league import KINDS, League
from tests.soak.losses import lost_bots, lost_orders, lost_results
from tests.soak.spectators import Crowd, Prober
from tests.soak.visitors import Author, Player, Visitor

GAMES = 3
"""Games of people that go on at once; the last one is against a bot."""


def soak(
    folder: Path,
    *,
    minutes: float,
    spectators: int,
    kill_every_s: float,
    seed: int,
    dashboard: Path | None = None,
) -> Figures:
    """Run it for so long; return what came of it. `dashboard`: where its picture is saved."""
    chance = Random(seed)
    with running() as postgresql:
        with (
            closing(League(folder, postgresql, chance)) as league,
            saved_dashboard(league.ports, folder, dashboard),
        ):
            visitor = Visitor(league)
            visitor.insist("GET", "/healthz/ready")
            table = [
                Player(league, number, against_bot=number == GAMES - 1) for number in range(GAMES)
            ]
            author, crowd = Author(league), Crowd(league, table, spectators)
            prober = Prober(league, table[0])
            with (
                _threads(*[one.play for one in table], author.hand_in) as ends_work,
                _threads(crowd.watch, prober.probe),
            ):
                _kill(league, minutes, kill_every_s)
                ends_work()
                last = {player.games[-1]: _step_of(visitor, player.games[-1]) for player in table}
                eventually(lambda: crowd.behind(last) == 0)
                behind = crowd.behind(last)
            eventually(lambda: not _unchecked(league), 4 * PATIENCE_S)
        figures = Figures(minutes=minutes, kills=dict(league.kills), away_s=dict(prober.away_s))
        figures.orders = sum(len(player.acknowledged) for player in table)
        figures.games = sum(len(player.games) for player in table)
        figures.handed_in = len(author.accepted)
        figures.streams, figures.reconnections = spectators, crowd.reconnections
        figures.behind = behind
        figures.lost = [
            *lost_orders(league, table, folder),
            *lost_results(league, figures),
            *lost_bots(league, author),
        ]
        return figures


@contextmanager
def _threads(*bodies: Callable[[threading.Event], None]) -> Iterator[Callable[[], None]]:
    """Run functions in threads of their own; yields what ends them. What fails there fails here."""
    is_over, failures = threading.Event(), list[BaseException]()

    def run(body: Callable[[threading.Event], None]) -> None:
        try:
            body(is_over)
        except BaseException as failure:  # noqa: BLE001 - it is raised where it is seen
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(body,)) for body in bodies]

    def end() -> None:
        is_over.set()
        for thread in threads:
            thread.join()

    with ExitStack() as stack:
        stack.callback(end)
        for thread in threads:
            thread.start()
        yield end
    if failures:
        raise failures[0]


def _kill(league: League, minutes: float, every_s: float) -> None:
    """Kill one kind after the other until the time is over; the last is given time to be back."""
    until = time.monotonic() + 60 * minutes
    number = 0
    while time.monotonic() + 2 * every_s < until:
        time.sleep(every_s)
        league.kill_one(KINDS[number % len(KINDS)])
        number += 1
    time.sleep(max(0.0, until - time.monotonic()))


def _step_of(visitor: Visitor, game: str) -> int:
    step: int = visitor.insist("GET", f"/api/v1/games/{game}").json()["step"]
    return step


def _unchecked(league: League) -> bool:
    """Return whether bots are still being checked."""
    with closing(Database(league.url)) as database:
        return bool(Bots(database).versions_to_check())
