"""How much memory a worker has used of what its limit allows, read from outside (Linux)."""

from pathlib import Path

KB, MB = 1 << 10, 1 << 20
LIMIT = "Max address space"
PEAK = "VmPeak:"


def peak_memory_mb(pid: int, memory_mb: int) -> float | None:
    """Return the most address space that a process has had beyond its own, megabytes.

    `memory_mb` is what it may have beyond its own: that is what its limit was made from.
    None where it cannot be known: elsewhere than on Linux, without limits, or once it has ended.
    """
    try:
        limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii")
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        most = next(line for line in limits.splitlines() if line.startswith(LIMIT))
        peak = next(line for line in status.splitlines() if line.startswith(PEAK))
        limit = int(most.removeprefix(LIMIT).split()[0])
        own = limit - memory_mb * MB
        return max(0.0, (int(peak.split()[1]) * KB - own) / MB)
    except (OSError, StopIteration, ValueError, IndexError):
        return None
