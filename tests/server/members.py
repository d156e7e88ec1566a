"""A server with accounts, in this process, and browsers that visit it."""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any, Protocol, cast

from engine.bots.sandbox import Level
from engine.play_options import PlayOptions
from runners.contests.ladders import Ladders
from runners.match_request import RunOptions
from server.bots.bots import open_bots
from server.bots.built_in_bots import BuiltInBots
from server.bots.examining import BotExaminer
from server.games.bot_seats import BotSeats
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.new_games import Opponents
from server.http.limits import RateLimits
from server.identity import visitors
from server.identity.names import validate_name
from server.identity.passwords import password_hash
from server.identity.people import Kind
from server.identity.visitors import SESSION
from server.site.application import Application
from server.site.site import Site
from server.site.site_options import SiteOptions
from tests.server.in_process import make_client
from tests.server.playing import SilentBotSeats
from tests.template import make_once, shared_folder

HOST = "arena.test:8000"
DATABASE = "games.sqlite"


class Page(Protocol):
    """What a browser was sent."""

    status_code: int
    headers: Any

    @property
    def url(self) -> Any:
        """Return where it is from."""

    @property
    def text(self) -> str:
        """Return it as it is."""

    @property
    def content(self) -> bytes:
        """Return its bytes."""


class Browser:
    """A browser: it keeps cookies, follows redirections and fills in forms."""

    def __init__(self, server: "Server", address: str = "testclient") -> None:
        """`address`: where it is."""
        self.address = address
        self.client = make_client(server.web.app, f"http://{HOST}", address=address)

    def get(self, path: str) -> Page:
        return self.client.get(path)

    def post(self, path: str, fields: Mapping[str, str] | None = None) -> Page:
        return self.client.post(path, data=dict(fields or {}), headers={"origin": f"http://{HOST}"})

    def text(self, path: str) -> str:
        """Return a page that must be there, as text without tags."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return page_text(answer)


class Server:
    """A server with a database in a folder, begun anew as often as one likes."""

    def __init__(
        self,
        folder: Path,
        workers: int = 0,
        url: str | None = None,
        *,
        is_web_only: bool = False,
        limits: Mapping[str, int] | None = None,
        public_path: str = "",
        new_examiner: Callable[[], BotExaminer] | None = None,
        has_guests: bool = True,
        guests_write: bool = False,
        has_remote_bots: bool = True,
        registration: str = "invitation",
    ) -> None:
        """`workers`: matches of ladders at once; none unless that is said. `url`: its database.

        `new_examiner`: what finds out about bots, in place of a process of its own.
        """
        is_new = url is None and not (folder / DATABASE).exists()
        if is_new:
            shutil.copytree(make_server_once(), folder, dirs_exist_ok=True)
        self.folder = folder
        self.storage = GameStorage(url or folder / DATABASE)
        self.said: list[str] = []
        """What was said to whoever runs it."""
        self.game_service = GameService(
            self.storage, cast(BotSeats, SilentBotSeats()), report=self.said.append
        )
        opponents = Opponents(folder, partial(open_bots, self.storage.database))
        sandbox = Level.STRICT if guests_write else Level.DEFAULT
        run = RunOptions(out=folder, workers=workers, play=PlayOptions(sandbox=sandbox))
        self.site = Site(
            self.game_service,
            self.storage,
            opponents,
            run,
            SiteOptions(
                public_path=public_path,
                has_guests=has_guests,
                guests_write=guests_write,
                has_remote_bots=has_remote_bots,
                registration=registration,
            ),
            RateLimits(limits),
        )
        if guests_write:  # as root nothing is played strictly
            self.site.runs.runs.level = Level.DEFAULT
        if is_new:  # its bots have been copied with the folder
            self.site.bots.built_in.start = nothing  # type: ignore[method-assign]
        if new_examiner is not None:
            self.site.bots.checking.new_examiner = new_examiner
        self.key = self.site.start(is_web_only=is_web_only)
        self.web = Application(self.game_service, [HOST], self.site, out=folder)

    def close(self) -> None:
        """End what runs, and let go of the database."""
        with closing(self.storage):
            self.site.close()

    def browser(self, address: str = "testclient") -> Browser:
        return Browser(self, address)

    def organizer(self, name: str = "Olga") -> Browser:
        """Return the browser of whoever has used the organizer's link."""
        assert self.key is not None
        return self.join(self.key, name)

    def member(self, name: str, password: str = "") -> Browser:
        """Return the browser of somebody who was invited."""
        return self.join(self.invite(), name, password)

    def newcomer(self, name: str, password: str = "") -> Browser:
        """Return the browser of somebody who has joined by the page of an invitation."""
        browser = self.browser()
        answer = browser.post(f"/welcome/{self.invite()}", {"name": name, "password": password})
        assert answer.status_code == 200, answer.text
        return browser

    def invite(self) -> str:
        """Return the key of a new invitation."""
        week = timedelta(days=7)
        return self.site.people.new_link(Kind.PERSON, made_by=None, good_for=week)

    def join(self, key: str, name: str, password: str = "") -> Browser:
        """Return the browser of somebody who has joined by a link, without the page of it."""
        browser, people = self.browser(), self.site.people
        link = people.link(key)
        assert link is not None
        person = people.join(
            key, validate_name(name), password_hash(password) if password else None
        )
        self.site.audit.note("joined", link.kind, address=browser.address, person=person.id)
        cookies = {
            SESSION: people.new_session(person.id),
            visitors.KNOWN_BROWSER_COOKIE: visitors.remember_person("", person),
        }
        for cookie, value in cookies.items():
            if value:
                browser.client.cookies.set(cookie, value, domain=HOST.partition(":")[0])
        return browser

    def sign_in(self, context: Any, name: str, home: str) -> None:
        """Give a real browser a session of somebody, at the address of the server."""
        session = self.site.people.new_session(self.person_id(name))
        context.add_cookies([{"name": SESSION, "value": session, "url": home}])

    def person_id(self, name: str) -> str:
        found = self.site.people.find_person_by_name(name)
        assert found is not None
        return found.id

    def audit(self) -> list[str]:
        return [row.what for row in self.site.audit.rows(1_000)]


def nothing() -> None:
    """Do what has been done."""


def make_server_once() -> Path:
    """Return the folder of a server that has made its ladders, and that nobody has joined."""
    with make_once("server") as folder:
        if folder is not None:
            storage = GameStorage(folder / DATABASE)
            with closing(storage):
                house = BuiltInBots(storage.database, folder)
                for ladder in Ladders(storage.database).ensure_usual():
                    house.enter(ladder)
    return shared_folder("server")


@contextmanager
def serving(folder: Path, url: str | None = None, **options: Any) -> Iterator[Server]:
    """Yield a server that ends with the block; `options`: as of Server."""
    with closing(Server(folder, url=url, **options)) as server:
        yield server


def page_text(answer: Page) -> str:
    """Return what a page says, in one line."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.text)).split())


def read_link(answer: Page) -> str:
    """Return the path of the link that a page shows once."""
    match = re.search(rf'readonly value="http://{HOST}(/[^"]+)"', answer.text)
    assert match is not None, answer.text
    return match[1]
