"""A run: people play and a ladder goes on, while hostile clients do what they can."""

import time
from collections.abc import Sequence
from pathlib import Path

from tests.hostile_clients.attacked_server import AttackedServer, attacked_server
from tests.hostile_clients.attackers import ATTACKS, attacking
from tests.hostile_clients.figures import Figures
from tests.hostile_clients.honest import HonestPeople
from tests.hostile_clients.preparing import prepare_targets
from tests.hostile_clients.samples import Sample, Sampler, highest, typical
from tests.soak.background import running_threads
from tests.soak.losses import count_results, find_lost_orders, find_lost_results

CALM_S = 40.0
"""People are alone with the server for so long before the attack and after it.

After half of that its caches are full, and what the attack held is given back.
"""
POLL_INTERVAL_S = 0.5


def run(
    folder: Path,
    *,
    minutes: float,
    seed: int,
    attacks: Sequence[str] = ATTACKS,
    log: Path | None = None,
) -> Figures:
    """Attack a server for so long; return what came of it. `log`: where it is kept, if anywhere."""
    with attacked_server(folder, log or folder / "server.log") as server:
        people, sampler = HonestPeople(server), Sampler(server)
        with running_threads(sampler.sample, people.onlookers.watch):
            with running_threads(*people.bodies) as people_leave:
                targets = prepare_targets(server, people)
                before = _calm(sampler)
                played = count_results(server.url)
                people.begin_to_count()
                with attacking(targets, attacks, seed) as attackers:
                    ended = _wait(server, sampler, minutes)
                most = highest(sampler.samples)
                matches = count_results(server.url) - played
                after = _calm(sampler)
                people_leave()
            people.hear_the_last()
    return Figures(
        minutes=minutes,
        waits=people.times.waits(),
        refused=people.times.refused,
        before=before,
        most=most,
        after=after,
        answers=attackers.answers,
        orders=len(people.player.acknowledged),
        games=len(people.player.games),
        matches=matches,
        sign_ins=people.returning.times,
        runs=people.author.runs,
        behind=people.behind,
        lost=[
            *find_lost_orders(server, [people.player], folder),
            *find_lost_results(server.url, [server.out]),
        ],
        ended=ended,
    )


def _calm(sampler: Sampler) -> Sample:
    """Leave people alone with the server for a while; return what it takes at the end of that."""
    time.sleep(CALM_S / 2)
    first = len(sampler.samples)
    time.sleep(CALM_S / 2)
    return typical(sampler.samples[first:] or sampler.samples[-1:])


def _wait(server: AttackedServer, sampler: Sampler, minutes: float) -> list[str]:
    """Wait as long as the attack goes on; return why it was ended before its time."""
    began = time.monotonic()
    while (passed_s := time.monotonic() - began) < 60 * minutes:
        if server.has_ended:
            return [f"the server has ended after {passed_s:.0f} s"]
        if sampler.is_too_much.is_set():
            return [f"the attack was ended after {passed_s:.0f} s: the server took all memory"]
        time.sleep(POLL_INTERVAL_S)
    return []
