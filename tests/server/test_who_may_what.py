"""Who may do what: every route of the server, tried by everybody."""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from httpx2 import Client, Response
from starlette.routing import Mount, Route

from engine.errors import UsageError
from runners.contests.contests import usual_spec
from runners.contests.entries import enter
from runners.contests.ledger import LedgerEntry
from runners.storage.ladder_tables import FieldRule
from server.games import open_games
from server.games.open_games import OpenGames, SeatKind, WaitingSeat
from server.groups.groups import Groups
from server.http.permissions import Permission, PermittedRoute
from server.identity.visitors import KNOWN_BROWSER_COOKIE, SESSION
from server.messages.reports import Reason, ReportPersonBody, Reports
from server.writing.drafts import Drafts, Owner
from tests.runners.playing import GAME, TINY, contestant
from tests.server.contests.field import CHOICES, Made, add_match, announced, bot_in, ladder_in
from tests.server.in_process import make_client
from tests.server.members import HOST, Server, serving
from tests.server.playing import a_spec, start_game
from tests.shell import WALKER, eventually
from tests.visualizer.painting import blob, png
from visualizer.backends.page.bundling import PAGE_FOLDERS
from visualizer.drawing.custom_sprites import CustomSprites, save_sprites

TALKER = WALKER + "\nprint('this is a log')\n"
OURS = {"origin": f"http://{HOST}"}
"""What our own pages send."""


class Who(StrEnum):
    """Somebody who asks."""

    NOBODY = "nobody"
    BANNED = "banned"
    MEMBER = "member"
    AUTHOR = "author"
    ORGANIZER = "organizer"


EVERYBODY = frozenset(Who)
PEOPLE = frozenset({Who.MEMBER, Who.AUTHOR, Who.ORGANIZER})
AUTHOR = frozenset({Who.AUTHOR})
AUTHOR_OR_ORGANIZER = frozenset({Who.AUTHOR, Who.ORGANIZER})
ORGANIZERS = frozenset({Who.ORGANIZER})
SECRET = frozenset[Who]()
"""Whoever knows the key in the address, which is not there: nobody else, whoever it is."""
SEATED = frozenset[Who]()
"""Whoever has a seat in the game; here nobody has. Others are refused, whoever they are."""

PLAYING = frozenset[Who]()
"""Programs with a token that may play."""

ACCESS: Mapping[str, frozenset[Who]] = {
    "GET /": EVERYBODY,
    "GET /players": EVERYBODY,
    "GET /how-to-play/{board}": EVERYBODY,
    "GET /games/{game}/plain": EVERYBODY,
    "GET /games/{game}/board.png": EVERYBODY,
    "GET /api/v1/games": PEOPLE,
    "POST /api/v1/games/{game}/advice": EVERYBODY,
    "GET /api/v1/games/{game}/turning_points": EVERYBODY,
    "POST /games/{game}/plain": SEATED,
    "GET /healthz": EVERYBODY,
    "GET /healthz/live": EVERYBODY,
    "GET /healthz/ready": EVERYBODY,
    "GET /metrics": ORGANIZERS,
    # accounts
    "GET /sign-in": EVERYBODY,
    "GET /sign-in/recover": EVERYBODY,
    "POST /sign-in/recover": SECRET,
    "POST /sign-in": SECRET,
    "POST /sign-out": EVERYBODY,
    "GET /feeds/{secret}.atom": SECRET,
    "GET /welcome/{key}": SECRET,
    "POST /welcome/{key}": SECRET,
    "GET /device/{key}": SECRET,
    "POST /device/{key}": SECRET,
    # accounts are made by invitation on this server: who is signed in is led to their page
    "GET /register": PEOPLE,
    "POST /register": PEOPLE,
    "POST /register/withdraw": SECRET,
    "GET /register/request": EVERYBODY,
    "POST /api/v1/account-requests": SECRET,
    "POST /api/v1/account-requests/state": SECRET,
    "POST /api/v1/account-requests/withdraw": SECRET,
    "GET /api/v1/account-requests": ORGANIZERS,
    "POST /api/v1/account-requests/decide": ORGANIZERS,
    # groups
    "GET /join": PEOPLE,
    "POST /join": SECRET,
    "GET /join/{code:group_code}": SECRET,
    "GET /groups/{group}": frozenset({Who.MEMBER, Who.ORGANIZER}),
    "POST /groups/{group}/leave": frozenset({Who.MEMBER}),
    "GET /me": PEOPLE,
    "GET /me/export": PEOPLE,
    "GET /me/delete": PEOPLE,
    "POST /me/delete": PEOPLE,
    "POST /me/password": PEOPLE,
    "POST /me/device-link": PEOPLE,
    "POST /me/feed": PEOPLE,
    "POST /me/recovery-codes": PEOPLE,
    "POST /me/sign-out-others": PEOPLE,
    "POST /me/tokens": PEOPLE,
    "POST /me/tokens/{id}/revoke": PEOPLE,
    # games of people
    "GET /lobby": PEOPLE,
    "GET /lobby/new": PEOPLE,
    "POST /lobby/new": PEOPLE,
    "GET /lobby/{game}": PEOPLE,
    "POST /lobby/{game}/take": PEOPLE,
    "POST /lobby/{game}/leave": PEOPLE,
    "POST /lobby/{game}/decline": PEOPLE,
    "POST /lobby/{game}/link": PEOPLE,
    "POST /lobby/{game}/cancel": PEOPLE,
    "GET /games/{game}/people": SEATED,
    "POST /games/{game}/people": SEATED,
    "GET /people/{person}": PEOPLE,
    "POST /people/{person}": PEOPLE,
    "GET /join/{key}": SECRET,
    "POST /join/{key}": SECRET,
    "GET /seats/{game}/{team:int}/{key}": SECRET,
    "POST /seats/{game}/{team:int}/{key}": SECRET,
    "GET /games/{game}": EVERYBODY,
    "GET /games/{game}/replay": EVERYBODY,
    "GET /games/{game}/rematch": EVERYBODY,
    "POST /games/{game}/rematch": SEATED,
    "GET /games/{game}/watch": EVERYBODY,
    "GET /api/v1/openapi.json": EVERYBODY,
    "GET /api/v1/games/{game}": EVERYBODY,
    "POST /api/v1/games/{game}/orders": SEATED,
    "DELETE /api/v1/games/{game}/orders": SEATED,
    "POST /api/v1/games/{game}/messages": SEATED,
    "PUT /api/v1/games/{game}/messages/read": SEATED,
    "PUT /api/v1/games/{game}/avoided": SEATED,
    "POST /api/v1/games/{game}/reports": SEATED,
    "GET /api/v1/me/avoided": PEOPLE,
    "PUT /api/v1/me/avoided": PEOPLE,
    "GET /api/v1/reports": ORGANIZERS,
    "POST /api/v1/reports": PEOPLE,
    "POST /api/v1/reports/{report}/close": ORGANIZERS,
    "POST /api/v1/games/{game}/rematch": SEATED,
    "DELETE /api/v1/games/{game}/rematch": SEATED,
    "POST /api/v1/games/{game}/acts": SEATED,
    "POST /api/v1/games/{game}/continue": EVERYBODY,
    "GET /api/v1/games/{game}/draft": SEATED,
    "PUT /api/v1/games/{game}/draft": SEATED,
    "PUT /api/v1/games/{game}/premoves": SEATED,
    "GET /api/v1/lobby/{game}": EVERYBODY,
    # a program whose token may play: here nobody has one
    "GET /api/v1/challenges": PLAYING,
    "POST /api/v1/challenges": PLAYING,
    "POST /api/v1/challenges/{game}/accept": PLAYING,
    "POST /api/v1/challenges/{game}/decline": PLAYING,
    "DELETE /api/v1/challenges/{game}": PLAYING,
    "GET /api/v1/me/events": PLAYING,
    "POST /api/v1/games/{game}/failures": SEATED,
    "GET /api/v1/featured": EVERYBODY,
    "GET /api/v1/ladders/{id}/playing": EVERYBODY,
    "GET /api/v1/tournaments/{name}/matches": EVERYBODY,
    "GET /channel": EVERYBODY,
    "GET /play": EVERYBODY,
    "GET /play/{board}": EVERYBODY,
    "POST /play/{board}": EVERYBODY,
    # bots
    "GET /submit": PEOPLE,
    "POST /submit": PEOPLE,
    "POST /api/v1/bots": PEOPLE,
    "GET /api/v1/bots": EVERYBODY,
    "GET /api/v1/contests": EVERYBODY,
    "GET /api/v1/contests/{id}": EVERYBODY,
    "GET /api/v1/ladders": EVERYBODY,
    "GET /api/v1/ladders/{ladder}": EVERYBODY,
    "GET /bots": PEOPLE,
    "GET /bots/{bot}/versions/{number}": AUTHOR_OR_ORGANIZER,
    "GET /api/v1/bots/{bot}/versions/{number}": AUTHOR_OR_ORGANIZER,
    "GET /bots/{bot}/versions/{number}/source.zip": AUTHOR,
    "POST /bots/{bot}/versions/{number}/activate": AUTHOR,
    "GET /bots/{bot}/versions/{number}/watch": SECRET,
    "POST /api/v1/bots/{bot}/versions/{number}/continue": SECRET,
    "GET /bots/{bot}": EVERYBODY,
    "GET /bots/{bot}/against/{other}": EVERYBODY,
    "POST /bots/{bot}/open": AUTHOR,
    "POST /bots/{bot}/enter": AUTHOR,
    "POST /bots/{bot}/leave": AUTHOR,
    "POST /bots/{bot}/authors": SECRET,  # whom it names is not there
    "POST /bots/{bot}/authors/{person}/remove": SECRET,
    "POST /bots/{bot}/authors/accept": SECRET,
    "POST /bots/{bot}/authors/leave": SECRET,
    # the designer
    "GET /design": EVERYBODY,
    "GET /api/v1/designs": EVERYBODY,
    "GET /api/v1/designs/mine": PEOPLE,
    "PUT /api/v1/designs/mine": PEOPLE,
    # rooms: who knows the address of one; who has a seat stands in tests/server/rooms
    "GET /rooms/new": EVERYBODY,
    "POST /rooms/new": EVERYBODY,
    "GET /rooms/{room}": SECRET,
    "GET /rooms/{room}/join": SECRET,
    "POST /rooms/{room}/join": SECRET,
    "POST /rooms/{room}/bots": SECRET,
    "POST /rooms/{room}/leave": SECRET,
    "GET /rooms/{room}/battles/{number:int}/watch": SECRET,
    "GET /rooms/{room}/battles/{number:int}/replay": SECRET,
    "GET /api/v1/rooms/{room}": SECRET,
    "PUT /api/v1/rooms/{room}/army": SECRET,
    "GET /api/v1/rooms/{room}/battles/{number}/scene": SECRET,
    "POST /api/v1/designs/inspect": EVERYBODY,
    "POST /api/v1/designs/fill": EVERYBODY,
    "POST /api/v1/designs/file": EVERYBODY,
    "POST /api/v1/designs/open": EVERYBODY,
    "POST /api/v1/designs/battle": EVERYBODY,
    # writing in the browser
    "GET /write": EVERYBODY,
    "GET /write/{draft}": AUTHOR,
    "GET /api/v1/drafts": EVERYBODY,
    "POST /api/v1/drafts": PEOPLE,
    "GET /api/v1/drafts/{draft}": AUTHOR,
    "PUT /api/v1/drafts/{draft}": AUTHOR,
    "DELETE /api/v1/drafts/{draft}": AUTHOR,
    "POST /api/v1/drafts/{draft}/versions": AUTHOR,
    "GET /api/v1/drafts/{draft}/versions/{number}": AUTHOR,
    "POST /api/v1/drafts/{draft}/check": AUTHOR,
    "GET /api/v1/drafts/{draft}/opponents": AUTHOR,
    "POST /api/v1/drafts/{draft}/runs": AUTHOR,
    "POST /api/v1/drafts/{draft}/versus": AUTHOR,
    "GET /api/v1/versus/{series}": SECRET,
    "DELETE /api/v1/versus/{series}": SECRET,
    "GET /api/v1/drafts/{draft}/ladders": AUTHOR,
    "POST /api/v1/drafts/{draft}/hand-in": AUTHOR,
    "GET /api/v1/writing/{board}": EVERYBODY,
    "GET /api/v1/courses/{board}": EVERYBODY,
    "POST /api/v1/courses/{board}/steps/{step}/try": SECRET,
    "GET /api/v1/courses/{board}/tries/{run}": SECRET,
    "GET /api/v1/courses/{board}/people": ORGANIZERS,
    "POST /bots/{bot}/write": AUTHOR,
    "GET /api/v1/runs/{run}/notes": SECRET,
    "DELETE /api/v1/runs/{run}": SECRET,
    "GET /runs/{run}/watch": SECRET,
    "GET /api/v1/runs/{run}": SECRET,
    "GET /kit.zip": EVERYBODY,
    "GET /docs": EVERYBODY,
    "GET /docs/{name:path}": EVERYBODY,
    "GET /docs/images/{name}": EVERYBODY,
    "GET /notices": PEOPLE,
    "POST /notices/seen": PEOPLE,
    # ladders and tournaments
    "GET /contests": EVERYBODY,
    "GET /contests/{id}": EVERYBODY,
    "GET /contests/{id}/matches": EVERYBODY,
    "GET /contests/{id}/matches/{played}/watch": EVERYBODY,
    "GET /contests/{id}/matches/{played}/board.png": EVERYBODY,
    "GET /contests/{id}/report.zip": EVERYBODY,
    "GET /contests/{id}/matches.pgn": EVERYBODY,
    "GET /contests/{id}/{table}.{kind}": EVERYBODY,
    "POST /contests/{id}/enter": AUTHOR,
    "POST /contests/{id}/leave": AUTHOR,
    "GET /ladders{rest:path}": EVERYBODY,
    "POST /ladders{rest:path}": EVERYBODY,
    "GET /tournaments{rest:path}": EVERYBODY,
    "POST /tournaments{rest:path}": EVERYBODY,
    "GET /matches/{match}": EVERYBODY,
    "GET /matches/{match}/watch": EVERYBODY,
    "GET /matches/{match}/preview.png": EVERYBODY,
    "GET /matches/{match}/board.png": EVERYBODY,
    "GET /matches/{match}/replay": EVERYBODY,
    "GET /matches/{match}/logs/{seat}": AUTHOR_OR_ORGANIZER,
    "GET /matches/{match}/pictures/{seat}": EVERYBODY,
    "POST /api/v1/matches/{match}/continue": PEOPLE,
    "POST /api/v1/tournaments/{name}/matches/{played}/continue": PEOPLE,
}
"""Who may, by method and path. All of /admin is for organizers: see `may`."""
STREAMS = {
    "GET /api/v1/stream",
    "GET /api/v1/games/{game}/events",
    "GET /api/v1/games/{game}/scene",
    "GET /api/v1/bots/{bot}/versions/{number}/scene",
    "GET /api/v1/tournaments/{name}/matches/{played}/scene",
    "GET /api/v1/matches/{match}/scene",
    "GET /api/v1/runs/{run}/scene",
}
"""These never end: what they send is tested where they are."""
STATIC = {f"/static/{name}" for name in ("bundles", "fonts", "packages", "sprites", *PAGE_FOLDERS)}
REFUSED = {401, 403, 404}
BEFORE_IT_BEGINS = ("enter", "leave", "call-off")
OF_TOURNAMENTS = ("/matches/{played}/watch", "/matches/{played}/board.png", "/report.zip")
"""What is done with tournaments that have not begun."""
BODIES: Mapping[str, dict[str, Any]] = {
    "orders": {"step": 0, "team": 1, "piece": 1, "order": "x"},
    "messages": {"text": "hello"},
    "read": {"up_to": 1},
    "acts": {"team": 1, "piece": 1, "name": "resign"},
    "draft": {"team": 1, "piece": 1, "step": 0, "lines": []},
    "premoves": {"team": 1, "turn": 1, "orders": [], "is_sent": False},
    "continue": {"step": 1, "team": 1},
    "account-requests": {"name": "Ida", "password": "correct horse", "words": "I am Ida"},
    "state": {"name": "Ida", "password": "correct horse"},
    "withdraw": {"name": "Ida", "password": "correct horse"},
    "close": {"note": "looked at"},
    "advice": {"step": 0, "team": 1},
    "versus": {"against": "player_one"},
    "hand-in": {"ladder": "none"},
    "try": {"draft": "none"},
    "drafts": {"game": "slime_mind", "template": "simple", "name": "Posted"},
    "{draft}": {"revision": 1, "name": "Mine", "files": [{"name": "player_x.py", "text": ""}]},
}
"""What is sent to the API, by the end of the path."""


def may(route: str) -> frozenset[Who]:
    """Return who may use a route."""
    return ORGANIZERS if route.split(" ")[1].startswith("/admin") else ACCESS[route]


class World:
    """A server with one of everything."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        server.organizer("Olga")
        for name in ("Mia", "Ann", "Eve", "Tom"):
            server.member(name)
        people = server.site.people
        people.set_banned(server.person_id("Eve"), True)
        self._people = {
            Who.BANNED: server.person_id("Eve"),
            Who.MEMBER: server.person_id("Mia"),
            Who.AUTHOR: server.person_id("Ann"),
            Who.ORGANIZER: server.person_id("Olga"),
        }
        database, arena = server.storage.database, server.site.contests
        spec = msgspec.structs.replace(usual_spec(GAME), settings=TINY)
        ladder = ladder_in(database, name="Spring", spec=spec)
        made = []
        for number, name in enumerate(("walker", "runner")):
            digest = contestant(folder, name, TALKER + "#" * number).digest
            save_sprites(CustomSprites(base=png(blob())), folder, digest)
            made.append(bot_in(database, self._people[Who.AUTHOR], name, digest=digest))
            enter(database, ladder.id, made[-1].id)
        arena.tournaments.make("cup", ladder, arena.tournaments.candidates(ladder.id), CHOICES)
        report = arena.tournaments.report_folder("cup")
        assert eventually((report / "index.html").exists)
        self.parts = {
            "key": "none",
            "secret": "none",
            "run": "none",
            "series": "none",
            "room": "none",
            "step": "1",
            "board": "smack",
            "game": start_game(server.game_service),
            "team": "1",
            "bot": made[0].id,
            "other": made[1].id,
            "seat": "1",
            "number": "1",
            "match": str(_fixture(server, ladder.id, made)),
            "act": "approve",
            "name": "cup",
            "played": _first_of_cup(server).key,
            "table": "table",
            "kind": "csv",
            "ladder": ladder.id,
            "person": server.person_id("Tom"),
            "report": str(_report(server)),
            "group": _make_group(server, self._people[Who.MEMBER], "Class 10b"),
            "code": "aaaaa-bbbbb",
            "rest": "",
        }

    def client(self, who: Who) -> Client:
        """Return a browser of somebody, in a session of its own."""
        app = self.server.web.app
        client = make_client(app, f"http://{HOST}", follow_redirects=False)
        if who is not Who.NOBODY:
            client.cookies.set(SESSION, self.server.site.people.new_session(self._people[who]))
        return client

    def path(self, pattern: str) -> str:
        """Return the path of a route to something that is there."""

        def part(match: re.Match[str]) -> str:
            if "/lobby/" in pattern:
                return self._waiting_game()
            if match[1] == "draft":
                return self._draft()
            if match[1] == "group" and pattern.endswith(("/delete", "/leave", "/remove")):
                name = f"Class {secrets.token_hex(4)}"
                return _make_group(self.server, self._people[Who.MEMBER], name)
            if match[1] == "person" and "/groups/" in pattern:
                return self._people[Who.MEMBER]
            if pattern.startswith("/docs/"):
                return "smack.gif" if "images" in pattern else "tutorial.md"
            if match[1] == "id":
                return self._contest_or_person(pattern)
            return self.parts[match[1]]

        return re.sub(r"{(\w+)(?::\w+)?}", part, pattern)

    def _contest_or_person(self, pattern: str) -> str:
        """Return what `{id}` stands for."""
        if "/contests/{id}" in pattern and pattern.rpartition("/")[2] in BEFORE_IT_BEGINS:
            return self._schedule_tournament()
        if pattern.startswith("/contests/{id}") and pattern.endswith(OF_TOURNAMENTS):
            return self.parts["name"]
        return self.parts["person" if "/people/" in pattern else "ladder"]

    def _about_tom(self, pattern: str) -> dict[str, Any]:
        """Return what is sent besides to mute or report somebody."""
        if pattern.endswith("/me/avoided"):
            return {"person": self.parts["person"], "kind": "mute"}
        if pattern.endswith("/v1/reports"):
            return {"person": self.parts["person"], "reason": "spam"}
        return {}

    def _draft(self) -> str:
        """Return the id of a draft of Ann's, which is made anew where it was deleted."""
        drafts, ann = Drafts(self.server.storage.database), Owner(self._people[Who.AUTHOR])
        for line in drafts.find_drafts(ann):
            if line.name == "Mine":
                return line.id
        # No bot: nothing of it is played, whose figures would be others each time.
        draft = drafts.add(ann, "slime_mind", "Mine", {"player_mine.py": ""})
        drafts.save_version(draft, "", "")
        return draft.id

    def _waiting_game(self) -> str:
        """Return the id of a new game of Mia's that waits for somebody."""
        seats = [
            WaitingSeat(kind=SeatKind.PERSON, name="Mia", person=self._people[Who.MEMBER]),
            WaitingSeat(kind=SeatKind.OPEN),
        ]
        games = OpenGames(self.server.storage.database)
        with patch.object(open_games, "MAX_WAITING_GAMES", 1_000):  # one for each request
            return games.add(a_spec("smack", ()), seats, self._people[Who.MEMBER]).id

    def _schedule_tournament(self) -> str:
        """Return the name of a tournament that has not begun, made anew if it was called off."""
        one = announced(self.parts["ladder"], "later", field=FieldRule.ENTERED)
        with suppress(UsageError):
            self.server.site.contests.tournaments.announce(one)
        return one.name

    def ask(self, route: str, who: Who, headers: Mapping[str, str]) -> Response:
        """Send what a route takes, from somebody's browser."""
        method, pattern = route.split(" ")
        path = self.path(pattern)
        last = pattern.rpartition("/")[2]
        if method == "GET":
            path += "?step=0&team=1" if last == "draft" else f"?ladder={self.parts['ladder']}"
            return self.client(who).get(path, headers=headers)
        if pattern.startswith("/api/"):
            json = BODIES.get(last, {}) | self._about_tom(pattern)
            return self.client(who).request(method, path, json=json, headers=headers)
        return self.client(who).request(
            method,
            path,
            data={"ladder": self.parts["ladder"], "bot": self.parts["bot"]},
            headers=headers,
        )


def _make_group(server: Server, person_id: str, name: str) -> str:
    """Return the id of a group that somebody is in."""
    groups = Groups(server.storage.database)
    group_id, code = groups.make(name, "")
    groups.join(code, person_id)
    return group_id


def _report(server: Server) -> int:
    """Return the number of a report of Mia's about Tom."""
    mia = server.site.people.find_person_by_name("Mia")
    assert mia is not None
    found = ReportPersonBody(server.person_id("Tom"), Reason.SPAM)
    number = Reports(server.game_service, server.site.limits).report_person(mia, "", found)
    assert number is not None
    return number


def _first_of_cup(server: Server) -> LedgerEntry:
    """Return the first match of the tournament."""
    tournament = server.site.contests.tournaments.load_tournament("cup")
    assert tournament is not None
    return next(iter(tournament.ledger()))


def _fixture(server: Server, ladder_id: str, bots: Sequence[Made]) -> int:
    """Add a match that the tournament has played to a ladder, as void; its number."""
    tournament = server.site.contests.tournaments.load_tournament("cup")
    assert tournament is not None
    entry = _first_of_cup(server)
    names = [tournament.field.entrants[number].bot.name for number in entry.fixture.seats]
    by_name = {bot.name: bot for bot in bots}
    seated = [by_name[name] for name in names]
    # Its address is the same as its number, which stands in those for organizers.
    fields = {"public_id": "1", "key": entry.key, "is_void": True}
    return add_match(server.storage.database, ladder_id, *seated, **fields)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("served") / "results"
    with serving(folder) as server:
        yield World(server, folder)


def list_routes(world: World) -> set[str]:
    """Return all routes of the server, by method and path."""
    return {
        f"{method} {route.path}"
        for route in world.server.web.app.routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }


def test_of_every_route_it_is_said_who_may_use_it(world: World) -> None:
    routes = {route for route in list_routes(world) if not route.split(" ")[1].startswith("/admin")}
    assert routes - ACCESS.keys() - STREAMS == set(), "say in ACCESS who may use them"
    assert ACCESS.keys() | STREAMS == routes, "these are not there"
    mounted = {route.path for route in world.server.web.app.routes if isinstance(route, Mount)}
    assert mounted == STATIC


ALLOWED_AT_MOST: Mapping[Permission, frozenset[Who]] = {
    Permission.ANYBODY: EVERYBODY,
    Permission.MEMBER: PEOPLE,
    Permission.CALLER: PEOPLE,
    Permission.ORGANIZER: ORGANIZERS,
    Permission.SEAT: SEATED,
    Permission.SEAT_OR_TOKEN: SEATED,
    Permission.PLAYER: PLAYING,
}


def test_every_route_says_who_may_use_it_at_most(world: World) -> None:
    routes = [one for one in world.server.web.app.routes if isinstance(one, Route)]
    assert [one.path for one in routes if not isinstance(one, PermittedRoute)] == []
    for route in routes:
        assert isinstance(route, PermittedRoute)
        for method in (route.methods or set()) - {"HEAD"}:
            name = f"{method} {route.path}"
            if name not in STREAMS:
                assert may(name) <= ALLOWED_AT_MOST[route.permission], name
            is_wide = route.permission is Permission.ANYBODY
            assert not (is_wide and route.path.startswith("/admin")), name


def test_everybody_may_do_what_they_may_and_nothing_else(world: World) -> None:
    found, expected = {}, {}
    for route in sorted(list_routes(world) - STREAMS):
        for who in Who:
            answer = world.ask(route, who, OURS)
            is_sent_away = answer.headers.get("location", "").startswith("/sign-in")
            found[route, who] = not (answer.status_code in REFUSED or is_sent_away)
            expected[route, who] = who in may(route)
            assert answer.status_code < 500, (route, who)
            policy = answer.headers["content-security-policy"]
            framed_by = "'self'" if route.endswith("/watch") else "'none'"
            assert policy.endswith(f"frame-ancestors {framed_by}"), route
            assert answer.headers["x-content-type-options"] == "nosniff", route
    assert {key for key in found if found[key] and not expected[key]} == set(), "they may not"
    assert {key for key in found if expected[key] and not found[key]} == set(), "they may"


def test_no_page_of_somebody_else_makes_a_browser_do_anything(world: World) -> None:
    audit = world.server.audit()
    changing = sorted(one for one in list_routes(world) if not one.startswith("GET "))
    for route in changing:
        for headers in (
            {"origin": "https://evil.test"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
        ):
            answer = world.ask(route, Who.ORGANIZER, headers)
            assert answer.status_code == 403, (route, headers)
            assert "somebody else's" in answer.text
    assert [row for row in world.server.audit() if "made" in row] == [
        row for row in audit if "made" in row
    ]


@pytest.mark.parametrize(
    "path",
    [
        f"/admin/contests/x/matches/{'9' * 5_000}",
        f"/seats/x/{'9' * 5_000}/key",
        f"/docs/images/{'a' * 300}.png",
        f"/contests/{'a' * 300}",
    ],
)
def test_an_endless_path_leads_nowhere(world: World, path: str) -> None:
    assert world.client(Who.NOBODY).get(path).status_code in (404, 414)


def test_a_session_that_somebody_else_chose_is_not_used(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.member("Ann", "correct horse")
        browser = server.browser()
        browser.client.cookies.set(SESSION, "chosen")
        fields = {"name": "Ann", "password": "correct horse"}
        assert "Welcome, Ann" in browser.post("/sign-in", fields).text
        other = server.browser()
        other.client.cookies.set(SESSION, "chosen")
        assert "Welcome, Ann" not in other.get("/").text


@pytest.mark.parametrize(
    "target",
    ["/\r\nset-cookie: a=b", "//evil.test", "https://evil.test", "/\\evil.test", "/\u0007"],
)
def test_what_is_typed_gets_into_no_header(tmp_path: Path, target: str) -> None:
    with serving(tmp_path) as server:
        server.member("Ann", "correct horse")
        app = server.web.app
        client = make_client(app, f"http://{HOST}", follow_redirects=False)
        fields = {"name": "Ann", "password": "correct horse", "next": target}
        answer = client.post("/sign-in", data=fields, headers=OURS)
        assert answer.headers["location"] == "/"
        assert list(answer.cookies) == [SESSION, KNOWN_BROWSER_COOKIE]
