"""`python3 -m tests.golden.record`: record the golden matches anew, after a change of rules.

And the key of a match of each game as it is by default, whose settings and limits are spelled out.
"""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.finding import Copies, read_bot
from engine.bots.forking import ForkLauncher
from engine.bots.launching import Launcher
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.catalog import GAMES, find_game
from engine.games.slime_mind.settings import Settings
from engine.limits import Limits
from engine.match import play_match
from engine.replays.writing import Contestant, Recorder
from engine.spec import MatchSpec, encode_spec

HERE = Path(__file__).resolve().parent
GAME = find_game("slime_mind")
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


def replay_path(name: str) -> Path:
    """The committed replay."""
    return HERE / f"{name}.jsonl.gz"


def make_spec(name: str) -> tuple[MatchSpec, tuple[Contestant, ...]]:
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
    spec, contestants = make_spec(name)
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
            SeatConfig(
                name=bot.name,
                bot=copies.save(read_bot(HERE / "bots" / f"{bot.name}.py")),
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


class RecordedKey(msgspec.Struct):
    """A spec as files have it, and the key it had."""

    key: str
    spec: msgspec.Raw


def key_path(name: str) -> Path:
    """The committed key of a game."""
    return HERE / "keys" / f"{name}.json"


def record_key(name: str) -> None:
    """Write down a match of a game with its usual settings and limits."""
    game = find_game(name)
    spec = MatchSpec(
        game=name,
        rules_version=game.rules_version,
        settings=game.settings(),
        limits=game.limits,
        bots=("0" * 16,) * game.team_counts.start,
        seed=2**127,
    )
    recorded = RecordedKey(spec.key, msgspec.Raw(encode_spec(spec)))
    content = msgspec.json.format(msgspec.json.encode(recorded))
    key_path(name).write_bytes(content + b"\n")


def main() -> None:
    for name in GAMES:
        record_key(name)
    launcher = ForkLauncher()
    with tempfile.TemporaryDirectory() as work:
        for name in MATCHES:
            record(name, replay_path(name), Path(work), launcher)
            print(f"{replay_path(name)}: {replay_path(name).stat().st_size} bytes")  # noqa: T201
    launcher.close()


if __name__ == "__main__":
    main()
