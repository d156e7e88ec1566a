"""A run: people play, spectators look on, authors hand in, and processes are killed."""

import time
from contextlib import closing
from pathlib import Path
from random import Random

from runners.storage.database import Database
from server.bots.bots import Bots
from tests.postgresql import running
from tests.shell import PATIENCE_S, eventually
from tests.soak.background import running_threads
from tests.soak.dashboard import saving_dashboard
from tests.soak.figures import Figures
from tests.soak.league import CUP, KINDS, League
from tests.soak.losses import (
    count_results,
    find_lost_bots,
    find_lost_orders,
    find_lost_results,
    find_tournament_losses,
)
from tests.soak.spectators import Crowd, Prober
from tests.soak.visitors import Author, Player, Visitor, join

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
            saving_dashboard(league.ports, folder, dashboard),
        ):
            visitor = Visitor(league)
            visitor.insist("GET", "/healthz/ready")
            table = [_player(league, number) for number in range(GAMES)]
            author, crowd = Author(league), Crowd(league, table, spectators)
            prober = Prober(league, table[0])
            with (
                running_threads(*[one.play for one in table], author.hand_in) as ends_work,
                running_threads(crowd.watch, prober.probe),
            ):
                _kill(league, minutes, kill_every_s)
                ends_work()
                last = {player.games[-1]: _read_step(visitor, player.games[-1]) for player in table}
                eventually(lambda: crowd.behind(last) == 0)
                behind = crowd.behind(last)
            eventually(lambda: not _has_unchecked(league), 4 * PATIENCE_S)
        figures = Figures(minutes=minutes, kills=dict(league.kills), away_s=dict(prober.away_s))
        figures.orders = sum(len(player.acknowledged) for player in table)
        figures.games = sum(len(player.games) for player in table)
        figures.matches = count_results(league.url)
        figures.handed_in = len(author.accepted)
        figures.streams, figures.reconnections = spectators, crowd.reconnections
        figures.behind = behind
        figures.lost = [
            *find_lost_orders(league, table, folder),
            *find_lost_results(league.url, league.outs),
            *find_tournament_losses(league, CUP, league.outs),
            *find_lost_bots(league, author),
        ]
        return figures


def _player(league: League, number: int) -> Player:
    """Return two people who play each other; the last one plays a bot."""
    letters = "a" if number == GAMES - 1 else "ab"
    names = [f"Player {number} {letter}" for letter in letters]
    return Player([join(league, name, place) for place, name in enumerate(names)])


def _kill(league: League, minutes: float, every_s: float) -> None:
    """Kill one kind after the other until the time is over; the last is given time to be back."""
    until = time.monotonic() + 60 * minutes
    number = 0
    while time.monotonic() + 2 * every_s < until:
        time.sleep(every_s)
        league.kill_one(KINDS[number % len(KINDS)])
        number += 1
    time.sleep(max(0.0, until - time.monotonic()))


def _read_step(visitor: Visitor, game: str) -> int:
    step: int = visitor.insist("GET", f"/api/v1/games/{game}").json()["step"]
    return step


def _has_unchecked(league: League) -> bool:
    """Return whether bots are still being checked."""
    with closing(Database(league.url)) as database:
        return bool(Bots(database).versions_to_check())
