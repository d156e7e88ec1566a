"""Which crew plays: that of this machine, or of a cluster."""

from pathlib import Path

from engine.errors import UsageError
from runners.crew import Crew
from runners.processes import Processes


def crew_for(out: Path, *, workers: int, cluster: str | None) -> Crew:
    """`cluster` as --cluster names it. Raises: UsageError, EngineFailure."""
    if cluster is None:
        return Processes(out, workers)
    try:
        from runners.cluster import Cluster
    except ImportError as error:
        raise UsageError(
            f"--cluster needs more packages ({error}): pip install 'slime-mind[cluster]'"
        ) from error
    return Cluster(out, cluster)
