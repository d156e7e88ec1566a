"""A PostgreSQL server of our own, on loopback, for as long as the tests run."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import psycopg

from tests import needs
from tests.shell import free_port

if sys.platform != "win32":
    import pwd

PASSWORD = "s3cret-word"
PATIENCE_S = 20
UNPRIVILEGED = ("postgres", "nobody")
"""Who may run it where we are root, for whom it refuses to start."""


class PostgreSQL:
    """A server that has a database for whoever wants one."""

    def __init__(self, port: int, start: "Callable[[], subprocess.Popen[bytes]]") -> None:
        self.port = port
        self._start = start
        self._process = start()
        self._numbers = count(1)

    def kill(self) -> None:
        """End it without a farewell to its clients."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(PATIENCE_S)

    def restart(self) -> None:
        """Kill it, and start it again with what it has written."""
        self.kill()
        self._process = self._start()
        _wait_for(self)

    def end(self) -> None:
        """End it without waiting for its clients."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE_S)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://{self._address(database)}"

    def new_url(self) -> str:
        """Return the URL of a new, empty database."""
        database = f"results_{next(self._numbers)}"
        with psycopg.connect(self.plain_url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {database}".encode())
        return self.url(database)

    @contextmanager
    def database_in(self, folder: Path) -> Iterator[str]:
        """Yield the URL of a new database whose tables are in a folder."""
        name, space = (f"{what}_{next(self._numbers)}" for what in ("results", "space"))
        home = folder / space
        home.mkdir()
        if os.getuid() == 0:
            os.chown(home, _unprivileged_user().pw_uid, _unprivileged_user().pw_gid)
        with psycopg.connect(self.plain_url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE {space} LOCATION '{home}'".encode())
            connection.execute(f"CREATE DATABASE {name} TABLESPACE {space}".encode())
            try:
                yield self.url(name)
            finally:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
                connection.execute(f"DROP TABLESPACE {space}".encode())

    @property
    def plain_url(self) -> str:
        """Return the address as psycopg itself takes it."""
        return f"postgresql://{self._address('postgres')}"

    def _address(self, database: str) -> str:
        return f"slime:{PASSWORD}@127.0.0.1:{self.port}/{database}"


def _programs() -> Path | None:
    """Return where initdb is; Debian keeps it off the PATH."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@contextmanager
def running() -> Iterator[PostgreSQL]:
    """Yield a server of our own; where its programs are missing the test is skipped."""
    bin_folder = _programs()
    if bin_folder is None:
        needs.skip("initdb (Debian's package postgresql)")
    home = Path(mkdtemp(prefix="slime-mind-postgresql-"))
    try:
        _initialize(bin_folder, home)
        port = free_port()
        settings = ("listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off")
        options = [word for setting in settings for word in ("-c", setting)]

        def start() -> "subprocess.Popen[bytes]":
            return subprocess.Popen(
                [bin_folder / "postgres", "-D", home / "data", "-p", str(port), *options],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **_as_nobody(),
            )

        server = PostgreSQL(port, start)
        try:
            _wait_for(server)
            yield server
        finally:
            server.end()
    finally:
        shutil.rmtree(home)


def _initialize(bin_folder: Path, home: Path) -> None:
    (home / "password").write_text(PASSWORD)
    if os.getuid() == 0:
        user = _unprivileged_user()
        for path in (home, home / "password"):
            os.chown(path, user.pw_uid, user.pw_gid)
    options = ("--no-sync", "--locale=C", "-E", "UTF8", "--auth=scram-sha-256", "-U", "slime")
    password = f"--pwfile={home / 'password'}"
    subprocess.run(
        [bin_folder / "initdb", "-D", home / "data", *options, password],
        stdout=subprocess.DEVNULL,
        check=True,
        **_as_nobody(),
    )


def _as_nobody() -> dict[str, Any]:
    """Return how to start what refuses root."""
    if os.getuid() != 0:
        return {"cwd": "/"}
    user = _unprivileged_user()
    return {"cwd": "/", "user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _unprivileged_user() -> "pwd.struct_passwd":
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next(known[name] for name in UNPRIVILEGED if name in known)


def _wait_for(server: PostgreSQL) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            psycopg.connect(server.plain_url).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
