"""Count the events of a match, with nothing of ours: give the path of its replay."""

import collections
import gzip
import json
import sys

events = collections.Counter()
with gzip.open(sys.argv[1], "rt", encoding="utf-8") as lines:
    header = json.loads(next(lines))
    for line in map(json.loads, lines):
        if isinstance(line, list):
            events.update(entry[0] for entry in line if not entry[0].startswith("!"))
print(header["spec"]["game"], [bot["name"] for bot in header["bots"]], dict(events))
