"""A server that a proxy shows below a path, such as /arena."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Match, Mount, Route

from engine.errors import UsageError
from server.http.page_requests import TEMPLATES
from server.http.public_path import BelowPath, read_public_path, require_other, strip_public_path
from tests import needs
from tests.cases import for_each
from tests.server.deployed import deployed
from tests.server.in_process import make_client
from tests.server.members import HOST, Server, serving
from tests.server.test_in_browser import click_move, movable
from tests.server.test_who_may_what import STREAMS, Who, World, list_routes
from tests.shell import PATIENCE_S, Shell, eventually

ARENA = "/arena"
ADDRESSES = re.compile(r'(?<![\w-])(?:href|src|action|formaction)="([^"]*)"')
CADDY = shutil.which("caddy")
ELSEWHERE = "127.0.0.2"
"""Where Caddy listens, at the same port as the server, so that a browser names that port."""


@pytest.mark.parametrize(
    ("text", "path"),
    [("", ""), ("/", ""), ("/arena", "/arena"), ("/arena/", "/arena"), ("/a/b-1.x", "/a/b-1.x")],
)
def test_a_path_is_read(text: str, path: str) -> None:
    assert read_public_path(text) == path


@for_each(
    "text",
    ["arena", "//arena", "/a//b", "/a b", "/a?b", "/a/../b", "/.", '/"x', "/%41", "/ä", "/\n"],
)
def test_what_is_no_path_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"--public-path .*: expected a path such as /arena"):
        read_public_path(text)


def test_a_path_that_pages_of_ours_have_is_refused(tmp_path: Path) -> None:
    require_other("/arena/games", ["/", "/games/{game}"])
    with pytest.raises(UsageError, match="pages of its own at /games: choose another path"):
        require_other("/games/arena", ["/games/{game}"])
    done = Shell(tmp_path).run("serve", "--port", "0", "--public-path", "/static/")
    assert done.code == 2
    assert "--public-path /static: the server has pages of its own at /static" in done.err


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("/arena/me", "/me"),
        ("/arena/", "/"),
        ("/arena", "/"),
        ("/me", "/me"),
        ("/arenas/me", "/arenas/me"),
        ("/me/arena/x", "/me/arena/x"),
    ],
)
def test_the_path_is_taken_off_where_it_is_there(asked: str, path: str) -> None:
    assert strip_public_path(ARENA, asked) == path
    assert strip_public_path("", asked) == asked


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("/me?a=/b#c", "/arena/me?a=/b#c"),
        (f"http://{HOST}/me", f"http://{HOST}/arena/me"),
        ("https://example.org/me", "https://example.org/me"),
        ("//example.org/me", "//example.org/me"),
    ],
)
def test_redirections_to_us_stay_below_the_path(to: str, message: str) -> None:
    async def led(request: Request) -> Response:
        return RedirectResponse(to)

    app = BelowPath(Starlette(routes=[Route("/go", led)]), ARENA)
    answer = make_client(app, f"http://{HOST}", follow_redirects=False).get("/arena/go")
    assert answer.headers["location"] == message
    # A path with a slash too many is led to the right one.
    answer = make_client(app, f"http://{HOST}", follow_redirects=False).get("/arena/go/")
    assert answer.headers["location"] == f"http://{HOST}/arena/go"


def test_cookies_are_for_the_path_and_the_nearest_is_read() -> None:
    async def kept(request: Request) -> Response:
        response = JSONResponse(request.cookies)
        response.set_cookie("session", "Path=/x")
        response.set_cookie("seat-1", "", path="/deep")
        return response

    app = BelowPath(Starlette(routes=[Route("/", kept)]), ARENA)
    client = make_client(app, f"http://{HOST}")
    answer = client.get("/arena/", headers={"cookie": "session=ours; seat-1=a; session=theirs"})
    assert answer.json() == {"session": "ours", "seat-1": "a"}
    made = [line.partition("; ") for line in answer.headers.get_list("set-cookie")]
    assert [(first, "Path=/arena;" in f"{rest};") for first, _, rest in made] == [
        ('session="Path=/x"', True),
        ('seat-1=""', False),
    ]


def test_templates_put_the_path_before_each_link() -> None:
    whole = {"feed.xml"}  # its links are read elsewhere, and have the host's name, too
    begins = ("{{ site }}/", "{{ site }}{{ ", "#", "?", "data:", "http")
    found = [
        (template.name, address)
        for template in filter(Path.is_file, TEMPLATES.rglob("*"))
        for address in ADDRESSES.findall(template.read_text("utf-8"))
        if template.name not in whole
    ]
    assert any(address.startswith("{{ site }}/") for _, address in found)
    assert [one for one in found if not one[1].startswith(begins)] == []


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("below") / "results"
    with serving(folder, public_path=ARENA) as server:
        yield World(server, folder)


@pytest.mark.parametrize("who", [Who.NOBODY, Who.AUTHOR, Who.ORGANIZER])
def test_all_that_pages_say_of_addresses_is_below_the_path(world: World, who: Who) -> None:
    pages, led = 0, set()
    for route in sorted(list_routes(world) - STREAMS):
        method, pattern = route.split(" ")
        if method != "GET":
            continue
        answer = world.client(who).get(f"{ARENA}{world.path(pattern)}")
        if answer.has_redirect_location:
            assert answer.headers["location"].startswith(f"{ARENA}/"), route
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        pages += 1
        for address in map(unescape, ADDRESSES.findall(answer.text)):
            parts = urlsplit(address)
            if parts.scheme or not parts.path:
                continue
            assert parts.path.startswith(f"{ARENA}/"), (route, address)
            led.add(parts.path.removeprefix(ARENA))
    assert pages > 20
    assert len(led) > 10
    assert {path for path in led if not _is_ours(world.server, path)} == set()


def _is_ours(server: Server, path: str) -> bool:
    """Return whether there is something at a path; of files, whether they are there."""
    scope = {"type": "http", "path": path}
    for route in server.web.app.routes:
        assert isinstance(route, Route | Mount)
        if route.matches({**scope, "method": "GET"})[0] is not Match.NONE:
            is_file = isinstance(route, Mount)
            client = make_client(server.web.app, f"http://{HOST}")
            return not is_file or client.get(f"{ARENA}{path}").status_code == 200
    return False


def test_links_to_be_sent_to_others_and_the_api_have_the_path(world: World) -> None:
    ann = world.client(Who.AUTHOR)
    ann.post("/arena/me/device-link", headers={"origin": f"http://{HOST}"})
    assert f'value="http://{HOST}/arena/device/' in ann.get("/arena/me").text
    assert f"--server http://{HOST}/arena/" in ann.get("/arena/submit").text
    document = msgspec.json.decode(ann.get("/arena/api/v1/openapi.json").content)
    assert document["servers"] == [{"url": ARENA}]


@contextmanager
def behind_caddy(folder: Path, upstream: str, port: int, *, takes_off: bool) -> Iterator[str]:
    """Run Caddy, which shows a server below a path; give the address of its first page."""
    assert CADDY is not None
    directive = "handle_path" if takes_off else "handle"
    (folder / "Caddyfile").write_text(
        "{\n admin off\n auto_https off\n}\n"
        f"http://{ELSEWHERE}:{port} {{\n bind {ELSEWHERE}\n redir {ARENA} {ARENA}/\n"
        f" {directive} {ARENA}/* {{\n"
        f"  reverse_proxy {upstream} {{\n   flush_interval -1\n  }}\n }}\n"
        " respond 404\n}\n"
    )
    with (folder / "caddy.log").open("wb") as log:
        caddy = subprocess.Popen(
            [CADDY, "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"],
            env={"HOME": str(folder)},
            stderr=log,
        )
    try:
        base = f"http://{ELSEWHERE}:{port}{ARENA}"
        assert eventually(lambda: _answers(base)), (folder / "caddy.log").read_text()
        yield base
    finally:
        caddy.kill()  # it would wait for streams to end
        caddy.wait(PATIENCE_S)


def _answers(base: str) -> bool:
    try:
        return httpx2.get(f"{base}/sign-in", timeout=PATIENCE_S).status_code == 200
    except httpx2.TransportError:
        return False


@pytest.mark.slow
@needs.CADDY
@pytest.mark.parametrize(("host", "takes_off"), [("::1", True), ("127.0.0.1", False)])
def test_somebody_joins_plays_and_watches_through_caddy(
    tmp_path: Path, chromium: Any, host: str, takes_off: bool
) -> None:
    parts = ("serve", "--host", host, "--port", "0", "--jobs", "0", "--public-name", ELSEWHERE)
    shell = Shell(tmp_path)
    with deployed(shell, (*parts, "--public-path", ARENA), {}) as served:
        upstream = f"{'[::1]' if host == '::1' else host}:{served.port}"
        with behind_caddy(tmp_path, upstream, served.port, takes_off=takes_off) as base:
            assert httpx2.get(base, timeout=PATIENCE_S).headers["location"] == f"{ARENA}/"
            page, friend = (_browser(chromium) for _ in range(2))
            (link,) = re.findall(rf"{ARENA}(/welcome/\S+)", "".join(served.lines))
            page.goto(f"{base}{link}")
            _fill_in(page, "Olga")
            page.get_by_role("link", name="Lobby", exact=True).click()
            page.get_by_role("button", name="for Smack!").click()
            page.get_by_role("combobox", name="Your seat").select_option("1")
            page.get_by_role("combobox", name="Opponent").select_option("friend")
            page.get_by_role("button", name="Make the game").click()
            page.wait_for_url(f"{base}/lobby/*")
            friend.goto(page.locator("input[readonly]").input_value())
            _fill_in(friend, "Fred")
            friend.wait_for_url(f"{base}/games/*")
            page.wait_for_url(friend.url)  # the page that waits leads there
            click_move(page, 1, "A6", "B6")
            click_move(friend, 1, "H9", "H10")
            movable(page, 1, "B6")
            page.goto(f"{friend.url}/watch")
            page.get_by_role("button", name="live", exact=True).wait_for()
            page.get_by_role("link", name="All games").click()
            page.wait_for_url(f"{base}/")
            assert (page.failed, friend.failed) == ([], [])


def _browser(chromium: Any) -> Any:
    """Return a page of a browser of its own, with what it was refused."""
    page = chromium.new_context(reduced_motion="reduce").new_page()
    page.failed = []
    page.on("response", lambda one: one.status >= 400 and page.failed.append(one.url))
    page.on("pageerror", lambda error: page.failed.append(str(error)))
    return page


def _fill_in(page: Any, name: str) -> None:
    page.get_by_role("textbox").first.fill(name)
    page.get_by_role("textbox").first.press("Enter")
