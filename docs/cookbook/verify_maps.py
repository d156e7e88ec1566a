"""Check that the maps of a table of matches follow from its published secret: give its path."""

import csv
import sys
from hashlib import blake2b
from pathlib import Path


def seed_of(secret: str, name: str) -> int:
    hashed = blake2b(f"{int(secret, 0)}/{name}".encode(), digest_size=16)
    return int.from_bytes(hashed.digest(), "big")


with Path(sys.argv[1]).open(encoding="utf-8") as file:
    rows = [row for row in csv.DictReader(file) if row["secret"] and row["seed"]]
right = [row for row in rows if seed_of(row["secret"], row["map"]) == int(row["seed"], 0)]
secrets = ", ".join(sorted({row["secret"] for row in rows}))
print(f"{len(right)} of {len(rows)} matches were played on maps drawn from {secrets}")
