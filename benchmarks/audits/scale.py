"""Computes what a league needs, and what gives first.

Measures on this machine what a match costs: those who play it, the dispatcher, the database, the
ratings, the table of a ladder and the replays. Then it computes the load of a league of so many
bots and matches a day, as shares of what one core, one disk or one process can do. Several
ladders share the bots evenly: the table and the ratings are each of one ladder.
"""

import tempfile
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path

import click
import msgspec

from benchmarks.arena import match_overhead, measure_pages, measure_rating
from benchmarks.command_line import run_main
from benchmarks.harness import Site
from engine.result_folder import REPLAY, RESULT

DAY_S = 86_400
MATCHES, TABLE_BOTS = 8, 200
RATED = (250, 1_000)
"""Sizes of ladders whose ratings are computed: how these grow is told by the two."""
RATINGS_A_DAY = 24
VISITS_A_DAY = 200_000
"""Views of a table: what 10 000 authors and spectators would look at, twenty times each."""
GIB = 1 << 30
DISK_GIB, KEPT_DAYS = 1_000, 30


class Need(msgspec.Struct, frozen=True):
    """One kind of work, and how much of what there is it takes."""

    what: str
    measured: str
    a_day: str
    share: float
    """Of one core, one process or one disk; above 1 one is not enough."""
    of: str
    then: str
    """What to do when it is not."""


class League(msgspec.Struct, frozen=True):
    """What is planned."""

    bots: int
    matches: int
    """Matches of a day."""
    ladders: int

    @property
    def bots_of_ladder(self) -> float:
        return self.bots / self.ladders


def needs(league: League, folder: Path) -> Iterator[Need]:
    """Measure, and yield what the league needs of each."""
    play_s, replay_bytes = a_match(folder)
    yield _playing(league, play_s)
    yield _dispatching(league, match_overhead(TABLE_BOTS, 100).ours)
    yield _database(league, bytes_of_match(folder))
    yield _replays(league, replay_bytes)
    yield _ratings(league, *(measure_rating(size).ours for size in RATED))
    yield _tables(league, *(figure.ours for figure in measure_pages(RATED[1])))


def _playing(league: League, match_s: float) -> Need:
    day_s = league.matches * match_s
    return Need(
        "playing",
        f"{1000 * match_s:.0f} ms CPU a match",
        f"{day_s / 3600:.0f} core hours",
        day_s / DAY_S,
        "a core",
        "workers on more machines: cores for this alone",
    )


def _dispatching(league: League, match_ms: float) -> Need:
    day_s = league.matches * match_ms / 1000
    return Need(
        "dispatcher",
        f"{match_ms:.1f} ms CPU a match",
        f"{day_s / 3600:.1f} core hours",
        day_s / DAY_S,
        "a core",
        "one dispatcher for some of the ladders each",
    )


def _database(league: League, match_bytes: float) -> Need:
    return Need(
        "database",
        f"{match_bytes:.0f} bytes a match",
        f"{league.matches * match_bytes / GIB:.1f} GiB",
        *_of_the_disk(league, match_bytes),
        "partitions of fixtures and players by month",
    )


def _replays(league: League, match_bytes: float) -> Need:
    return Need(
        "replays",
        f"{match_bytes / 1024:.0f} KiB a match",
        f"{league.matches * match_bytes / GIB:.0f} GiB",
        *_of_the_disk(league, match_bytes),
        "fewer kept per bot, or object storage",
    )


def _of_the_disk(league: League, match_bytes: float) -> tuple[float, str]:
    """Return the share of the disk that matches take when as many days are kept, and of what."""
    kept_gib = league.matches * KEPT_DAYS * match_bytes / GIB
    return kept_gib / DISK_GIB, f"{DISK_GIB} GiB after {KEPT_DAYS} days"


def _ratings(league: League, small_s: float, large_s: float) -> Need:
    growth = log(large_s / small_s) / log(RATED[1] / RATED[0])
    rated_s = large_s * (league.bots_of_ladder / RATED[1]) ** growth
    day_s = RATINGS_A_DAY * league.ladders * rated_s
    return Need(
        "ratings",
        f"{large_s:.1f} s CPU for {RATED[1]} bots, growing with their number to the {growth:.1f}",
        f"{day_s / 3600:.1f} core hours, once an hour",
        day_s / DAY_S,
        "a core",
        "rate less often, or smaller ladders",
    )


def _tables(league: League, unchanged_ms: float, changed_ms: float) -> Need:
    day_s = VISITS_A_DAY * unchanged_ms / 1000 * league.bots_of_ladder / RATED[1]
    return Need(
        "tables",
        f"{unchanged_ms:.1f} ms CPU of {RATED[1]} bots, {changed_ms:.1f} after a change",
        f"{day_s / 3600:.1f} core hours for {VISITS_A_DAY} views",
        day_s / DAY_S,
        "a core",
        "more web processes, or a page per hundred places",
    )


def a_match(folder: Path) -> tuple[float, float]:
    """Return the CPU seconds and the bytes of a standard match of two starter bots."""
    bots = ("-1", "player_three", "-2", "player_five", "-j", 1, "--quiet", "--seed", 1)
    run_main("-r", "multi_match", "-m", MATCHES, *bots, "--out", folder)
    # As the engine judged it: bots' processes are no descendants that this one waits for.
    used_ms = [msgspec.json.decode(path.read_bytes())["cpu_ms"] for path in folder.rglob(RESULT)]
    sizes = [path.stat().st_size for path in folder.rglob(REPLAY)]
    return sum(used_ms) / MATCHES / 1_000, sum(sizes) / MATCHES


def bytes_of_match(folder: Path) -> float:
    """Return by how much a database grows with a match; what is open is in a file beside it."""
    path = folder / "server"
    path.mkdir()
    with Site(path) as site:
        ladder = site.new_ladder()
        version_ids = site.add_bots(ladder, TABLE_BOTS)
    before = site.path.stat().st_size
    with Site(path) as site:
        count = site.add_matches(ladder, version_ids)
    return (site.path.stat().st_size - before) / count


def as_table(found: Sequence[Need]) -> str:
    """Return the needs as Markdown, what gives first above all others."""
    rows = sorted(found, key=lambda need: -need.share)
    lines = [
        "| what | measured | a day | needed | when one is not enough |",
        "|---|---|---|---|---|",
    ]
    for need in rows:
        needed = f"{need.share:.2g} of {need.of}"
        lines.append(f"| {need.what} | {need.measured} | {need.a_day} | {needed} | {need.then} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("--bots", default=10_000, show_default=True, type=click.IntRange(2))
@click.option("--matches", default=1_000_000, show_default=True, help="Matches a day.")
@click.option("--ladders", default=10, show_default=True, type=click.IntRange(1))
def main(bots: int, matches: int, ladders: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = list(needs(League(bots, matches, ladders), Path(folder)))
    click.echo(as_table(found))
    first = max(found, key=lambda need: need.share)
    click.echo(f"\nfirst gives: {first.what} ({first.share:.2g} of {first.of}): {first.then}")
