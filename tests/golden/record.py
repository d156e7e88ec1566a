"""`python3 -m tests.golden.record`: record the golden matches anew, after a change of rules."""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from engine.bots.finding import Copies, read_bot
from engine.bots.forking import ForkLauncher
from engine.bots.launching import Launcher
from engine.bots.limits import Limits
from engine.bots.seat import Entry, ProcessSeat
from engine.catalogue import game_named
from engine.games.slime_mind.settings import Settings
from engine.match import play_match
from engine.record import Contestant, Recorder
from engine.spec import MatchSpec

HERE = Path(__file__).resolve().parent
GAME = game_named("slime_mind")
SMALL = Settings(
    columns=16, rows=10, max_turns=60, slime_pairs=2, plant_pairs=8, rock_pairs=2, y_up=True
)
CROWDED = replace(
    SMALL,
    columns=7,
    rows=5,
    max_turns=120,
    slime_pairs=3,
    plant_pairs=3,
    rock_pairs=1,
    plant_level_chance_pct=60,
    plant_seed_chance_pct=30,
    plant_max_level=4,
    min_split_level=2,
    y_up=False,
)
LENIENT = Limits(cpu_ms=5_000, wall_ms=20_000, load_ms=30_000, max_restarts=0)
"""Nobody is ever late; who breaks is out."""
# A name, its settings, its seed, and the bots of teams 1 and 2.
MATCHES: dict[str, tuple[Settings, int, tuple[str, str]]] = {
    "small": (SMALL, 1, ("roller", "stumbler")),
    "crowded": (CROWDED, 2, ("roller", "roller")),
}


def path_of(name: str) -> Path:
    """The committed replay."""
    return HERE / f"{name}.jsonl.gz"


def spec_of(name: str) -> tuple[MatchSpec, tuple[Contestant, ...]]:
    settings, seed, words = MATCHES[name]
    bots = [read_bot(HERE / "bots" / f"{word}.py") for word in words]
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=settings,
        limits=LENIENT,
        bots=tuple(bot.digest for bot in bots),
        seed=seed,
    )
    return spec, tuple(Contestant(name=bot.name, digest=bot.digest) for bot in bots)


def record(name: str, path: Path, work: Path, launcher: Launcher) -> None:
    """Play a golden match, its bots in processes of their own; no time is in the record."""
    spec, contestants = spec_of(name)
    with ExitStack() as stack:
        seats = _seats(spec, contestants, work, launcher)
        for seat in seats:
            stack.callback(seat.close)
        recorder = Recorder(GAME, spec, contestants, path)
        stack.callback(recorder.close)
        play_match(GAME, spec, seats, [recorder])


def _seats(
    spec: MatchSpec, contestants: Sequence[Contestant], work: Path, launcher: Launcher
) -> list[ProcessSeat]:
    copies = Copies(work / "bots")
    return [
        ProcessSeat(
            Entry(
                name=bot.name,
                bot=copies.keep(read_bot(HERE / "bots" / f"{bot.name}.py")),
                log=work / f"{team}.log",
                team=team,
                game=spec.game,
                match_seed=spec.seed,
                limits=spec.limits,
            ),
            launcher,
        )
        for team, bot in enumerate(contestants, 1)
    ]


def main() -> None:
    launcher = ForkLauncher()
    with tempfile.TemporaryDirectory() as work:
        for name in MATCHES:
            record(name, path_of(name), Path(work), launcher)
            print(f"{path_of(name)}: {path_of(name).stat().st_size} bytes")  # noqa: T201
    launcher.close()


if __name__ == "__main__":
    main()
