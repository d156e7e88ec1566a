"""The command `serve`: in a process of its own."""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

import bootstrap
from cli.serve import ServeOptions
from cli.server_address import allowed_hosts
from server.games.new_games import Opponents
from server.http.listening import LOOPBACK
from tests import needs
from tests.shell import ENVIRONMENT, PATIENCE_S, Shell, finish

ADDRESS = re.compile(r"serving at: +(http://\S+)/")
CAN_INTERRUPT = hasattr(os, "killpg")
LINK = re.compile(r"(http://\S+/welcome/\S+)")


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Send what a Ctrl-C sends, or end it where no program can send that."""
    if CAN_INTERRUPT:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()


@contextmanager
def serving(shell: Shell, *arguments: str) -> Iterator[list[str]]:
    """Serve, give the lines printed at the start, and end by a Ctrl-C."""
    process = shell.start("serve", "--port", "0", *arguments)
    assert process.stdout is not None
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        yield lines
    finally:
        interrupt(process)
        code = finish(process).code
        assert code == 130 or not CAN_INTERRUPT, lines


def test_the_organizer_joins_by_the_printed_link_and_is_kept(shell: Shell) -> None:
    client = httpx2.Client(timeout=PATIENCE_S, follow_redirects=True)
    with serving(shell) as lines:
        link = LINK.search("".join(lines))
        assert link is not None
        assert "Welcome, Olga" in client.post(link[1], data={"name": "Olga"}).text
        invited = shell.run("admin", "invite").out.strip()
        assert "You are invited" in client.get(invited).text
    with serving(shell, "--sign-in", "olga", "--public-name", "example.org") as lines:
        address = ADDRESS.search("".join(lines))
        device = re.search(r"link for olga: (http\S+)", "".join(lines))
        assert LINK.search("".join(lines).replace(device[0] if device else "", "")) is None
        assert address is not None
        assert device is not None
        cookie = {"cookie": f"session={client.cookies['session']}"}
        assert "Welcome, Olga" in httpx2.get(address[1], headers=cookie).text
        assert httpx2.get(address[1], headers={"host": "evil.test"}).status_code == 421
        page = httpx2.post(device[1], follow_redirects=True, headers={"host": "example.org"})
        assert page.status_code == 200


@pytest.mark.slow
def test_visitors_ask_for_an_account_where_that_is_open(shell: Shell) -> None:
    asked = {"name": "Ida", "password": "correct horse", "words": "I am Ida"}
    with serving(shell, "--registration", "open") as lines:
        address = ADDRESS.findall("".join(lines))[0]
        answer = httpx2.post(f"{address}/register", data=asked, headers={"origin": address})
        assert (answer.status_code, answer.headers["location"]) == (303, "/register/request")
    with serving(shell) as lines:  # who waits is told so still
        address = ADDRESS.findall("".join(lines))[0]
        assert httpx2.get(f"{address}/register").status_code == 403
        answer = httpx2.post(f"{address}/sign-in", data=asked, headers={"origin": address})
        assert (answer.status_code, answer.headers["location"]) == (303, "/register/request")


@pytest.mark.slow
def test_what_is_no_request_is_warned_of_once_and_as_json(shell: Shell) -> None:
    arguments = ["serve", "--port", "0", "--jobs", "0", "--log-format", "json"]
    process = shell.start(*arguments)
    assert process.stdout is not None
    address = next(filter(None, map(ADDRESS.search, process.stdout)))[1]
    there = (LOOPBACK, int(address.rpartition(":")[2]))
    for _ in range(3):
        with socket.create_connection(there, PATIENCE_S) as client:
            client.sendall(b"\0\r\n\r\n")
            assert client.recv(1 << 10).startswith(b"HTTP/1.1 400")
    interrupt(process)
    warning, *ended = finish(process).err.splitlines()
    assert len(ended) == CAN_INTERRUPT  # how it ended
    assert json.loads(warning)["message"] == "Invalid HTTP request received."


@pytest.mark.slow
def test_options_of_matches_have_no_effect(shell: Shell) -> None:
    done = shell.run("--seed", "7", "serve")
    assert done.code == 2
    assert "--seed would have no effect: each game is chosen on the server's pages" in done.err


@pytest.mark.slow
def test_languages_that_cannot_be_read_are_refused_at_the_start(shell: Shell) -> None:
    done = shell.run("serve", env=ENVIRONMENT | {"SLIME_MIND_LANGUAGES": "nowhere.toml"})
    assert done.code == 2
    assert "SLIME_MIND_LANGUAGES: nowhere.toml: cannot be read" in done.err


@pytest.mark.parametrize("network", ["10.1.2.3/24", "example.org"])
def test_a_network_that_is_none_is_refused(shell: Shell, network: str) -> None:
    done = shell.run("serve", "--metrics-from", network)
    assert done.code == 2
    assert "--metrics-from: expected 10.1.2.0/24 or the like" in done.err
    assert network in done.err


@pytest.mark.parametrize("site", ["example.org", "https://a.org/page", "https://a b", "*", ""])
def test_a_site_that_is_none_is_refused(shell: Shell, site: str) -> None:
    run = shell.run("serve", "--framed-by", site)
    assert run.code == 2
    assert f"--framed-by {site!r}: expected a site such as https://example.org" in run.err


@pytest.mark.parametrize("name", ["https://example.org", "example.org:8000", ""])
def test_a_public_name_that_is_none_is_refused(shell: Shell, name: str) -> None:
    done = shell.run("serve", "--public-name", name)
    assert done.code == 2
    assert "expected a name such as example.org" in done.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--cluster", "there"), "expected a scheduler's address"),
        (("--cluster", "local:2", "--jobs", "2"), "as many matches at a time as it has workers"),
        (
            ("--cluster", "local:2", "--role", "web", "--database", "sqlite:///x"),
            "plays no matches",
        ),
    ],
)
def test_a_cluster_that_could_play_nothing_is_refused(
    shell: Shell, arguments: tuple[str, ...], why: str
) -> None:
    done = shell.run("serve", *arguments)
    assert done.code == 2
    assert why in done.err


def test_nobody_is_signed_in_who_has_no_account(shell: Shell) -> None:
    done = shell.run("serve", "--port", "0", "--sign-in", "Nobody")
    assert done.code == 2
    assert "--sign-in Nobody: nobody has this name" in done.err


def test_the_names_of_the_server_are_allowed_and_no_others() -> None:
    options = ServeOptions(
        host=LOOPBACK,
        port=8000,
        public_names=("Example.org", "arena.test"),
        workers=0,
        signs_in=None,
    )
    assert sorted(allowed_hosts(options, 8000)) == [
        *("127.0.0.1:8000", "arena.test", "arena.test:8000", "example.org", "example.org:8000"),
        "localhost:8000",
    ]
    assert {"localhost", "example.org"} <= set(allowed_hosts(options, 80))


@pytest.mark.parametrize(
    ("host", "others"),
    [("::1", set()), ("2001:DB8:0::7", {"[2001:db8::7]:8000"}), ("[::1]", set())],
)
def test_names_of_ipv6_stand_in_brackets(host: str, others: set[str]) -> None:
    options = ServeOptions(
        host=host, port=8000, public_names=("[2001:db8::9]",), workers=0, signs_in=None
    )
    public = {"[2001:db8::9]", "[2001:db8::9]:8000"}
    assert set(allowed_hosts(options, 8000)) == {
        *("127.0.0.1:8000", "localhost:8000", "[::1]:8000"),
        *public,
        *others,
    }


@pytest.mark.slow
@needs.IPV6
@pytest.mark.parametrize("host", ["::1", "::"])
def test_it_serves_at_addresses_of_ipv6_and_prints_links_that_work(shell: Shell, host: str) -> None:
    with serving(shell, "--host", host, "--jobs", "0") as lines:
        address, link = ADDRESS.search("".join(lines)), LINK.search("".join(lines))
        assert address is not None
        assert link is not None
        assert address[1].startswith("http://[::1]:")
        answer = httpx2.post(link[1], data={"name": "Olga"}, headers={"origin": address[1]})
        assert answer.status_code == 303
        if host == "::":
            port = address[1].rpartition(":")[2]
            assert httpx2.get(f"http://127.0.0.1:{port}/metrics").status_code == 200


@pytest.mark.slow
def test_bots_that_were_rated_in_a_tournament_stand_first(shell: Shell) -> None:
    names = ("player_one", "player_two")  # those that think least
    for name in names:
        source = bootstrap.HOME / "playerCode" / "smack" / f"{name}.py"
        shell.bot(f"playerCode/smack/{name}.py", source.read_text())
    done = shell.run(
        *("-g", "smack", "--jobs", "1", "--set", "ply_limit=20", "--set", "no_capture_limit=20"),
        *("tournament", *names, "--pairs", "1"),
    )
    assert done.code == 0, done
    opponents = Opponents(shell.home / "results")
    rated = opponents._find_ratings("smack")
    listed = opponents.list_names("smack")
    assert len(rated) == 2
    assert sorted(listed[:2]) == sorted(names)
    unrated = ["player_five", "player_three", "player_four", "player_two", "player_one"]
    assert opponents.list_names("smac") == unrated  # by the strength of starter bots


def test_guests_write_in_the_strict_sandbox_only(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    done = shell.run("serve", "--guests-write", "--port", "0")
    assert done.code == 2
    assert "play under --sandbox strict only" in done.err
    assert not (tmp_path / "results").exists()
