"""Choose how the matches of a server are played, by --workers and --cluster."""

from msgspec.structs import replace

from engine.errors import UsageError
from runners.execution.cores import available_cores
from runners.execution.pool import require_cluster
from runners.run_options import RunOptions


def server_run(run: RunOptions, workers: int | None, cluster: str | None) -> RunOptions:
    """Return how its matches are played; by default on each core but one, which the web has.

    Raises: UsageError for both, and for a cluster that cannot be used.
    """
    if cluster is not None:
        if workers is not None:
            raise UsageError(
                "--workers: --cluster plays as many matches at a time as it has workers"
            )
        require_cluster(cluster)
    usual = max(1, len(available_cores()) - 1)
    return replace(run, workers=usual if workers is None else workers, cluster=cluster)
