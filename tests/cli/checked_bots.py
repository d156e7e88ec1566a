"""`python3 -m tests.cli.checked_bots FOLDER`: reads names of bad bots, checks and plays each.

For each name a line of JSON is printed: the causes that a check names, and those of a match.
"""

import sys
from contextlib import closing
from pathlib import Path

import msgspec

from engine.play_options import PlayOptions
from engine.referee import Referee
from runners.authoring.check import check
from runners.configuration import read_configuration
from runners.match_request import MatchRequest, RunOptions
from runners.planning import MatchPlan
from tests.engine.bots.bad_bots import bad_bot_path

TURNS = 4
REQUEST = MatchRequest(
    game="slime_mind",
    preset="small",
    settings=(f"max_turns={TURNS}",),
    limits=("cpu_ms=100", "wall_ms=400", "load_ms=2000", "memory_mb=128", "max_restarts=1"),
)


class Causes(msgspec.Struct, frozen=True):
    """What a check and a match say of a bad bot, the first cause first."""

    in_check: list[str]
    in_match: list[str]


def find_causes(name: str, out: Path) -> Causes:
    """Check a bad bot, and play the match with which a check begins."""
    request = msgspec.structs.replace(REQUEST, run=RunOptions(out=out))
    report = check(
        request, str(bad_bot_path(name)), read_configuration(), turns=TURNS, match_s=30.0
    )
    arguments = (str(bad_bot_path(name)), "player_five")
    plan = MatchPlan(
        msgspec.structs.replace(request, players=arguments, seed=0), read_configuration()
    )
    job = msgspec.structs.replace(
        plan.make_job(), must_start=(), play=PlayOptions(keep_replay=False)
    )
    with closing(Referee(out)) as referee:
        result = referee.play(job)
    return Causes(
        [str(problem.cause) for problem in report.problems],
        [str(cause) for cause in result.teams[0].faults],
    )


def main() -> None:
    """Answer each name with a line."""
    for line in sys.stdin:
        causes = find_causes(line.strip(), Path(sys.argv[1]))
        sys.stdout.write(f"{msgspec.json.encode(causes).decode()}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
