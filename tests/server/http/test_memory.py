"""What a process keeps of the memory that large requests have taken."""

import os
import subprocess
import sys

from tests import needs

PROGRAM = """
import sys
from pathlib import Path
from server.http.serving import return_large_blocks

def kept_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024

if sys.argv[1] == "returned":
    return_large_blocks()
upload = b"x" * (24 << 20)
del upload  # from now on glibc maps no block of that size by itself
before = kept_mb()
parts, lasting = [], []
for _ in range(3):
    parts.append(b"x" * (20 << 20))
    lasting.append(b"x" * 100_000)  # lies behind it, so that the heap cannot shrink
del parts
print(kept_mb() - before)
"""


def grown_mb(how: str) -> int:
    """Return how many megabytes a process keeps that had 60 of them for a while."""
    command = [sys.executable, "-c", PROGRAM, how]
    # Dask sets variables of the allocator in a process that starts workers.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=plain)
    return int(done.stdout)


@needs.libc("mallopt")
def test_large_blocks_of_memory_go_back_to_the_system() -> None:
    assert grown_mb("kept") > 30
    assert grown_mb("returned") < 10
