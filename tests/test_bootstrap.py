"""The first run, with real virtual environments of a tiny project."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest
from uv import find_uv_bin

import bootstrap
from tests import needs
from tests.tiny_project.backend import write_wheel

BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)  # one without our packages
TINY_PROJECT = Path(__file__).parent / "tiny_project"

pytestmark = [pytest.mark.timeout(600), needs.call("os.killpg")]


Run = subprocess.Popen[str]


@dataclass(frozen=True)
class Finished:
    """How a run ended."""

    code: int
    out: str
    err: str


def finish(run: Run) -> Finished:
    out, err = run.communicate()
    return Finished(run.returncode, out, err)


@dataclass
class House:
    """A fresh clone of the tiny project, on a machine with Python and nothing else."""

    home: Path
    env: dict[str, str]

    @property
    def venv(self) -> Path:
        return self.home / ".venv"

    def start(self, *command: str | Path, cwd: Path | None = None, **env: str) -> Run:
        """Start main.py, or another command of Python; in a process group of its own."""
        return subprocess.Popen(
            [BASE_PYTHON, *(command or ("main.py",))],
            cwd=cwd or self.home,
            env=self.env | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: str | Path, cwd: Path | None = None, **env: str) -> Finished:
        return finish(self.start(*command, cwd=cwd, **env))

    def start_and_hold(self) -> Run:
        """Start main.py and return in the middle of the installation, which waits."""
        (self.home / "hold").touch()
        run = self.start()
        while not (self.home / "held").exists():
            assert run.poll() is None, run.communicate()
            time.sleep(0.02)
        return run

    def release(self) -> None:
        (self.home / "hold").unlink()


def a_house(folder: Path) -> House:
    """Its pip and uv find the packages in a folder and know no network and no settings."""
    home, wheels = folder / "house", folder / "wheels"
    shutil.copytree(TINY_PROJECT, home, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(bootstrap.__file__), home)
    wheels.mkdir()
    for name in ("tiny_package", "tiny_extra", "tiny_dev_package"):
        write_wheel(wheels, name)
    write_lists(home / "requirements", wheels)
    return House(home, settings_of_installers(folder, wheels))


def write_lists(folder: Path, wheels: Path) -> None:
    """Write what tests/locked_lists.py writes of our lock."""
    folder.mkdir()
    names = ("tiny_package", "tiny_extra", "tiny_dev_package")
    lines = [lock_line(wheels, name) for name in names]
    (folder / "run.txt").write_text("\n".join(lines[:2]))
    (folder / "dev.txt").write_text("\n".join(lines))


def lock_line(wheels: Path, name: str) -> str:
    content = (wheels / f"{name}-1-py3-none-any.whl").read_bytes()
    return f"{name}==1 --hash=sha256:{sha256(content).hexdigest()}"


def settings_of_installers(folder: Path, wheels: Path) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "PATH": str(folder),  # no uv
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "UV_NO_CONFIG": "1",
        "UV_OFFLINE": "1",
        "UV_FIND_LINKS": str(wheels),
    }


def assert_it_ran(run: Finished, house: House) -> None:
    assert (run.code, run.out) == (0, f"{house.venv}\n"), run.err


@pytest.fixture
def house(tmp_path: Path) -> House:
    return a_house(tmp_path)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, Finished]:
    house = a_house(tmp_path_factory.mktemp("lived_in"))
    return house, house.run("-X", "dev", "main.py", "--option", "two words")


@pytest.fixture(scope="module")
def lived_in(first_run: tuple[House, Finished]) -> House:
    """A house after its first run, for tests that leave it as it is."""
    house, first = first_run
    assert first.code == 0, first
    return house


@pytest.fixture
def settled(house: House, lived_in: House) -> House:
    """Another one, to be changed, without a first run of its own."""
    shutil.copytree(lived_in.venv, house.venv, symlinks=True)
    asked_for = (house.home / "pyproject.toml").read_bytes()
    stamp = sha256(asked_for + os.fsencode(house.home)).hexdigest()
    (house.venv / bootstrap.STAMP.name).write_text(stamp)
    return house


@pytest.mark.slow
def test_a_fresh_clone_sets_itself_up_and_runs_the_same_command(
    first_run: tuple[House, Finished],
) -> None:
    house, first = first_run
    assert first.out == f"{house.venv} --option two words\n"
    assert first.err.count("\n") == 1
    assert "installing packages" in first.err


@pytest.mark.slow
def test_a_second_run_installs_nothing_and_says_nothing(lived_in: House) -> None:
    assert lived_in.run("main.py", "again") == Finished(0, f"{lived_in.venv} again\n", "")


INTERRUPTED = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.exhaustive
def test_a_ctrl_c_while_the_python_of_venv_comes_up_shows_no_traceback(settled: House) -> None:
    (settled.home / "engine" / "support").mkdir(parents=True)
    for name in ("__init__.py", "support/__init__.py", "support/signals.py"):
        shutil.copy(bootstrap.HOME / "engine" / name, settled.home / "engine" / name)
    program = (settled.home / "main.py").read_text()
    begin = "from engine.support import signals; signals.end_quietly()\n"
    (settled.home / "main.py").write_text(begin + program)
    (site,) = (settled.venv / "lib").glob("python*/site-packages")
    (site / "sitecustomize.py").write_text(INTERRUPTED)
    assert settled.run() == Finished(130, "", "stopped\n")


@pytest.mark.exhaustive
def test_a_module_is_run_again_as_a_module(lived_in: House) -> None:
    assert lived_in.run("-m", "main", "word") == Finished(0, f"{lived_in.venv} word\n", "")


@pytest.mark.exhaustive
def test_it_runs_from_another_working_directory(lived_in: House, tmp_path: Path) -> None:
    run = lived_in.run(lived_in.home / "main.py", cwd=tmp_path)
    assert run == Finished(0, f"{lived_in.venv}\n", "")


@pytest.mark.exhaustive
def test_in_the_activated_environment_nothing_is_done(lived_in: House) -> None:
    python = lived_in.venv / "bin" / "python"
    command = [str(python), "-X", "importtime", "main.py"]
    run = subprocess.run(command, cwd=lived_in.home, capture_output=True, text=True, check=True)
    assert "subprocess" not in run.stderr


def test_told_not_to_install_it_names_what_is_missing(house: House) -> None:
    run = house.run(SLIME_MIND_NO_BOOTSTRAP="1")
    assert run.code == 2
    assert run.err.startswith("slime-mind: missing: tiny_package (nothing is installed")
    assert not house.venv.exists()


@pytest.mark.exhaustive
def test_offline_it_says_what_to_do_and_leaves_nothing_behind(house: House) -> None:
    house.env |= {"PIP_NO_INDEX": "", "PIP_FIND_LINKS": "", "PIP_RETRIES": "0"}
    run = house.run(PIP_INDEX_URL="http://127.0.0.1:9/")
    assert run.code == 2
    assert "No matching distribution found for tiny_package" in run.err
    assert "If this machine is offline: connect it and run the same command again" in run.err
    assert "Traceback" not in run.err
    assert not house.venv.exists()


def test_without_ensurepip_it_names_the_package_of_debian(house: House, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['ensurepip'] = None")
    run = house.run(PYTHONPATH=str(tmp_path))
    assert run.code == 2
    assert "apt install python3-venv" in run.err
    assert not house.venv.exists()


def test_an_old_python_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit) as end:
        bootstrap.ensure()
    assert end.value.code == 2
    assert "needs Python 3.11 or newer; this is 3.9" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_two_first_runs_at_once_install_once(house: House) -> None:
    first = house.start_and_hold()
    second = house.start()
    house.release()
    runs = finish(first), finish(second)
    assert [run.out for run in runs] == [f"{house.venv}\n"] * 2
    assert sum("installing packages" in run.err for run in runs) == 1


@pytest.mark.exhaustive
def test_a_killed_first_try_is_repaired(house: House) -> None:
    first = house.start_and_hold()
    os.killpg(first.pid, signal.SIGKILL)
    finish(first)
    house.release()
    assert_it_ran(house.run(), house)


@pytest.mark.exhaustive
def test_the_installer_of_a_killed_first_try_is_waited_for(house: House) -> None:
    first = house.start_and_hold()
    first.kill()
    second = house.start()
    assert second.stderr
    assert "waiting" in second.stderr.readline()
    house.release()
    finish(first)
    assert_it_ran(finish(second), house)


def other_python() -> Path | None:
    """A Python with venv that is not the one our tests run on."""
    ours = Path(BASE_PYTHON).resolve()
    for path in map(Path, ("/usr/bin/python3", "/usr/local/bin/python3")):
        if path.exists() and path.resolve() != ours:
            probe = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))"
            if subprocess.call([path, "-c", probe], stderr=subprocess.DEVNULL) == 0:
                return path
    return None


@pytest.mark.exhaustive
@needs.mark(other_python(), "a python3 of the system with venv, which is not the one of the tests")
def test_a_venv_of_another_python_is_completed_by_its_own(house: House) -> None:
    subprocess.run([str(other_python()), "-m", "venv", str(house.venv)], check=True)
    before = (house.venv / "pyvenv.cfg").read_text()
    run = house.run()
    assert (run.code, (house.venv / "pyvenv.cfg").read_text()) == (0, before), run.err


@pytest.mark.exhaustive
def test_a_venv_that_lost_a_package_is_made_anew(settled: House) -> None:
    for module in settled.venv.rglob("tiny_package.py"):
        module.unlink()
    assert_it_ran(settled.run(), settled)


@pytest.mark.exhaustive
def test_a_venv_that_lost_its_python_is_made_anew(settled: House) -> None:
    for python in (settled.venv / "bin").glob("python*"):
        python.unlink()
    assert_it_ran(settled.run(), settled)


@pytest.mark.exhaustive
def test_a_changed_project_is_installed_again_in_place(settled: House) -> None:
    keepsake = settled.venv / "keepsake"
    keepsake.touch()
    with (settled.home / "pyproject.toml").open("a") as project:
        project.write("# changed\n")
    assert "installing packages" in settled.run().err
    assert settled.run() == Finished(0, f"{settled.venv}\n", "")
    assert keepsake.exists()


@pytest.mark.exhaustive
def test_a_failed_change_leaves_the_venv_as_it_was(settled: House) -> None:
    project = settled.home / "pyproject.toml"
    text = project.read_text()
    project.write_text(text.replace('build-backend = "backend"', 'build-backend = "broken"'))
    assert settled.run().code == 2
    project.write_text(text)
    assert settled.run() == Finished(0, f"{settled.venv}\n", "")


@pytest.mark.exhaustive
def test_pip_installs_no_file_but_those_that_are_locked(house: House) -> None:
    write_wheel(house.home.parent / "wheels", "tiny_package", requires="Summary: another file\n")
    run = house.run()
    assert run.code == 2
    assert "DO NOT MATCH THE HASHES" in run.err
    assert not house.venv.exists()


def an_environment(folder: Path, *modules: str) -> Path:
    """Return a virtual environment of somebody's own, with these modules in it."""
    subprocess.run([BASE_PYTHON, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    for module in modules:
        (site / f"{module}.py").touch()
    return folder


@pytest.mark.parametrize("name", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_an_activated_environment_with_all_packages_but_extras_is_used(
    house: House, tmp_path: Path, name: str
) -> None:
    own = an_environment(tmp_path / "own", "tiny_package")
    house.env[name] = str(own)
    assert house.run() == Finished(0, f"{own}\n", "")
    assert not house.venv.exists()


@pytest.mark.parametrize("name", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_nothing_is_installed_where_an_activated_environment_lacks_packages(
    house: House, tmp_path: Path, name: str
) -> None:
    own = an_environment(tmp_path / "own")
    house.env[name] = str(own)
    run = house.run()
    assert (run.code, run.out) == (2, "")
    assert run.err == (
        f"slime-mind: missing in the activated environment {own}: tiny_package\n"
        f"Nothing is installed there unasked: {own}/bin/python -m pip install -r "
        f"{house.home}/requirements/run.txt\n"
        "does it, or deactivate the environment, and packages are installed into .venv.\n"
    )
    assert not house.venv.exists()


def test_neither_the_base_of_conda_nor_one_that_is_gone_is_an_environment_of_ones_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setenv("CONDA_PREFIX", str(tmp_path))
    monkeypatch.setenv("CONDA_DEFAULT_ENV", "base")
    assert bootstrap.activated_environment() is None
    monkeypatch.setenv("CONDA_DEFAULT_ENV", "bots")
    assert bootstrap.activated_environment() == tmp_path
    monkeypatch.setenv("CONDA_PREFIX", str(tmp_path / "gone"))
    assert bootstrap.activated_environment() is None
    monkeypatch.setenv("VIRTUAL_ENV", str(bootstrap.VENV))
    assert bootstrap.activated_environment() is None


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_clone_that_cannot_be_written_is_told_of_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    def refuse() -> None:
        raise OSError(number, os.strerror(number), str(bootstrap.HOME / ".venv.lock"))

    monkeypatch.setattr(bootstrap, "alone", refuse)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as end:
        bootstrap.prepare()
    output = capsys.readouterr().err
    assert end.value.code == 2
    assert output.startswith(f"slime-mind: cannot make {bootstrap.VENV}: [Errno {number}] ")
    assert f"{bootstrap.HOME} cannot be written. Copy it to a folder of your own" in output
    assert f"ENV/bin/pip install {bootstrap.HOME}" in output


def test_packages_of_another_user_whose_python_must_not_be_run_are_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / "python")
    monkeypatch.setattr(bootstrap, "stamp", lambda: f"{bootstrap.fingerprint()} dev")
    (tmp_path / "python").symlink_to(sys.executable)
    assert bootstrap.is_finished(dev=True)
    (tmp_path / "python").unlink()
    (tmp_path / "python").touch(mode=0o600)
    assert not bootstrap.is_finished(dev=True)


def provide_uv(house: House) -> None:
    """Have pip find a uv."""
    wheels = house.home.parent / "wheels"
    write_wheel(wheels, "uv", script=f'#!/bin/sh\nexec {find_uv_bin()} "$@"\n')
    (house.home / "requirements" / "uv.txt").write_text(lock_line(wheels, "uv"))


def lock(house: House) -> None:
    command = [find_uv_bin(), "lock", "--quiet", "--python", BASE_PYTHON]
    subprocess.run(command, cwd=house.home, env=house.env, check=True)


def read_installer(house: House) -> str:
    (info,) = house.venv.glob("lib/python*/site-packages/tiny_package-1.dist-info")
    return (info / "INSTALLER").read_text().strip()


@pytest.mark.slow
def test_pip_brings_uv_which_installs_the_rest(house: House) -> None:
    provide_uv(house)
    lock(house)
    assert_it_ran(house.run(), house)
    assert read_installer(house) == "uv"
    assert (house.venv / "bin" / "pip").exists()


@pytest.mark.exhaustive
def test_pip_installs_where_uv_fails(house: House) -> None:
    provide_uv(house)  # without a lock to read
    assert_it_ran(house.run(), house)
    assert read_installer(house) == "pip"


@pytest.mark.exhaustive
def test_a_command_that_has_its_packages_waits_for_no_others(settled: House) -> None:
    (settled.home / "hold").touch()
    program = (settled.home / "main.py").read_text()
    (settled.home / "tests.py").write_text(program.replace("ensure()", "prepare(dev=True)"))
    adding = settled.start("tests.py")
    while not (settled.home / "held").exists():
        assert adding.poll() is None, adding.communicate()
        time.sleep(0.02)
    assert settled.run() == Finished(0, f"{settled.venv}\n", "")
    settled.release()
    finish(adding)


@pytest.mark.exhaustive
def test_uv_is_used_where_there_is_one(house: House) -> None:
    lock(house)
    run = house.run(PATH=str(Path(find_uv_bin()).parent))
    assert_it_ran(run, house)
    assert not (house.venv / "bin" / "pip").exists()
