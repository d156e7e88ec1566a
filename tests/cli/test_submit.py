"""The command `submit`: a bot goes to a server in a process of its own."""

import json
import os
import re
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from engine.bots.syntax_hints import THIS_PYTHON
from server.http.listening import LOOPBACK, listen
from tests import needs
from tests.shell import PATIENCE_S, Done, Shell, finish

HOME = Path(__file__).parents[2]
GOOD = (HOME / "playerCode" / "player_two.py").read_text()
TOKEN = re.compile(r'readonly value="(slime_[^"]+)"')


class Served:
    """A server, and how to hand in there."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        a_bot(shell.home / "playerCode", GOOD, "player_one.py")
        self.start("0")
        self.token = self._token()

    def start(self, port: str) -> None:
        self.process = self.shell.start("serve", "--port", port)
        assert self.process.stdout is not None
        lines = ""
        for line in self.process.stdout:
            lines += line
            if line.startswith("Ctrl-C"):
                break
        found = re.search(r"serving at: +(http://\S+)/", lines)
        assert found is not None, lines
        self.address = found[1]
        self.link = re.search(r"http://\S+/welcome/\S+", lines)

    def submit(self, *arguments: str, token: str | None = None) -> Done:
        return self.shell.run(
            "submit", *arguments, "--server", self.address, "--token", token or self.token
        )

    def end(self, how: int = signal.SIGINT) -> None:
        os.killpg(self.process.pid, how)
        finish(self.process)

    def _token(self) -> str:
        assert self.link is not None
        with httpx2.Client(timeout=PATIENCE_S, follow_redirects=True) as client:
            client.post(self.link[0], data={"name": "Olga"})
            page = client.post(f"{self.address}/me/tokens", data={"name": "a test"}).text
        found = TOKEN.search(page)
        assert found is not None
        return found[1]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(Shell(tmp_path_factory.mktemp("served")))
    yield served
    served.end()


def a_bot(folder: Path, source: str, name: str = "player_mine.py") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return str(path)


def test_a_good_bot_is_accepted_with_each_step_and_its_first_match(
    served: Served, tmp_path: Path
) -> None:
    done = served.submit(a_bot(tmp_path, GOOD), "--name", "Muncher")
    assert done.code == 0, done
    first, *steps, match, last = done.out.splitlines()
    assert re.fullmatch(rf"Muncher, version 1: {served.address}/bots/\w+/versions/1", first)
    assert [line.split(",")[0] for line in steps] == [
        "  Size and names: passed",
        "  Syntax and class: passed",
        "  Game and signature: passed",
        "  First decision: passed",
        "  First match: passed",
        "  Ladder: passed",
    ]
    assert match == f"first match: {first.partition(': ')[2]}/watch"
    assert last == "accepted"
    for_scripts = served.submit(a_bot(tmp_path, GOOD), "--name", "Muncher", "--json")
    found = json.loads(for_scripts.out)
    assert (for_scripts.code, found["state"], found["is_identical"]) == (0, "active", True)
    again = served.submit(a_bot(tmp_path, GOOD), "--name", "Muncher")
    assert again.code == 0
    assert "identical to this version, which is active: no new one was made" in again.out


@pytest.mark.slow
def test_a_folder_and_a_zip_are_handed_in(served: Served, tmp_path: Path) -> None:
    a_bot(tmp_path, "from paths import x\n" + GOOD, "mine/__init__.py")
    a_bot(tmp_path, "x = 1\n", "mine/paths.py")
    assert served.submit(str(tmp_path / "mine"), "--ladder", "slime mind").code == 0
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.writestr("mine/__init__.py", GOOD + "# zipped\n")
    assert "mine, version 2" in served.submit(str(tmp_path / "mine.zip")).out


def test_a_refused_bot_ends_with_1_and_says_why(served: Served, tmp_path: Path) -> None:
    done = served.submit(a_bot(tmp_path, "class Player:\n    x = (\n"), "--name", "Broken")
    assert done.code == 1
    assert "Syntax and class: failed, syntax error in line 2" in done.out
    assert done.err == (
        "Error: refused: Syntax and class: syntax error in line 2: '(' was never closed; close "
        f"that bracket: what follows is read as its contents (bots play in {THIS_PYTHON} here)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["--name", "a/b"], 1, "Error: refused: a bot's name has letters, digits"),
        (["--ladder", "nowhere"], 1, "Error: refused: there is no ladder 'nowhere'"),
        (["--token", "slime_wrong"], 1, "Error: refused: a token is needed"),
        (["--token", "ü"], 2, "error: --token: this is not a token"),
        (["--server", "ftp://x"], 2, "error: --server ftp://x: expected an address such as"),
        (["--server", "http://me:x@y"], 2, "expected an address such as"),
    ],
)
def test_what_will_not_do_is_refused(
    served: Served, tmp_path: Path, arguments: list[str], code: int, why: str
) -> None:
    rest = ["--server", served.address, "--token", served.token]
    done = served.shell.run("submit", a_bot(tmp_path, GOOD), *rest, *arguments)
    assert (done.code, why in done.err) == (code, True), done


def test_what_cannot_be_sent_is_wrong_usage(served: Served, tmp_path: Path) -> None:
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "__init__.py").symlink_to("/etc/passwd")
    for bot in (tmp_path / "nothing.py", tmp_path / "link", tmp_path / "no.zip"):
        done = served.submit(str(bot))
        assert (done.code, done.err.count("\n")) == (2, 1), done
    done = served.shell.run("submit", a_bot(tmp_path, GOOD), "--server", served.address)
    assert (done.code, "a token is needed: make one at" in done.err) == (2, True)


def test_where_nobody_answers_it_ends_with_1(served: Served, tmp_path: Path) -> None:
    listener = listen(LOOPBACK, 0)
    port = listener.getsockname()[1]
    listener.close()
    bot = a_bot(tmp_path, GOOD)
    done = served.shell.run("submit", bot, "--server", f"http://{LOOPBACK}:{port}", "--token", "x")
    assert (done.code, "does not answer" in done.err) == (1, True), done


@pytest.mark.slow
@needs.call("signal.SIGKILL")
def test_checks_go_on_after_the_server_was_killed_in_their_midst(
    served: Served, tmp_path: Path
) -> None:
    slow = "import time\ntime.sleep(0.5)\n" + GOOD
    bot = a_bot(tmp_path, slow)
    arguments = (
        "submit",
        bot,
        "--server",
        served.address,
        "--token",
        served.token,
        "--name",
        "Slow",
    )
    process = served.shell.start(*arguments)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("  Syntax and class"):
            break
    served.end(signal.SIGKILL)
    served.start(served.address.rpartition(":")[2])
    done = finish(process)
    assert done.code == 0, done
    assert done.out.splitlines()[-1] == "accepted"
