"""The crew of a cluster: Dask's workers, on other machines or on this one."""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from distributed import CancelledError, Client, KilledWorker, LocalCluster, get_worker
from distributed.comm.core import CommClosedError

from engine.archive import Archive
from engine.bots.finding import Copies
from engine.errors import BadBot, BadResult, EngineFailure, UsageError
from engine.referee import Job
from engine.result import MatchResult
from engine.signals import signals_held
from runners.afar import BotsLacking, Brought, Parcel, play_afar
from runners.crew import Lost, Result
from runners.observers import say

Come = Brought | MatchResult
"""What was played there, or had been played before."""
LOCAL = "local:"
DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What a worker of this machine begins with: a terminal's Ctrl-C is for us to hear."""
PATIENCE_S = 20
COUNTED_S = 5.0
"""Workers come and go; they are counted so often."""

for name in ("distributed", "distributed.client"):
    logging.getLogger(name).setLevel(logging.CRITICAL)  # we say ourselves what went wrong


class Cluster:
    """Sends jobs with what they need, and files what comes back below `out`."""

    def __init__(self, out: Path, where: str) -> None:
        """`where` is a scheduler's address, or `local:` and a number of workers.

        Raises: UsageError if it is neither; EngineFailure if nobody is there.
        """
        self._where = where
        self._workers, self._count_again = 0, 0.0
        self._archive = Archive(out)
        self._copies = Copies(out / "bots")
        self._connect()

    @property
    def workers(self) -> int:
        if time.monotonic() > self._count_again:
            with self._naming():
                self._workers = sum(self._client.nthreads().values())
            self._count_again = time.monotonic() + COUNTED_S
        return max(1, self._workers)

    def submit(self, job: Job) -> "Future[Come]":
        try:
            filed = self._archive.filed(job.spec.key) if job.once else None
        except BadResult as error:
            return _ended(error)
        return self._send(Parcel(job=job)) if filed is None else _ended(filed)

    def take(self, job: Job, future: "Future[Come]") -> "Result | Future[Come]":
        try:
            brought = future.result()
            if isinstance(brought, MatchResult):
                return brought
            return self._archive.take_in(brought.result, brought.files)
        except BotsLacking:
            return self._send_with_bots(job)
        except KilledWorker:
            return EngineFailure("the cluster's processes that played it were killed, one by one")
        except (CancelledError, CommClosedError) as error:
            raise Lost from error
        except Exception as error:  # noqa: BLE001 - whatever went wrong, here or there, is told
            return error

    def begin_anew(self) -> None:
        self.end(at_once=True)
        self._connect()

    def end(self, *, at_once: bool) -> None:
        self._open.close()

    def _connect(self) -> None:
        with ExitStack() as stack, self._naming():
            place: Any = self._where
            if self._where.startswith(LOCAL):
                place = stack.enter_context(_local_cluster(self._where))
            client: Any = Client(  # type: ignore[no-untyped-call]
                place, timeout=PATIENCE_S, set_as_default=False
            )
            self._client = stack.enter_context(client)
            _wait_for_workers(self._client)
            self._count_again = 0.0
            stack.enter_context(_watched(self._client, self._tell))
            self._open = stack.pop_all()

    def _tell(self, words: str) -> None:
        say(f"--cluster {self._where}: {words}")

    def _send_with_bots(self, job: Job) -> "Result | Future[Come]":
        try:
            bots = {digest: self._copies.pack(digest) for digest in job.spec.bots}
        except BadBot as error:
            return error
        return self._send(Parcel(job=job, bots=bots))

    def _send(self, parcel: Parcel) -> "Future[Come]":
        """Dask has an executor, too; its futures never end if the scheduler is killed in time."""
        theirs = self._client.submit(play_on_worker, parcel, pure=False)
        if self._client.status != "running":  # what was sent goes nowhere
            return _ended(CommClosedError("the scheduler is gone"))
        ours: Future[Come] = Future()
        theirs.add_done_callback(lambda done: _settle(ours, done))
        return ours

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:  # CommClosedError and TimeoutError are such
            raise EngineFailure(
                f"--cluster {self._where}: {error}; what was played is kept, and the same "
                "command goes on"
            ) from error


@contextmanager
def _watched(client: Any, tell: Callable[[str], None]) -> Iterator[None]:
    """Where all workers have left, Dask waits for others without a word; so we say it."""
    is_over = Event()
    watch = Thread(target=_watch, args=(client, tell, is_over), daemon=True)
    with signals_held():  # those are for the thread that plays
        watch.start()
    try:
        yield
    finally:
        is_over.set()
        watch.join(timeout=COUNTED_S)


def _watch(client: Any, tell: Callable[[str], None], is_over: Event) -> None:
    was_deserted = False
    while not is_over.wait(COUNTED_S):
        with suppress(Exception):  # a scheduler that is gone is noticed by whoever plays
            is_deserted = not client.nthreads()
            if is_deserted and not was_deserted:
                tell("all workers have left; waiting for others, or for a Ctrl-C")
            elif was_deserted and not is_deserted:
                tell("there are workers again")
            was_deserted = is_deserted


def _wait_for_workers(client: Client) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE_S)
    except TimeoutError as error:
        raise TimeoutError("it has no workers") from error


def _ended(came: Come | Exception) -> "Future[Come]":
    future: Future[Come] = Future()
    if isinstance(came, Exception):
        future.set_exception(came)
    else:
        future.set_result(came)
    return future


def _settle(ours: "Future[Come]", theirs: Any) -> None:
    try:
        ours.set_result(theirs.result())
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is what came of it
        ours.set_exception(error)


def play_on_worker(parcel: Parcel) -> Brought:
    """What is run there; the folder is cleared by Dask, even after a kill."""
    return play_afar(parcel, Path(get_worker().local_directory))


def _local_cluster(where: str) -> LocalCluster:
    count = where.removeprefix(LOCAL)
    if not count.isdigit() or int(count) < 1:
        raise UsageError(f"--cluster {where}: expected a number of processes, as in local:4")
    return LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=int(count),
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any port: it cannot be switched off
        memory_limit=None,
        silence_logs=logging.CRITICAL,
        preload=DEAF,
    )
