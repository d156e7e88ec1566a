"""What pages say of a run, and of a mock battle: how far it has come."""

import json
import subprocess

from tests import needs
from visualizer.backends.page.bundling import WEB

OVER = "You have won in turn 5."
SCRIPT = """
import { describeRun } from "./shared/runs.js";
console.log(JSON.stringify(process.argv.slice(1).map((run) => describeRun(JSON.parse(run)))));
"""


@needs.program("node")
def test_a_match_that_is_played_is_not_said_to_wait() -> None:
    runs = [("playing", 0, 0), ("waiting", 0, 0), ("waiting", 1, 0), ("waiting", 3, 20)]
    values = [
        json.dumps({"state": state, "words": OVER, "position": position, "wait_s": wait_s})
        for state, position, wait_s in (*runs, ("over", 0, 0))
    ]
    said = subprocess.run(
        ["node", "--input-type=module", "--eval", SCRIPT, *values],
        cwd=WEB,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(said) == [
        "It is being played …",
        "It is about to be played …",
        "It waits: next in the queue …",
        "It waits: third in the queue, about 20 s …",
        OVER,
    ]
