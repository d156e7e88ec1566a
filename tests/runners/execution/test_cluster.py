"""Matches on a cluster: real schedulers and workers, some of them killed."""

import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from distributed.comm.core import CommClosedError

import bootstrap
from engine import ENGINE_VERSION
from engine.bots.finding import Copies, read_bot
from engine.bots.sandbox import Layer, Level
from engine.errors import EngineFailure, UsageError
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.result import MatchResult
from runners.execution.cluster import Cluster
from runners.execution.executor import JobLost, Result
from runners.execution.pool import Pool
from runners.execution.remote_worker import RemoteResult, code_digest
from tests import needs
from tests.engine.bots.programs import a_program
from tests.processes import kill, list_children, read_command
from tests.runners.machines import WITHOUT_LANDLOCK, Machines, cluster_in, needs_seccomp
from tests.runners.playing import a_job, jobs, keys
from tests.runners.results import a_match_result
from tests.shell import BOT, PATIENCE_S, eventually


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    with cluster_in(tmp_path) as machines:
        yield machines


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


def play(
    executor: Cluster, todo: list[Job], after: Callable[[], object], when: int = 1
) -> dict[int, Result]:
    """Play all, and do something after so many results."""
    results = {}
    with Pool(executor) as pool:
        for number, result in pool.play_all(todo):
            results[number] = result
            if len(results) == when:
                after()
    return results


def test_matches_come_back_with_all_their_files(machines: Machines, out: Path) -> None:
    machines.start_worker()
    talker = BOT.format("print('hello from afar'); return 'LEFT'")
    todo = jobs(out, 4, a=talker)
    results = play(Cluster(out, machines.address), todo, lambda: None)
    assert keys(results) == [job.spec.key for job in todo]
    for job in todo:
        folder = out / "matches" / job.spec.key
        names = sorted(path.name for path in folder.iterdir())
        (log,) = [name for name in names if name.endswith("ann.log")]
        assert names == [log, "match.json", "replay.jsonl.gz"]
        assert "hello from afar" in (folder / log).read_text()


@pytest.mark.slow
def test_what_was_played_afar_is_what_is_played_here(machines: Machines, out: Path) -> None:
    machines.start_worker()
    job = a_job(out)
    (result,) = play(Cluster(out, machines.address), [job], lambda: None).values()
    (again,) = play(Cluster(out, "local:1"), [job], lambda: None).values()
    assert isinstance(result, MatchResult)
    assert isinstance(again, MatchResult)
    assert (again.first_fingerprint, again.fingerprint) == (result.fingerprint, result.fingerprint)
    assert again.folder == str(out / "again" / job.spec.key)


@pytest.mark.slow
def test_a_machine_needs_no_disk_of_ours_and_keeps_nothing_of_a_match(
    machines: Machines, out: Path, tmp_path: Path
) -> None:
    machines.start_worker()
    play(Cluster(out, machines.address), jobs(out, 3), lambda: None)
    left = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    saved = {path.name for path in left if "slime-mind" in str(path.relative_to(tmp_path))}
    assert saved == {"bot.py"}


RULES = Path("engine/games/slime_mind/rules.py")


@pytest.fixture
def other_tree(tmp_path: Path) -> Path:
    """A copy of ours whose rules multiply scores by seven."""
    tree = tmp_path / "other tree"
    for name in ("engine", "runners", "resources", "slime_mind_arena"):
        shutil.copytree(bootstrap.HOME / name, tree / name)
    rules = (tree / RULES).read_text(encoding="utf-8")
    changed = rules.replace("].score_tenths", "].score_tenths * 7")
    assert changed != rules
    (tree / RULES).write_text(changed, encoding="utf-8")
    return tree


@pytest.mark.slow
def test_a_worker_with_other_rules_is_refused_with_both_names(
    machines: Machines, out: Path, other_tree: Path
) -> None:
    machines.start_worker(cwd=other_tree)
    other, host = code_digest(other_tree / "engine"), socket.gethostname()
    assert other != code_digest()
    with pytest.raises(EngineFailure) as refusal:
        play(Cluster(out, machines.address), jobs(out, 2), lambda: None)
    assert f"the worker {host} (Slime Mind {ENGINE_VERSION}, code {other})" in str(refusal.value)
    runner = f"the runner {host} (Slime Mind {ENGINE_VERSION}, code {code_digest()})"
    assert runner in str(refusal.value)
    assert not (out / "matches").exists()


@pytest.mark.slow
def test_a_worker_with_other_rules_that_comes_later_is_sent_away(
    machines: Machines, out: Path, tmp_path: Path, other_tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[str] = []
    monkeypatch.setattr("runners.execution.cluster.say", received.append)
    machines.start_worker()
    todo = jobs(out, 30)
    executor = Cluster(out, machines.address)
    worker = machines.start_worker(cwd=other_tree)
    assert eventually(lambda: len(executor._client.nthreads()) == 2)
    results = play(executor, todo, lambda: None)
    assert keys(results) == [job.spec.key for job in todo]
    assert len(received) >= 1
    assert all(code_digest(other_tree / "engine") in line for line in received)
    assert eventually(lambda: worker.poll() is not None)
    elsewhere = tmp_path / "elsewhere" / "results"
    elsewhere.parent.mkdir()
    (here,) = play(Cluster(elsewhere, "local:1"), jobs(elsewhere, 1), lambda: None).values()
    assert isinstance(here, MatchResult)
    assert here.fingerprint in {
        r.fingerprint for r in results.values() if isinstance(r, MatchResult)
    }


@pytest.mark.slow
def test_a_worker_without_our_package_is_refused(
    machines: Machines, out: Path, tmp_path: Path
) -> None:
    (tmp_path / "slime_mind_arena.py").write_text("")  # stands before ours
    machines.start_worker(cwd=tmp_path)
    with pytest.raises(
        EngineFailure, match=r"the worker at tcp://.* has no Slime Mind .*; install"
    ):
        Cluster(out, machines.address)


@pytest.mark.slow
@needs_seccomp
def test_a_result_says_which_machine_lacked_which_layers(machines: Machines, out: Path) -> None:
    machines.start_worker(before=WITHOUT_LANDLOCK)
    (result,) = play(Cluster(out, machines.address), jobs(out, 1), lambda: None).values()
    assert isinstance(result, MatchResult), result
    assert result.host == socket.gethostname()
    assert Layer.FILES in result.gaps
    assert "holds" not in result.sandbox.failings[Layer.FILES]


@pytest.mark.slow
@needs_seccomp
def test_what_a_machine_cannot_have_is_refused_with_its_name(machines: Machines, out: Path) -> None:
    machines.start_worker(before=WITHOUT_LANDLOCK)
    (job,) = jobs(out, 1)
    strict = msgspec.structs.replace(job, play=PlayOptions(sandbox=Level.STRICT))
    (result,) = play(Cluster(out, machines.address), [strict], lambda: None).values()
    assert str(result).startswith(f"{socket.gethostname()}: --sandbox strict: ")


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "kind"), [("run", "runtime"), ("build", "toolchain")])
def test_no_bot_is_blamed_for_a_language_that_a_worker_lacks(
    machines: Machines, out: Path, tmp_path: Path, tool: str, kind: str
) -> None:
    (tmp_path / "languages.toml").write_text("")
    machines.set("SLIME_MIND_LANGUAGES", tmp_path / "languages.toml")
    machines.start_worker()
    run, build = (["perl", "bot.pl"], "") if tool == "run" else (["./bot"], 'build = ["make"]')
    bot = read_bot(a_program(tmp_path / "player_foreign", run, {"bot.pl": "exit"}, build))
    Copies(out / "bots").save(bot)
    (job,) = jobs(out, 1)
    spec = msgspec.structs.replace(job.spec, bots=(job.spec.bots[0], bot.digest))
    foreign = msgspec.structs.replace(job, spec=spec)
    (result,) = play(Cluster(out, machines.address), [foreign], lambda: None).values()
    assert isinstance(result, EngineFailure)
    assert str(result).startswith(f"{socket.gethostname()}: ")
    assert f"is not a {kind} that is installed and allowed here" in str(result)


@pytest.mark.slow
def test_no_bot_is_blamed_for_a_package_that_a_worker_lacks(machines: Machines, out: Path) -> None:
    machines.start_worker()
    (job,) = jobs(out, 1)
    spec = msgspec.structs.replace(job.spec, packages=("msgspec", "no_such_package"))
    lacking = msgspec.structs.replace(job, spec=spec)
    (result,) = play(Cluster(out, machines.address), [lacking], lambda: None).values()
    assert isinstance(result, EngineFailure)
    assert f"{socket.gethostname()}: no_such_package may be imported" in str(result)


@pytest.mark.slow
def test_what_a_killed_worker_was_playing_is_played_by_another(
    machines: Machines, out: Path
) -> None:
    first, _ = machines.start_worker(), machines.start_worker()
    todo = jobs(out, 60)
    results = play(Cluster(out, machines.address), todo, first.kill, when=10)
    assert keys(results) == [job.spec.key for job in todo]
    assert not (out / "again").exists()


@pytest.mark.slow
@needs.call("signal.SIGCONT")
def test_what_a_stopped_worker_was_playing_is_played_by_another_and_counts_once(
    tmp_path: Path, out: Path
) -> None:
    """The connection of a machine that sleeps stays, and what it has played comes late."""
    with cluster_in(tmp_path, settings={"SCHEDULER__WORKER_TTL": "2s"}) as machines:
        sleeper, _ = machines.start_worker(), machines.start_worker()
        todo, executor = jobs(out, 200), Cluster(out, machines.address)
        assert eventually(lambda: len(executor._client.nthreads()) == 2)
        results = {}
        with Pool(executor) as pool:
            for number, result in pool.play_all(todo):
                results[number] = result
                if len(results) == 10:
                    sleeper.send_signal(signal.SIGSTOP)
                if len(results) == len(todo) - 10:
                    sleeper.send_signal(signal.SIGCONT)
    assert keys(results) == [job.spec.key for job in todo]
    assert not (out / "again").exists()


@pytest.mark.slow
@needs.call("signal.SIGCONT")
def test_a_slow_worker_blames_no_bot_and_holds_nobody_up(machines: Machines, out: Path) -> None:
    slow, _ = machines.start_worker(), machines.start_worker()
    todo, is_over = jobs(out, 60), threading.Event()

    def slow_down() -> None:
        """Let it run a tenth of the time."""
        while not is_over.wait(0.01):
            slow.send_signal(signal.SIGSTOP)
            is_over.wait(0.09)
            slow.send_signal(signal.SIGCONT)

    brake = threading.Thread(target=slow_down)
    brake.start()
    try:
        results = play(Cluster(out, machines.address), todo, lambda: None)
    finally:
        is_over.set()
        brake.join()
    assert keys(results) == [job.spec.key for job in todo]
    played = [one for one in results.values() if isinstance(one, MatchResult)]
    assert [one.faults for one in played] == [0] * len(todo)


@pytest.mark.slow
@needs.call("signal.SIGKILL")
def test_workers_of_this_machine_are_started_and_replaced(out: Path) -> None:
    todo = jobs(out, 40)
    executor = Cluster(out, "local:2")
    assert executor.workers == 2
    results = play(executor, todo, lambda: kill(workers_below_us()[0]), when=5)
    assert keys(results) == [job.spec.key for job in todo]
    assert eventually(lambda: not workers_below_us())


def workers_below_us() -> list[int]:
    return [pid for pid in list_children(os.getpid()) if b"spawn_main" in read_command(pid)]


@pytest.mark.slow
def test_a_killed_scheduler_is_told_and_what_was_played_is_kept(
    machines: Machines, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines.start_worker()
    executor = Cluster(out, machines.address)
    monkeypatch.setattr("runners.execution.cluster.PATIENCE_S", 2)
    with pytest.raises(EngineFailure, match=r"what was played is kept, and the same command"):
        play(executor, jobs(out, 300), machines.running[0].kill, when=20)
    assert len(list((out / "matches").iterdir())) >= 20


@pytest.mark.slow
def test_a_scheduler_that_is_back_is_used_again(machines: Machines, out: Path) -> None:
    machines.start_worker()

    def restart() -> None:
        for process in machines.running:
            process.kill()
            process.wait()
        machines.start_scheduler()
        machines.start_worker()

    todo = jobs(out, 60)
    results = play(Cluster(out, machines.address), todo, restart, when=10)
    assert keys(results) == [job.spec.key for job in todo]


@pytest.mark.slow
def test_a_cluster_that_all_workers_have_left_is_told_and_goes_on_with_others(
    machines: Machines, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.execution.cluster.RECOUNT_S", 0.1)
    received = []

    def hear(text: str) -> None:
        received.append(text)
        if "left" in text:
            machines.start_worker()

    monkeypatch.setattr("runners.execution.cluster.say", hear)
    worker, todo = machines.start_worker(), jobs(out, 40)
    results = play(Cluster(out, machines.address), todo, worker.kill, when=5)
    assert keys(results) == [job.spec.key for job in todo]
    assert received == [
        f"--cluster {machines.address}: all workers have left; waiting for others, or for a Ctrl-C",
        f"--cluster {machines.address}: there are workers again",
    ]


@pytest.mark.slow
@needs.call("signal.SIGSTOP")
def test_a_runner_does_not_wait_for_a_worker_that_hangs(
    machines: Machines, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[str] = []
    monkeypatch.setattr("runners.execution.cluster.say", received.append)
    sleeper, _ = machines.start_worker(), machines.start_worker()
    with ExitStack() as stack:
        executor = Cluster(out, machines.address)
        stack.callback(executor.end, at_once=True)
        assert eventually(lambda: len(executor._client.nthreads()) == 2)
        sleeper.send_signal(signal.SIGSTOP)
        monkeypatch.setattr("runners.execution.cluster.PATIENCE_S", 5)
        executor.restart()
    assert received == [f"--cluster {machines.address}: a worker does not answer; the others play"]


@pytest.mark.slow
def test_a_match_that_cannot_be_played_there_is_told(machines: Machines, out: Path) -> None:
    machines.start_worker()
    todo = jobs(out, 2)
    (out / "bots" / todo[0].spec.bots[0] / "bot.py").unlink()
    results = play(Cluster(out, machines.address), todo, lambda: None)
    assert all("no copy of a bot" in str(result) for result in results.values())


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Return the client of a cluster with one worker, of which nothing is heard."""
    client = Mock(status="running")
    monkeypatch.setattr(Cluster, "_connect", lambda self: setattr(self, "_client", client))
    return client


def test_what_is_sent_just_as_the_runner_ends_is_lost_at_once(out: Path, client: Mock) -> None:
    cluster, job = Cluster(out, "tcp://host:8786"), a_job(out)

    def end(*_: object, **__: object) -> Mock:
        cluster.terminate()
        return Mock()

    client.submit.side_effect = end
    sent = cluster.submit(job)
    assert sent.done()
    with pytest.raises(JobLost):
        cluster.outcome_of(job, sent)


def test_whoever_has_waited_longest_comes_next_and_is_told_when(out: Path, client: Mock) -> None:
    cluster, job = Cluster(out, "tcp://host:8786"), a_job(out)
    anns = [cluster.submit(job, ("Ann",)) for _ in range(5)]
    bobs = cluster.submit(job, ("Bob",))
    assert [cluster.find_place(one).number for one in (*anns, bobs)] == [0, 0, 2, 3, 4, 1]
    played = msgspec.structs.replace(a_match_result(1), wall_ms=20_000)
    anns[0].set_result(RemoteResult(result=played, files={}))
    assert list(map(cluster.find_place, (bobs, *anns[2:]))) == [(0, 0), (1, 10), (2, 30), (3, 50)]
    for stopped in (anns[1], anns[2]):
        cluster.stop(stopped)
        with pytest.raises(JobLost):
            cluster.outcome_of(job, stopped)
    assert [cluster.find_place(one) for one in anns[3:]] == [(0, 0), (1, 10)]
    assert client.submit.call_count == 5


@pytest.mark.slow
def test_what_workers_have_no_room_for_is_sent_once_they_have(out: Path) -> None:
    cluster, todo = Cluster(out, "local:1"), jobs(out, 6)
    try:
        sent = [cluster.submit(job) for job in todo]
        cluster.stop(sent[1])
        assert not wait(sent, timeout=PATIENCE_S).not_done
    finally:
        cluster.end(at_once=True)


def test_all_that_waits_is_lost_with_the_scheduler(out: Path, client: Mock) -> None:
    cluster, job = Cluster(out, "tcp://host:8786"), a_job(out)
    waiting = [cluster.submit(job, ("Ann",)) for _ in range(2_000)]
    client.status = "closed"
    waiting[0].set_exception(CommClosedError("the scheduler is gone"))
    lost = [waiting[0], *waiting[2:]]  # of the second its own future tells
    assert all(one.done() for one in lost)
    for one in (*lost[:3], cluster.submit(job)):
        with pytest.raises(JobLost):
            cluster.outcome_of(job, one)


@pytest.mark.slow
def test_what_is_lost_as_a_cluster_ends_holds_up_no_other(machines: Machines, out: Path) -> None:
    machines.start_worker()
    job, *others = jobs(out, 30)
    for _ in range(10):
        ended = Cluster(out, machines.address)
        sent = [ended.submit(other) for other in others]
        ended.end(at_once=True)
        assert all(attempt.done() for attempt in sent)
    assert plays(Cluster(out, machines.address), job)


def test_a_callback_of_dask_that_hangs_holds_up_no_match(machines: Machines, out: Path) -> None:
    """It has one thread for those of all clients of a process."""
    machines.start_worker()
    cluster, is_over = Cluster(out, machines.address), threading.Event()
    cluster._client.submit(int).add_done_callback(lambda _: is_over.wait())
    try:
        assert plays(cluster, *jobs(out, 1))
    finally:
        is_over.set()


def plays(cluster: Cluster, job: Job) -> bool:
    """Return whether something comes of a job before our patience ends."""
    try:
        return bool(wait([cluster.submit(job)], timeout=PATIENCE_S).done)
    finally:
        cluster.end(at_once=True)


@pytest.mark.parametrize("where", ["local:", "local:0", "local:many"])
def test_a_number_of_processes_is_asked_for(out: Path, where: str) -> None:
    with pytest.raises(UsageError, match=r"expected a number of processes, as in local:4"):
        Cluster(out, where)


@pytest.mark.parametrize(
    "where", ["tcp://", "tls://", "garbage", "http://host:1", "tcp://:8786", "tcp://host:99999"]
)
def test_an_address_is_asked_for(out: Path, where: str) -> None:
    with pytest.raises(UsageError, match=r"expected a scheduler's address, as in tcp://host:8786"):
        Cluster(out, where)


def test_an_address_where_nobody_is_is_told(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.execution.cluster.PATIENCE_S", 1)
    with pytest.raises(EngineFailure, match=r"--cluster tcp://127.0.0.1:9: "):
        Cluster(out, "tcp://127.0.0.1:9")


@pytest.mark.slow
def test_a_scheduler_without_workers_is_told(
    machines: Machines, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.execution.cluster.PATIENCE_S", 2)
    with pytest.raises(EngineFailure, match=r"it has no workers"):
        Cluster(out, machines.address)
