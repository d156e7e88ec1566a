"""Series of bad bots against a starter bot, played by the ordinary runner as anybody would."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from engine.bots.sandbox import Level
from engine.fault import Cause
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.contained import ROOT
from tests.engine.bots.house import CannotHouse, as_ordinary_user

OPPONENT = "player_two"
BAD, GOOD = 0, 1


class Summary(msgspec.Struct, frozen=True):
    """What of `main.py -r multi_match --json` is needed here."""

    matches: int
    played: int
    faults: tuple[dict[Cause, int], dict[Cause, int]]
    """Orders lost by each of the two, by cause."""
    failures: list[str]


decode_summary = msgspec.json.Decoder(Summary).decode


def play_series(names: Sequence[str], level: Level, *, matches: int, turns: int) -> int:
    """Print a row for each bad bot, then the sums; 1 if a match was not played to its end.

    Raises: CannotHouse.
    """
    folder = Path(tempfile.mkdtemp(prefix="bad-bots-"))
    try:
        command = _command(folder, level, matches, turns)
        summaries = [_play_one(command, name, folder) for name in names]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    finished = sum(map(_is_finished, summaries))
    click.echo(f"\n{finished} of {len(names)} series were finished.")
    for player, who in ((BAD, "the bad bots"), (GOOD, OPPONENT)):
        click.echo(f"\nOrders lost by {who}:\n{_sums(summaries, player)}")
    return int(finished < len(names))


def _command(folder: Path, level: Level, matches: int, turns: int) -> list[str]:
    """All but the bad bot."""
    # No match is played as root, or where something is missing: `default` would play on.
    safe = Level.STRICT if level is Level.DEFAULT else level
    return [
        *(*as_ordinary_user(folder), sys.executable, str(ROOT / "main.py")),
        *("--runner", "multi_match", "--matches", str(matches), "--secret", "1", "--json"),
        "--keep-going",
        *("--preset", "small", "--set", f"max_turns={turns}", "--sandbox", str(safe)),
        *("--no-replay", "--out", str(folder / "results"), "-2", OPPONENT),
    ]


def _play_one(command: Sequence[str], name: str, folder: Path) -> Summary:
    """A series; its row is printed at once. Raises: CannotHouse."""
    done = subprocess.run(
        [*command, "-1", str(bad_bot_path(name))],
        cwd=ROOT,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        check=False,
    )
    if not done.stdout:
        raise CannotHouse("the runner did not begin; see above")
    summary = decode_summary(done.stdout)
    state = "finished" if _is_finished(summary) else "NOT FINISHED"
    click.echo(f"{state:12}  {name:36}  {_causes(summary.faults[BAD])}")
    for failure in summary.failures:
        click.echo(f"{'':12}  {failure}")
    return summary


def _is_finished(summary: Summary) -> bool:
    return summary.played == summary.matches


def _causes(faults: dict[Cause, int]) -> str:
    return ", ".join(f"{count} {cause}" for cause, count in faults.items()) or "lost no order"


def _sums(summaries: Sequence[Summary], player: int) -> str:
    """A line for each cause, the most frequent first."""
    sums: Counter[Cause] = Counter()
    for summary in summaries:
        sums.update(summary.faults[player])
    return "\n".join(f"{count:9}  {cause}" for cause, count in sums.most_common()) or "     none"
