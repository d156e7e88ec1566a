"""A server at a unix socket, behind a proxy."""

import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests import needs
from tests.shell import PATIENCE_S, Shell, eventually, finish, free_port

NAME = "arena.test"
SOCKET = "web.sock"
CADDY = shutil.which("caddy")
SERVE = ("serve", "--jobs", "0", "--unix-socket")
WORDS = (*SERVE, SOCKET, "--public-name", NAME)

pytestmark = needs.call("socket.AF_UNIX")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell in the current folder: paths of sockets must be short."""
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@contextmanager
def serving(shell: Shell, **options: Any) -> Iterator[list[str]]:
    """Serve, give the lines printed at the start, and end by a Ctrl-C."""
    process = shell.start(*WORDS, **options)
    assert process.stdout is not None
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        yield lines
    finally:
        process.send_signal(signal.SIGINT)
        assert finish(process).code == 130, lines


def proxy(**headers: str) -> httpx2.Client:
    """Return a client that asks as a proxy does."""
    return httpx2.Client(
        transport=httpx2.HTTPTransport(uds=SOCKET),
        base_url=f"http://{NAME}",
        headers={"x-forwarded-proto": "https", **headers},
        timeout=PATIENCE_S,
    )


def test_a_proxy_is_answered_and_believed(shell: Shell) -> None:
    with serving(shell) as lines:
        assert (
            lines[0] == f"serving at:    {SOCKET}, for a proxy that is reached at https://{NAME}/\n"
        )
        assert Path(SOCKET).stat().st_mode & 0o777 == 0o660
        link = re.search(rf"https://{NAME}(/welcome/\S+)", "".join(lines))
        assert link is not None
        with proxy(**{"x-forwarded-for": "192.0.2.7"}) as client:
            joined = client.post(
                link[1], data={"name": "Olga"}, headers={"origin": f"https://{NAME}"}
            )
            assert joined.status_code == 303
            assert "secure" in joined.headers["set-cookie"].lower()
            assert client.get("/metrics", headers={"cookie": ""}).status_code == 404
        with proxy() as nobody:  # it does not say for whom it asks
            assert nobody.get("/healthz").status_code == 200
            assert nobody.get("/metrics").status_code == 404
            assert nobody.get("/", headers={"host": "elsewhere.test"}).status_code == 421
        with proxy(**{"x-forwarded-for": "127.0.0.1"}) as local:
            assert local.get("/metrics").status_code == 200
        again = shell.run(*WORDS, "--out", "elsewhere")
        assert again.code == 2
        assert f"a process listens at {SOCKET}: end it, or choose another path" in again.err
    assert not Path(SOCKET).exists()


def test_a_socket_that_is_left_over_is_replaced(shell: Shell) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as left_over:
        left_over.bind(SOCKET)
    with serving(shell), proxy() as client:
        assert client.get("/healthz").status_code == 200


def test_a_socket_that_somebody_else_has_put_there_stays(shell: Shell) -> None:
    with serving(shell):
        Path(SOCKET).unlink()
        Path(SOCKET).write_text("theirs")
    assert Path(SOCKET).read_text() == "theirs"


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ((SOCKET,), "--unix-socket needs --public-name: the name by which browsers reach"),
        ((*WORDS[4:], "--port", "9"), "--port would have no effect: --unix-socket says where to"),
        (("main.py", *WORDS[-2:]), "main.py is there, and no socket: choose another path"),
        (("none/web.sock", *WORDS[-2:]), "none/web.sock cannot be listened at (No such"),
        (("x" * 120, *WORDS[-2:]), "cannot be listened at (AF_UNIX path too long): choose another"),
    ],
)
def test_what_cannot_be_served_is_refused(shell: Shell, parts: tuple[str, ...], why: str) -> None:
    done = shell.run(*SERVE, *parts)
    assert done.code == 2
    assert why in done.err
    assert (shell.home / "main.py").read_text() != ""


@pytest.mark.slow
@needs.CADDY
def test_caddy_serves_it(shell: Shell) -> None:
    assert CADDY is not None
    port = free_port()
    Path("Caddyfile").write_text(
        f"{{\n admin off\n auto_https off\n}}\n"
        f"http://:{port} {{\n reverse_proxy unix/{SOCKET} {{\n flush_interval -1\n }}\n}}\n"
    )
    with serving(shell):
        caddy = subprocess.Popen(
            [CADDY, "run", "--config", "Caddyfile"],
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            client = httpx2.Client(headers={"host": NAME}, timeout=PATIENCE_S)

            def is_up() -> bool:
                try:
                    return client.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
                except httpx2.TransportError:
                    return False

            assert eventually(is_up)
            page = client.get(f"http://127.0.0.1:{port}/sign-in")
            assert page.status_code == 200
            assert "Sign in" in page.text
        finally:
            caddy.terminate()
            caddy.wait(PATIENCE_S)
