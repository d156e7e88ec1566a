"""A match executor that uses Dask's workers, at an address or on this machine."""

import asyncio
import logging
import pickle
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any, Protocol

from distributed import CancelledError, Client, KilledWorker, LocalCluster, get_worker
from distributed.comm.addressing import parse_address, parse_host_port
from distributed.comm.core import CommClosedError
from distributed.security import Security

from engine.bots.finding import Copies
from engine.errors import BadBot, BadResult, EngineFailure, UsageError
from engine.referee import Job
from engine.replays.archive import Archive
from engine.result import MatchResult
from engine.support.fair_queue import FairQueue, Owner, Priority, QueuePlace, Work
from engine.support.signals import deferring_signals
from runners.execution.executor import JobLost, Result
from runners.execution.remote_worker import (
    BotsMissing,
    CodeMismatch,
    Identity,
    RemoteJob,
    RemoteResult,
    make_remote_job,
    play_remotely,
    require_same_code,
    worker_identity,
)
from runners.observers import say
from slime_mind_arena import call

RemoteOutcome = RemoteResult | MatchResult
"""A result that was played there, or had been played before."""
IDENTITY_PLUGIN = f"{worker_identity.__module__}:{worker_identity.__name__}"
IGNORE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Run first by a worker of this machine: a terminal's Ctrl-C is for the runner."""
PATIENCE_S = 20
JOBS_PER_WORKER = 2
"""So many are with the scheduler at most, so that no worker waits for us; others queue here."""
RECOUNT_S = 5.0
"""Workers come and go; they are counted again after so many seconds."""

for name in ("distributed", "distributed.client"):
    logging.getLogger(name).setLevel(logging.CRITICAL)  # we say ourselves what went wrong
LOCAL_PREFIX = "local:"
"""Begins what stands for workers of this machine; their number follows."""
SCHEMES = ("tcp", "tls")
MAX_PORT = 65_535
TLS_VARIABLES = tuple(f"DASK_DISTRIBUTED__COMM__TLS__{at}" for at in ("CA_FILE", "CLIENT__CERT"))
"""The variables that Dask's TLS needs; there is one for a key, too, unless the cert holds it."""


class _Workers(Protocol):
    """What we use of Dask's client to ask for its workers."""

    def nthreads(self) -> Mapping[str, int]: ...

    @property
    def run(self) -> object: ...

    def sync(
        self, function: object, *arguments: object, callback_timeout: float, on_error: str
    ) -> Mapping[str, object]: ...


class Cluster:
    """Sends jobs with what they need, and stores what comes back below `out`.

    What a worker has begun to play it plays to its end: where that is stopped, its result is lost.
    """

    def __init__(self, out: Path, where: str) -> None:
        """Connect to a scheduler's address, or start workers here (`local:` and their number).

        Raises: UsageError if it is neither; EngineFailure if nobody is there.
        """
        self._where = where
        self._workers = 0
        self._archive = Archive(out)
        self._copies = Copies(out / "bots")
        self._lock = RLock()
        """Held to use the queue; a signal may come meanwhile."""
        self._queue = FairQueue()
        """What was not sent to workers yet."""
        self._playing: dict[Future[RemoteOutcome], Callable[[], object]] = {}
        """What was, and how the scheduler is asked to forget it."""
        self._is_terminated = False
        self._connect()

    @staticmethod
    def require_address(where: str) -> None:
        """Raises: UsageError for what names no cluster."""
        require_address(where)

    @property
    def workers(self) -> int:
        return max(1, self._workers)

    def submit(
        self, job: Job, owner: Owner = (), priority: Priority = Priority.WAITED_FOR
    ) -> "Future[RemoteOutcome]":
        try:
            filed = self._archive.find_result(job.spec.key) if job.once else None
        except BadResult as error:
            return _make_completed_future(error)
        if filed is not None:
            return _make_completed_future(filed)
        with self._lock:
            own = self._queue.put(owner, priority, make_remote_job(job))
        self._send_waiting()
        return own

    def find_place(self, future: "Future[RemoteOutcome]") -> QueuePlace:
        """Return where a job is in the queue here; 0 once it was sent to a worker."""
        with self._lock:
            return self._queue.estimate_wait(future, self.workers)

    def stop(self, future: "Future[RemoteOutcome]") -> None:
        with self._lock:
            self._queue.remove(future)
            forget = self._playing.get(future)
        if forget is not None:
            self._client.loop.add_callback(forget)
        _settle(future, CancelledError("it was stopped"))

    def outcome_of(
        self, job: Job, future: "Future[RemoteOutcome]"
    ) -> "Result | Future[RemoteOutcome]":
        try:
            remote_result = future.result()
            if isinstance(remote_result, MatchResult):
                return remote_result
            return self._archive.take_in(remote_result.result, remote_result.files)
        except BotsMissing:
            return self._send_with_bots(job)
        except WorkerCodeMismatch as refusal:
            return self._retire_worker(refusal, job)
        except KilledWorker:
            return EngineFailure("the cluster's processes that played it were killed, one by one")
        except (CancelledError, CommClosedError) as error:
            raise JobLost from error
        except Exception as error:  # noqa: BLE001 - whatever went wrong, here or there, is told
            return error

    def restart(self) -> None:
        self.end(at_once=True)
        self._is_terminated = False
        self._connect()

    def terminate(self) -> None:
        self._is_terminated = True
        self._give_up()

    def end(self, *, at_once: bool) -> None:
        self._give_up()
        self._open.close()

    def _give_up(self) -> None:
        """Lose what is being played."""
        with self._lock:
            lost = [*self._queue.clear(), *self._playing]
        for future in lost:
            _settle(future, _shutdown_error())

    def _connect(self) -> None:
        with ExitStack() as stack, self._explain_errors():
            require_address(self._where)
            place: Any = self._where
            if self._where.startswith(LOCAL_PREFIX):
                place = stack.enter_context(_local_cluster(self._where))
            client: Any = Client(  # type: ignore[no-untyped-call]
                place, timeout=PATIENCE_S, set_as_default=False
            )
            self._client = stack.enter_context(client)
            try:
                self._client.wait_for_workers(1, timeout=PATIENCE_S)
            except TimeoutError as error:
                raise TimeoutError("it has no workers") from error
            try:
                _require_our_code(self._client)
            except TimeoutError:
                self._tell("a worker does not answer; the others play")
            self._workers = sum(self._client.nthreads().values())
            stack.enter_context(_watch_workers(self._client, self._note_workers))
            self._open = stack.pop_all()

    def _note_workers(self, count: int) -> None:
        """Take in how many there are, and say when all have left, as Dask says nothing."""
        before, self._workers = self._workers, count
        if before and not count:
            self._tell("all workers have left; waiting for others, or for a Ctrl-C")
        elif count and not before:
            self._tell("there are workers again")
        self._send_waiting()

    def _tell(self, message: str) -> None:
        say(f"--cluster {self._where}: {message}")

    def _send_with_bots(self, job: Job) -> "Result | Future[RemoteOutcome]":
        try:
            bots = {digest: self._copies.pack(digest) for digest in job.spec.bots}
        except BadBot as error:
            return error
        return self._send(make_remote_job(job, bots))

    def _retire_worker(self, refusal: "WorkerCodeMismatch", job: Job) -> "Future[RemoteOutcome]":
        """Have a worker with other code leave the cluster, and send the job to another one."""
        self._tell(f"{refusal.words}; it plays no more")
        with self._explain_errors():
            self._client.retire_workers([refusal.address])
        return self._send(make_remote_job(job))

    def _send_waiting(self) -> None:
        """Send what comes next, as far as workers have room for it."""
        while (work := self._take()) is not None:
            self._send(work.request[0], work.future)

    def _take(self) -> Work | None:
        with self._lock:
            has_room = len(self._playing) < JOBS_PER_WORKER * self.workers
            return self._queue.take() if has_room else None

    def _send(
        self, remote_job: RemoteJob, own: "Future[RemoteOutcome] | None" = None
    ) -> "Future[RemoteOutcome]":
        """Submit a job. Futures of Dask's own executor never end if the scheduler is killed."""
        own = Future() if own is None else own
        sent = pickle.dumps(remote_job)  # read there, when our tree can be imported
        remote = self._client.submit(
            call, f"{__name__}:{play_on_worker.__name__}", sent, pure=False
        )
        if self._client.status != "running":  # what was sent goes nowhere
            _settle(own, CommClosedError("the scheduler is gone"))
            return own
        self._playing[own] = remote.cancel
        own.add_done_callback(self._on_done)
        if self._is_terminated:  # perhaps before this one was in the set
            _settle(own, _shutdown_error())
        self._client.loop.add_callback(_copy_outcome, own, remote)
        return own

    def _on_done(self, own: "Future[RemoteOutcome]") -> None:
        """Send what comes next in place of a job that is done."""
        with self._lock:
            del self._playing[own]
            if own.exception() is None and isinstance(came := own.result(), RemoteResult):
                self._queue.note_duration(came.result.wall_ms / 1000)
        self._send_waiting()

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:  # CommClosedError and TimeoutError are such
            raise EngineFailure(
                f"--cluster {self._where}: {error}; what was played is kept, and the same "
                "command resumes"
            ) from error


@contextmanager
def _watch_workers(client: _Workers, on_count: Callable[[int], None]) -> Iterator[None]:
    """Count the workers again and again while a block runs."""
    is_over = Event()
    watch = Thread(target=_watch, args=(client, on_count, is_over), daemon=True)
    with deferring_signals():  # those are for the thread that plays
        watch.start()
    try:
        yield
    finally:
        is_over.set()
        watch.join(timeout=RECOUNT_S)


def _watch(client: _Workers, on_count: Callable[[int], None], is_over: Event) -> None:
    while not is_over.wait(RECOUNT_S):
        with suppress(Exception):  # a scheduler that is gone is noticed by whoever plays
            on_count(sum(client.nthreads().values()))


def _shutdown_error() -> BaseException:
    return CancelledError("the runner ends")


def _make_completed_future(came: RemoteOutcome | BaseException) -> "Future[RemoteOutcome]":
    future: Future[RemoteOutcome] = Future()
    _settle(future, came)
    return future


async def _copy_outcome(own: "Future[RemoteOutcome]", remote: Awaitable[RemoteOutcome]) -> None:
    """Wait for a result in the event loop of its client, and hand it on.

    Dask's callbacks share one thread for all clients of a process, for ever. One that asks for a
    result while its client closes may wait there without end, and no other is called any more.
    """
    try:
        came: RemoteOutcome | BaseException = await remote
    except asyncio.CancelledError:
        _settle(own, _shutdown_error())
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is what came of it
        came = error
    _settle(own, came)


def _settle(future: "Future[RemoteOutcome]", came: RemoteOutcome | BaseException) -> None:
    """Say what came of a job, unless that was said already: it was given up, perhaps."""
    with suppress(InvalidStateError):
        if isinstance(came, BaseException):
            future.set_exception(came)
        else:
            future.set_result(came)


class WorkerCodeMismatch(Exception):
    """A worker at an address of the cluster has other code than the runner."""

    def __init__(self, message: str, address: str) -> None:
        super().__init__(message, address)  # so that it can be pickled
        self.words, self.address = message, address


def play_on_worker(sent: bytes) -> RemoteResult:
    """Play what was sent; runs there, in a folder that Dask clears, even after a kill."""
    worker = get_worker()
    try:
        return play_remotely(pickle.loads(sent), Path(worker.local_directory))
    except CodeMismatch as error:
        raise WorkerCodeMismatch(str(error), worker.address) from error


def _require_our_code(client: _Workers) -> None:
    """Ask all workers for their code; a worker looks again at each match that it is sent.

    Raises: CodeMismatch where a worker would play with other code than ours, or has none;
    TimeoutError where one hangs.
    """
    answers = client.sync(
        client.run, call, IDENTITY_PLUGIN, on_error="return", callback_timeout=PATIENCE_S
    )
    for address, answer in answers.items():
        if not isinstance(answer, Identity):
            raise CodeMismatch(
                f"the worker at {address} has no Slime Mind that could be asked ({answer}); "
                f"install there what {worker_identity()} has"
            )
        require_same_code(worker_identity(), answer)


def _local_cluster(where: str) -> LocalCluster:
    return LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=int(where.removeprefix(LOCAL_PREFIX)),
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any port: it cannot be switched off
        memory_limit=None,
        silence_logs=logging.CRITICAL,
        preload=IGNORE_INTERRUPTS,
    )


def require_address(where: str) -> None:
    """Raises: UsageError for what names no cluster, and for TLS that is not set up."""
    if where.startswith(LOCAL_PREFIX):
        count = where.removeprefix(LOCAL_PREFIX)
        if not count.isdigit() or int(count) < 1:
            raise UsageError(f"--cluster {where}: expected a number of processes, as in local:4")
        return
    try:
        scheme, place = parse_address(where)
        host, port = parse_host_port(place)
    except ValueError:
        scheme, host, port = "", "", 0
    if scheme not in SCHEMES or not host or not 0 < port <= MAX_PORT:
        raise UsageError(
            f"--cluster {where}: expected a scheduler's address, as in tcp://host:8786 or "
            "tls://host:8786, or local:4 for workers of this machine"
        )
    if scheme == "tls":
        _require_tls(where)


def _require_tls(where: str) -> None:
    try:
        security: Any = Security()  # type: ignore[no-untyped-call]
        context = security.get_connection_args("client").get("ssl_context")
    except OSError as error:  # a file that is not there, or holds something else
        raise UsageError(
            f"--cluster {where}: Dask's files for TLS cannot be used: {error}; they are named by "
            f"{', '.join(TLS_VARIABLES)} and so on"
        ) from error
    if context is None:
        raise UsageError(
            f"--cluster {where}: TLS is not set up for Dask: name its files by "
            f"{' and '.join(TLS_VARIABLES)} (see 'Clusters' in docs/tournaments.md)"
        )
