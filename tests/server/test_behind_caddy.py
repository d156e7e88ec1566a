"""Caddy with the Caddyfile of deploy/, in front of two web processes of one database."""

import shutil
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

import bootstrap
from runners.storage.database import Database
from runners.storage.schema import ensure_schema
from server.identity.audit_log import AuditLog
from server.identity.people import Kind, People
from tests import needs
from tests.postgresql import PostgreSQL
from tests.server.deployed import Deployed, deployed
from tests.server.playing import choose_orders
from tests.shell import PATIENCE_S, Shell, eventually, free_port

CADDY = shutil.which("caddy")
NAME = "arena.localhost"
"""A name for which Caddy makes a certificate of its own, as nobody else can."""
HEALTH_S = 5
"""How often the Caddyfile has Caddy ask for it."""
WEB_HOST = "127.0.0.2"
"""An address that is no name of the server, as those of containers are none."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), needs.CADDY]


class Site:
    """What browsers reach."""

    def __init__(self, port: int, plain_port: int, authority: Path, webs: list[Deployed]) -> None:
        self.base = f"https://127.0.0.1:{port}"
        self.plain = f"http://127.0.0.1:{plain_port}"
        self.webs = webs
        self.url = ""
        """That of its database, where tests need it."""
        self.trust = ssl.create_default_context(cafile=str(authority))
        self.headers = {"host": NAME, "origin": f"https://{NAME}"}
        self.client = self.browser()

    def browser(self) -> httpx2.Client:
        """Return a browser that trusts the site's certificate."""
        return httpx2.Client(verify=self.trust, headers=self.headers, timeout=PATIENCE_S)

    def ask(self, browser: httpx2.Client, method: str, path: str, **words: Any) -> httpx2.Response:
        extensions = {"sni_hostname": NAME}
        return browser.request(method, f"{self.base}{path}", extensions=extensions, **words)

    def stream(self, browser: httpx2.Client, game: str) -> AbstractContextManager[httpx2.Response]:
        """Return the events of a game, as they come."""
        path = f"{self.base}/api/v1/games/{game}/events"
        return browser.stream("GET", path, extensions={"sni_hostname": NAME})

    def get(self, path: str) -> httpx2.Response:
        return self.ask(self.client, "GET", path)

    def join(
        self, name: str, browser: httpx2.Client | None = None, **headers: str
    ) -> httpx2.Client:
        """Let somebody of a name join by a link, in a browser, with headers."""
        with closing(Database(self.url)) as database:
            week = timedelta(days=7)
            key = People(database).new_link(Kind.PERSON, made_by=None, good_for=week)
        browser, path = browser or self.browser(), f"/welcome/{key}"
        answer = self.ask(browser, "POST", path, data={"name": name}, headers=headers)
        assert answer.status_code in (200, 303), answer.text
        (ours,) = [cookie for cookie in parse_cookies(answer) if "lb" not in cookie]
        assert {"secure", "httponly"} <= ours.keys()
        return browser


@pytest.fixture(scope="module")
def site(postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site for tests that leave it as it was."""
    with running_site(postgresql, tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def own_site(postgresql: PostgreSQL, tmp_path: Path) -> Iterator[Site]:
    """A site for a test that kills one of its processes."""
    with running_site(postgresql, tmp_path) as site:
        yield site


@contextmanager
def running_site(postgresql: PostgreSQL, folder: Path) -> Iterator[Site]:
    url = postgresql.new_url()
    with closing(Database(url)) as database:
        ensure_schema(database)
    text = "serve --host 0.0.0.0 --port 0 --role web --out results --public-name"
    serving = (*text.split(), NAME)
    env = {"SLIME_MIND_DATABASE": url, "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    with ExitStack() as stack:
        shell = Shell(folder)
        webs = [stack.enter_context(deployed(shell, serving, env)) for _ in range(2)]
        site = stack.enter_context(behind_caddy(folder, webs))
        site.url = url
        yield site


@contextmanager
def behind_caddy(folder: Path, webs: list[Deployed]) -> Iterator[Site]:
    """Run Caddy with the Caddyfile of deploy/ in front of web processes."""
    port, plain_port = free_port(), free_port()
    with ExitStack() as stack:
        config = folder / "Caddyfile"
        options = (
            *("admin off", "skip_install_trust", f"storage file_system {folder / 'caddy'}"),
            *(f"https_port {port}", f"http_port {plain_port}"),
        )
        ours = (bootstrap.HOME / "deploy" / "Caddyfile").read_text()
        config.write_text(ours.replace("{\n", "\n\t".join(("{", *options, "")), 1))
        assert CADDY is not None
        caddy = subprocess.Popen(
            [CADDY, "run", "--config", config, "--adapter", "caddyfile"],
            env={
                "HOME": str(folder),
                "ARENA_NAME": NAME,
                "ARENA_WEBS": " ".join(f"{WEB_HOST}:{web.port}" for web in webs),
            },
            stderr=(folder / "caddy.log").open("wb"),
        )
        stack.callback(caddy.wait)
        stack.callback(caddy.terminate)
        authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        assert eventually(lambda: authority.exists() and authority.stat().st_size)
        site = Site(port, plain_port, authority, webs)
        assert eventually(partial(answers, site, "/")), (folder / "caddy.log").read_text()
        yield site


def answers(site: Site, path: str) -> bool:
    with suppress(httpx2.HTTPError):
        return site.get(path).status_code == 200
    return False


def parse_cookies(answer: httpx2.Response) -> list[dict[str, str]]:
    """Return what is in each cookie of an answer, by name."""
    lines = answer.headers.get_list("set-cookie")
    return [
        {
            name.lower(): value
            for name, _, value in (word.strip().partition("=") for word in line.split(";"))
        }
        for line in lines
    ]


def test_pages_come_by_tls_and_nothing_that_is_for_us(site: Site) -> None:
    for path in ("/", "/contests", "/docs"):
        assert answers(site, path), path
    assert site.get("/").headers["content-encoding"] == "gzip"
    for path in ("/metrics", "/healthz", "/healthz/ready"):
        assert site.get(path).status_code == 404, path
    plain = httpx2.get(f"{site.plain}/", headers={"host": NAME}, timeout=PATIENCE_S)
    assert plain.status_code == 308
    assert plain.headers["location"].startswith(f"https://{NAME}")


def test_two_play_and_a_spectator_hears_of_each_move_at_once(site: Site) -> None:
    ann, bob = site.join("Ann"), site.join("Bob")
    game = start(site, ann, bob)
    with site.stream(site.client, game) as stream:
        lines = stream.iter_lines()
        heard = [step_in(lines)]
        for _ in range(4):
            step = move(site, [ann, bob], game)
            while heard[-1] < step:
                heard.append(step_in(lines))
    assert heard == sorted(heard)


def start(site: Site, one: httpx2.Client, two: httpx2.Client) -> str:
    """Let two people begin a game; return its name."""
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "open"}
    begun = site.ask(one, "POST", "/lobby/new", data=fields)
    taken = site.ask(two, "POST", f"{begun.headers['location']}/take", data={"team": "2"})
    path: str = taken.headers["location"]
    return path.rpartition("/")[2].partition("?")[0]


def move(site: Site, players: Sequence[httpx2.Client], game: str) -> int:
    """Let each who can move; return the step after that."""
    path = f"/api/v1/games/{game}"
    for browser in players:
        for _, order in choose_orders(site.ask(browser, "GET", path).json()):
            answer = site.ask(browser, "POST", f"{path}/orders", json=order)
            assert answer.status_code == 200, answer.text
    step: int = site.ask(players[0], "GET", path).json()["step"]
    return step


def step_in(lines: Iterator[str]) -> int:
    """Return the step of which the next event of a stream tells."""
    for line in lines:
        if line.startswith("id: "):
            return int(line[4:])
    raise AssertionError("the stream has ended")


def test_a_web_process_goes_on_to_be_asked_once_its_health_was_looked_at(site: Site) -> None:
    until = time.monotonic() + 2 * HEALTH_S
    while time.monotonic() < until:
        assert answers(site, "/")
        time.sleep(0.5)


def test_no_request_fails_when_a_web_process_is_killed(own_site: Site) -> None:
    site = own_site
    browsers = [site.browser() for _ in range(12)]
    for browser in browsers:
        assert site.ask(browser, "GET", "/").status_code == 200
    at_each = Counter(browser.cookies["lb"] for browser in browsers)
    assert len(at_each) == len(site.webs)
    site.webs[0].kill()
    seen = [site.ask(browser, "GET", "/contests").status_code for browser in browsers]
    assert seen == [200] * len(browsers)


def test_a_game_goes_on_when_its_web_process_is_killed(own_site: Site) -> None:
    site = own_site
    ann, bob = site.join("Ann"), site.join("Bob")
    game = start(site, ann, bob)
    with site.stream(ann, game) as stream:
        lines = stream.iter_lines()
        before = step_in(lines)
        (its_own,) = [web for web in site.webs if count_streams(web) == 1]
        its_own.kill()
        with suppress(httpx2.HTTPError):  # it ends, or breaks off
            list(lines)
    after = move(site, [ann, bob], game)
    assert after > before
    with site.stream(ann, game) as stream:  # a browser gives up a stream that is not answered 200
        assert stream.status_code == 200
        assert step_in(stream.iter_lines()) == after


def count_streams(web: Deployed) -> float:
    text = httpx2.get(f"http://127.0.0.1:{web.port}/metrics", timeout=PATIENCE_S).text
    (line,) = [line for line in text.splitlines() if line.startswith("slime_mind_streams ")]
    return float(line.split()[1])


def test_an_address_is_that_of_who_asks_and_not_what_they_say_it_is(site: Site) -> None:
    ours = httpx2.HTTPTransport(verify=site.trust, local_address="127.0.0.3")
    browser = httpx2.Client(transport=ours, headers=site.headers, timeout=PATIENCE_S)
    site.join("Cyd", browser, **{"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http"})
    with closing(Database(site.url)) as database:
        row, *_ = [row for row in AuditLog(database).rows(10) if row.what == "joined"]
    assert row.address == "127.0.0.3"


def test_figures_are_hidden_however_their_path_is_written(site: Site) -> None:
    for path in ("/%6Detrics", "//metrics", "/metrics/", "/Metrics", "/./metrics"):
        answer = site.get(path)
        assert answer.status_code in (307, 404), path
        assert "slime_mind" not in answer.text, path
