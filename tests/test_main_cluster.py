"""Tournaments on a cluster from the command line, as docs/tournaments.md has them."""

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import bootstrap
from tests import needs
from tests.runners.machines import WITHOUT_LANDLOCK, Machines, cluster_in, needs_seccomp
from tests.shell import ENVIRONMENT, QUICK, WALKER, Done, Shell

pytestmark = [pytest.mark.timeout(180)]

DOCUMENTED = (bootstrap.HOME / "docs" / "tournaments.md").read_text(encoding="utf-8")
needs_openssl = needs.program("openssl")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    home = tmp_path / "home"
    home.mkdir()
    shell = Shell(home)
    for number, name in enumerate(("ann", "bob")):
        shell.bot(f"player_{name}.py", f"{WALKER}# {number}\n")
    return shell


def tournament(shell: Shell, address: str, *arguments: str, **env: str) -> Done:
    play = ("-r", "tournament", "--no-report", "--pairs", "1", *QUICK, "--cluster", address)
    return shell.run(*play, *arguments, env=ENVIRONMENT | env)


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """A folder with what the documented commands of openssl make."""
    folder = tmp_path / "certificates"
    folder.mkdir()
    commands = re.findall(r"^openssl .*(?:\n    .*)*", DOCUMENTED, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        subprocess.run(command, shell=True, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Machines]:
    """A cluster without TLS, and without workers."""
    with cluster_in(tmp_path) as machines:
        yield machines


@pytest.mark.slow
@needs_seccomp
def test_a_machine_that_held_bots_back_less_is_told(shell: Shell, plain: Machines) -> None:
    plain.start_worker(before=WITHOUT_LANDLOCK)
    done = tournament(shell, plain.address)
    assert done.code == 0, done
    host, danger = socket.gethostname(), "a bot could read and change your files (files)"
    assert f"sandbox incomplete on {host}: {danger}\n" in done.err
    assert f"\n  sandbox incomplete on {host}, in 2 matches: {danger}\n" in done.out
    assert shell.run("report").code == 0
    page = (shell.home / "results" / "tournament" / "report" / "index.html").read_text()
    assert f"sandbox incomplete on {host}, in 2 matches: {danger}" in page


@pytest.fixture
def machines(tmp_path: Path, certificates: Path) -> Iterator[Machines]:
    (options,) = re.findall(r"^dask scheduler --protocol tls (.*)$", DOCUMENTED, re.MULTILINE)
    arguments = [str(certificates / word) if "." in word else word for word in options.split()]
    with cluster_in(tmp_path, protocol="tls", options=tuple(arguments)) as machines:
        machines.start_worker()
        yield machines


def read_variables(certificates: Path) -> dict[str, str]:
    found = re.findall(r"^export (DASK_\w+)=(\S+)$", DOCUMENTED, re.MULTILINE)
    assert len(found) == 3
    return {name: str(certificates / file) for name, file in found}


@pytest.mark.slow
@needs_openssl
def test_the_documented_commands_play_a_tournament_over_tls(
    shell: Shell, machines: Machines, certificates: Path
) -> None:
    done = tournament(shell, machines.address, "--json", **read_variables(certificates))
    assert (done.code, done.err) == (0, "")
    assert len([json.loads(line) for line in done.out.splitlines()]) == 2


@pytest.mark.slow
@needs_openssl
def test_a_runner_of_another_authority_is_not_let_in(
    shell: Shell, machines: Machines, certificates: Path, tmp_path: Path
) -> None:
    variables = read_variables(certificates)
    for command in re.findall(r"^openssl .*(?:\n    .*)*", DOCUMENTED, re.MULTILINE):
        subprocess.run(command, shell=True, cwd=tmp_path, check=True, capture_output=True)
    foreign = {name: str(tmp_path / Path(file).name) for name, file in variables.items()}
    done = tournament(shell, machines.address, **foreign)
    assert done.code == 1
    assert re.match(r"error: --cluster tls://.*certificate.*", done.err)
    assert "Traceback" not in done.err


@pytest.mark.slow
def test_tls_without_its_files_is_told_in_a_line(shell: Shell) -> None:
    done = tournament(shell, "tls://127.0.0.1:9")
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert line.startswith("error: --cluster tls://127.0.0.1:9: TLS is not set up for Dask")


@pytest.mark.slow
def test_a_file_of_tls_that_is_not_there_is_told_in_a_line(shell: Shell) -> None:
    names = {"CA_FILE": "no.pem", "CLIENT__CERT": "no.pem"}
    env = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": file for name, file in names.items()}
    done = tournament(shell, "tls://127.0.0.1:9", **env)
    assert done.code == 2
    (line,) = done.err.splitlines()
    assert "Dask's files for TLS cannot be used: [Errno 2]" in line
