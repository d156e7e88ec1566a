"""Pages where games begin: the lobby, a new game, a game that waits for players, a rematch."""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus

import msgspec
import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from engine.catalog import DEFAULT_GAME_OF_PEOPLE, GAMES, find_game
from engine.errors import UsageError
from engine.game import AnyGame
from engine.support.wording import pluralize
from runners.storage.database import Stale
from server.games.boards import find_games_of_people, require_board
from server.games.clocks import Kind
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.new_games import Opponents, match_spec_and_seats, non_default_settings
from server.games.open_games import (
    KEPT_FROM,
    NotPossible,
    NotWelcome,
    OpenGame,
    OpenGames,
    SeatKind,
    WaitingSeat,
    game_maker,
    makers_of_waiting_games,
    open_game,
    waiting_games,
)
from server.games.player_ratings import PlayerRatings, ratings_cache_key
from server.http.errors import ActionRefused, Denied, NoSuchGame, OtherRules
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages, redirect_to
from server.http.parts import Part
from server.http.permissions import Permission
from server.http.responses import game_cookie_name, seat_at, seat_cookies
from server.identity.names import BadName, validate_name
from server.identity.people import Person, hash_key
from server.identity.text_limits import parse_whole_number
from server.identity.tokens import remote_bots_online
from server.messages.block_list import Restriction, blocked_in_session
from server.messages.conversations import MessageFilter, find_acquainted, last_messages

NEW_ROOM_PATH = "/rooms/new"
"""Where a game begins that one plays by designing what plays it: see server/rooms."""
BY_LOT = "lot"
CHALLENGE_PREFIX = "remote:"
"""What stands before the id of somebody whose remote bot is challenged, where a form names it."""
CLOCK_CHOICES = {
    "none": "no clock",
    "5+5": "5 minutes, and 5 seconds for each move",
    "15+10": "15 minutes, and 10 seconds for each move",
    "30+30": "30 minutes, and 30 seconds for each move",
    "1d": "1 day for each move",
    "3d": "3 days for each move",
    "7d": "7 days for each move",
}
"""What people can choose, and what it means; as `--clock` takes it."""


MAX_MESSAGES = 100_000
"""A download of a game holds at most so many."""


def export_games(
    person_id: str, game_service: GameService, open_games: OpenGames
) -> list[dict[str, object]]:
    """Return the games of a person, with what they ordered in each."""
    found: list[dict[str, object]] = []
    for are_over in (False, True):
        for own in open_games.find_seats(person_id, are_over=are_over):
            with (
                suppress(OtherRules),
                game_service.open_session(own.game_id, own.version) as session,
            ):
                said = last_messages(own.game_id, MAX_MESSAGES)
                rule = game_service.conversations.load(own.game_id).filter
                found.append(
                    {
                        "id": own.game_id,
                        "game": session.game.name,
                        "seats": [one.name for one in session.stored.seats],
                        "your_teams": own.teams,
                        "begun": session.stored.created_at,
                        "is_over": are_over,
                        "orders": session.team_orders(own.teams),
                        "messages": [
                            message.text
                            for message in game_service.database.find(said)
                            if message.team in own.teams
                        ],
                        **_about_others(rule, own.teams),
                        "messages_read_up_to": own.read_up_to,
                        "not_played_yet": [
                            open_games.find_unplayed_orders(own.game_id, team) for team in own.teams
                        ],
                    }
                )
    return found


def _about_others(rule: MessageFilter, teams: Collection[int]) -> dict[str, object]:
    """Return what somebody has decided about the messages of others in a game."""
    return {
        "muted_teams": rule.restricted_teams(teams, Restriction.MUTE),
        "blocked_teams": rule.restricted_teams(teams, Restriction.BLOCK),
        "accepted_teams": sorted({pair[1] for pair in rule.accepted if pair[0] in teams}),
        "reads_messages_of_all": not rule.wanted.isdisjoint(teams),
    }


class WaitingState(msgspec.Struct, frozen=True):
    """How a game stands that waits for players."""

    has_begun: bool
    declined: int
    """How many of those who were challenged have declined."""


class LobbyPages(Part):
    """Finding players for a game; it begins when all seats are taken."""

    def __init__(
        self,
        pages: Pages,
        game_service: GameService,
        storage: GameStorage,
        open_games: OpenGames,
        opponents: Opponents,
    ) -> None:
        self._pages = pages
        self._game_service = game_service
        self._storage = storage
        self._open_games = open_games
        self._opponents = opponents
        self._ratings = PlayerRatings(storage.database)
        self.list_rooms: Callable[[Collection[str]], Sequence[object]] = lambda apart: ()
        """Returns the rooms of games with designs that wait for strangers, but those of some."""

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            route("/lobby", Permission.MEMBER, self._lobby_page),
            route("/players", Permission.ANYBODY, self._ratings_page),
            self._pages.reading_route("/lobby/new", Permission.MEMBER, self._new_form),
            route("/lobby/new", Permission.MEMBER, self._make_game, "POST"),
            route("/lobby/{game}", Permission.ANYBODY, self._waiting_game),
            route("/lobby/{game}/take", Permission.MEMBER, self._take, "POST"),
            route("/lobby/{game}/leave", Permission.MEMBER, self._leave, "POST"),
            route("/lobby/{game}/decline", Permission.MEMBER, self._decline_challenge, "POST"),
            route("/lobby/{game}/link", Permission.MEMBER, self._new_friend_link, "POST"),
            route("/lobby/{game}/cancel", Permission.MEMBER, self._cancel, "POST"),
            route("/seats/{game}/{team:int}/{key}", Permission.ANYBODY, self._sit_down, "GET POST"),
            route("/games/{game}/rematch", Permission.MEMBER, self._wish_rematch, "POST"),
        ]

    def start(self) -> None:
        """Begin the games whose last seat was taken just before the server ended."""
        for game in self._open_games.find_waiting():
            if game.is_full:
                self.start_game(game)

    def personal_data(self, person_id: str) -> dict[str, object]:
        return {"games": export_games(person_id, self._game_service, self._open_games)}

    def withdraw(self, person_id: str) -> None:
        self._open_games.withdraw(person_id)

    def forget(self, person_id: str) -> None:
        """Take a person's name off their games."""
        for game_id in self._open_games.forget(person_id):
            self._game_service.forget(game_id)

    @property
    def operations(self) -> Sequence[Operation]:
        return [Operation("GET", "/lobby/{game}", self._state, WaitingState)]

    def _state(self, request: Request) -> WaitingState:
        """Return whether a game that waits for players has begun."""
        found = self._open_games.find(request.path_params["game"])
        if found is None:
            raise NoSuchGame(request.path_params["game"])
        return WaitingState(has_begun=found.has_begun, declined=_count_declined(found))

    def adopt(self, request: Request, person_id: str) -> None:
        for game_id, token in seat_cookies(request):
            teams = self._game_service.keys.find_teams(token, game_id)
            if teams:
                self._open_games.adopt(game_id, teams, person_id)
                self._game_service.refresh_conversation(game_id)

    # -- pages --------------------------------------------------------------------------------

    def _lobby_page(self, request: PageRequest) -> Response:
        me = request.me
        games = find_games_of_people()
        waiting, makers, apart = request.read(
            waiting_games(), makers_of_waiting_games(), blocked_in_session(request.session_token)
        )
        # Those without an account play with friends, whom they send a link.
        open_games = [
            game
            for game in waiting
            if not game.is_full and game.made_by is not None and game.made_by not in apart
            if game.is_offered_to(me.id)
        ]
        shown = describe_games(open_games, makers, me)
        designed = [game for game in GAMES.values() if game.has_designs]
        rooms = self.list_rooms(apart)
        return request.html(
            "lobby.html", waiting=shown, games=games, designed=designed, rooms=rooms
        )

    def _ratings_page(self, request: PageRequest) -> Response:
        """Show the ratings of people, and of the bots that they met in rated games."""
        designed = [game for game in GAMES.values() if game.has_designs]
        games = [*find_games_of_people(), *designed]
        marks = request.read(*(ratings_cache_key(game.name) for game in games))
        tables = [
            (game.title, self._ratings.load_players(game.name, mark, request.person))
            for game, mark in zip(games, marks, strict=True)
        ]
        return request.html("players.html", tables=tables)

    def _new_form(self, request: PageRequest) -> Response:
        """Show the form of a new game, whose number of seats is chosen before."""
        remote_bots = self._remote_bots(request)
        named = GAMES.get(request.query_params.get("game", ""))
        if named is not None and named.has_designs:
            return redirect_to(NEW_ROOM_PATH)
        game, teams = self._parse_game_request(request)
        return self._new_game_form(request, game, teams, remote_bots)

    def _make_game(self, request: PageRequest) -> Response:
        """Make a new game."""
        me = request.me
        game, teams = self._parse_game_request(request)
        request.count("new_game")
        try:
            seats = self._parse_seats(request, game, teams)
            clock = request.field("clock") or Kind.NONE
            if clock not in CLOCK_CHOICES:
                raise NotPossible("that clock is not available: choose one of the list")
            is_rated = request.field("rated") == "yes"
            spec = self._opponents.spec(game.name, is_rated=is_rated)
            made = self._open_games.add(spec, seats, me.id, clock, is_rated=is_rated)
        except (NotPossible, UsageError) as error:
            return self._new_game_form(request, game, teams, self._remote_bots(request), str(error))
        for team, seat in enumerate(made.seats, 1):
            if seat.kind is SeatKind.FRIEND:
                self._show_friend_link(request, made, team)
        return self.show_or_start_game(made)

    def _parse_game_request(self, request: PageRequest) -> tuple[AnyGame, int]:
        """Return the game and number of seats that an address or a form names. Raises: Denied."""
        said = request.fields or request.query_params
        try:
            game = require_board(said.get("game", DEFAULT_GAME_OF_PEOPLE))
        except UsageError as error:
            raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from None
        teams = parse_whole_number(said.get("seats", str(min(game.team_counts)))) or 0
        if teams not in game.team_counts:
            fewest, most = min(game.team_counts), max(game.team_counts)
            raise Denied(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                f"{game.title} has {pluralize(fewest, 'seat')}"
                if fewest == most
                else f"{game.title} has {fewest} to {most} seats",
            )
        return game, teams

    def _new_game_form(
        self,
        request: PageRequest,
        game: AnyGame,
        teams: int,
        remote_bots: Sequence[tuple[str, str]],
        why: str = "",
    ) -> Response:
        casual = self._opponents.spec(game.name)
        return request.html(
            "new_game.html",
            game=game,
            teams=teams,
            clocks=CLOCK_CHOICES,
            bots=self._opponents.list_opponents(game.name),
            ladder_bots=self._opponents.ladder_bots(game.name),
            remote_bots=remote_bots,
            settings=non_default_settings(casual),
            why_not_rated=game.why_not_rated(casual.settings),
            why=why,
        )

    def _remote_bots(self, request: PageRequest) -> list[tuple[str, str]]:
        """Return whose remote bots can be challenged now: the id and name of each."""
        online, apart = request.read(
            remote_bots_online(), blocked_in_session(request.session_token)
        )
        if not request.visitor.has_remote_bots:
            return []
        return [(person, name) for person, name in online if person not in {request.me.id, *apart}]

    def _parse_seats(self, request: PageRequest, game: AnyGame, teams: int) -> list[WaitingSeat]:
        """Return the seats that a form describes. Raises: NotPossible, BadBot."""
        own_team = request.field("mine") or BY_LOT
        numbers = {str(team): team for team in range(1, teams + 1)}
        if own_team != BY_LOT and own_team not in numbers:
            raise NotPossible(f"your seat is one of 1 to {teams}, or drawn by lot")
        team = numbers.get(own_team) or 1 + secrets.randbelow(teams)
        seats = [self._seat(game, request.me, request.field(f"other-{n}")) for n in range(1, teams)]
        me = WaitingSeat(kind=SeatKind.PERSON, name=request.me.name, person=request.me.id)
        return [*seats[: team - 1], me, *seats[team - 1 :]]

    def _seat(self, game: AnyGame, me: Person, said: str) -> WaitingSeat:
        """Raises: NotPossible, BadBot."""
        if said in (SeatKind.OPEN, SeatKind.FRIEND):
            return WaitingSeat(kind=SeatKind(said))
        if said.startswith("bot:"):
            name = said.removeprefix("bot:")
            return self._opponents.seat(game.name, name, shows_title=True)
        if said.startswith(CHALLENGE_PREFIX):
            other = self._pages.people.find_person(said.removeprefix(CHALLENGE_PREFIX))
            named = "this remote bot" if other is None else other.name
            other = self._open_games.require_challengeable(me.id, other, named)
            return WaitingSeat(kind=SeatKind.CHALLENGED, name=other.name, person=other.id)
        raise NotPossible("every seat is open, for a friend, or a bot's: choose one of these")

    def _waiting_game(self, request: PageRequest, why: str = "") -> Response:
        game_id = request.part("game")
        page = f"/lobby/{game_id}"
        found, makers, apart, has_text = request.read(
            open_game(game_id),
            game_maker(game_id),
            blocked_in_session(request.session_token),
            request.has_text(page),
        )
        game = _require_game(None if found is not None and found.made_by in apart else found)
        if game.has_begun and why:  # since it was refused
            raise Denied(HTTPStatus.CONFLICT, why)
        if game.has_begun:
            return redirect_to(f"/games/{game.id}")
        token = request.cookies.get(game_cookie_name(game.id), "")
        is_guest = game.is_guest(token)
        links = request.take_one_time_texts(page, has_text)
        if is_guest:
            paths = [
                friend_path(game.id, team, token)
                for team, seat in enumerate(game.seats, 1)
                if seat.kind is SeatKind.FRIEND
            ]
            links = [request.link(path) for path in paths]
        return request.html(
            "waiting_game.html",
            HTTPStatus.CONFLICT if why else HTTPStatus.OK,
            game=_describe_game(game, makers, request.person if is_guest else request.me),
            is_guest=is_guest,
            links=links_with_codes(links),
            why=why,
        )

    def _take(self, request: PageRequest) -> Response:
        me, team = request.me, parse_whole_number(request.field("team")) or 0
        self._find(request)
        return self._respond_to_change(
            request, lambda: self._open_games.take(request.part("game"), team, me)
        )

    def _leave(self, request: PageRequest) -> Response:
        me = request.me
        self._find(request)
        return self._respond_to_change(
            request, lambda: self._open_games.leave(request.part("game"), me)
        )

    def _decline_challenge(self, request: PageRequest) -> Response:
        """Say no to a challenge, which whoever has made the game then sees."""
        me, game = request.me, self._find(request)
        try:
            self._open_games.decline(game.id, me)
        except NotPossible as error:
            return self._render_refusal(request, error)
        return redirect_to("/lobby")

    def _new_friend_link(self, request: PageRequest) -> Response:
        game, team = self._find(request), parse_whole_number(request.field("team")) or 0
        request.count("new_friend_link")

        def show_link() -> OpenGame:
            self._show_friend_link(request, game, team)
            return game

        return self._respond_to_change(request, show_link)

    def _show_friend_link(self, request: PageRequest, game: OpenGame, team: int) -> None:
        """Let a game's page show a new link to a friend's seat. Raises: NotPossible."""
        key = self._open_games.new_friend_key(game.id, team, request.me)
        path = f"/seats/{game.id}/{team}/{key}"
        request.show_once(f"/lobby/{game.id}", request.link(path), f"seat {team}")

    def _cancel(self, request: PageRequest) -> Response:
        me = request.me
        try:
            self._open_games.cancel(self._find(request).id, me.id)
        except NotPossible as error:
            return self._render_refusal(request, error)
        return redirect_to("/lobby")

    def _sit_down(self, request: PageRequest) -> Response:
        """Let somebody with a friend's link sit down: with an account, or as a guest."""
        game = self._open_games.find(request.part("game"))
        team, key = request.path_params["team"], request.part("key")
        if game is not None and self._has_seat(request, game):
            return redirect_to(f"/{'games' if game.has_begun else 'lobby'}/{game.id}")
        if game is None or game.has_begun or not game.is_for_friend(team, key):
            request.count("wrong_friend_link")
            request.note("link refused")
            message = "this link was used already, or is mistyped; ask your friend for a new one"
            raise Denied(HTTPStatus.NOT_FOUND, message)
        person = request.person
        if person is not None and self._open_games.is_kept_from(game, person.id):
            raise Denied(HTTPStatus.FORBIDDEN, KEPT_FROM)
        if request.method != "POST":
            return self._friends_seat(request, game)
        if person is not None:
            return self._respond_to_change(
                request, lambda: self._open_games.take(game.id, team, person, key)
            )
        return self._take_as_guest(request, game)

    def _has_seat(self, request: PageRequest, game: OpenGame) -> bool:
        """Return whether a browser has a seat in a game already."""
        if game.is_guest(request.cookies.get(game_cookie_name(game.id), "")):
            return True
        return request.person is not None and game.find_team(request.person.id) is not None

    def _take_as_guest(self, request: PageRequest, game: OpenGame) -> Response:
        token = secrets.token_urlsafe(24)
        team, key = request.path_params["team"], request.part("key")
        try:
            name = read_guest_name(request)
            game = self._open_games.take_as_guest(game.id, team, name, key, token)
        except (BadName, NotPossible) as error:
            return self._friends_seat(request, game, str(error))
        response = self.show_or_start_game(game)
        seat_at(request, response, game.id, token)
        return response

    def _friends_seat(self, request: PageRequest, game: OpenGame, why: str = "") -> Response:
        maker = None if game.made_by is None else self._pages.people.find_person(game.made_by)
        guest = next((seat.name for seat in game.seats if seat.kind is SeatKind.GUEST), "somebody")
        return request.html(
            "friend.html",
            title=find_game(game.spec.game).title,
            maker=guest if maker is None else maker.name,
            why=why,
        )

    def remove_unplayed(self, request: PageRequest, game_id: str) -> None:
        """Remove a game against bots in which whoever asks has a seat, and has hardly begun."""
        game = self._open_games.find(game_id) if game_id else None
        if game is not None and game.has_begun and self._has_seat(request, game):
            others = [seat for seat in game.seats if seat.kind is not SeatKind.BOT]
            if len(others) == 1:
                self._game_service.remove_unplayed(game.id)

    # -- rematches ----------------------------------------------------------------------------

    def _wish_rematch(self, request: PageRequest) -> Response:
        """Play a game of one's own again, each player a seat further, once all people agree."""
        me, stored = request.me, self._storage.find_game(request.part("game"))
        teams = () if stored is None else self._open_games.find_teams(me.id, stored.id)
        if stored is None or not teams:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such game of yours")
        owners = self._open_games.find_owners(stored.id).values()
        if stored.rematch is None and not all(map(self._is_here, owners)):
            raise Denied(HTTPStatus.CONFLICT, "somebody who played this game has left")
        request.count("new_game")
        try:
            return redirect_to(
                f"/games/{self._game_service.create_rematch(stored.id, teams) or stored.id}"
            )
        except ActionRefused as error:
            why = str(error) if stored.is_over else f"{error}: play it to the end first"
            raise Denied(HTTPStatus.CONFLICT, why) from error

    def _is_here(self, person_id: str) -> bool:
        person = self._pages.people.find_person(person_id)
        return person is not None and not person.is_banned

    # -- beginning ----------------------------------------------------------------------------

    def _find(self, request: PageRequest) -> OpenGame:
        """Return the game of a path. Raises: Denied."""
        return _require_game(self._open_games.find(request.part("game")))

    def _respond_to_change(self, request: PageRequest, change: Callable[[], OpenGame]) -> Response:
        try:
            return self.show_or_start_game(change())
        except NotWelcome as error:
            request.note("seat refused", "a block")
            raise Denied(HTTPStatus.FORBIDDEN, str(error)) from error
        except NotPossible as error:
            return self._render_refusal(request, error)

    def _render_refusal(self, request: PageRequest, error: NotPossible) -> Response:
        request.note("seat refused", str(error))
        if self._open_games.find(request.part("game")) is None:
            raise Denied(HTTPStatus.CONFLICT, str(error)) from error
        return self._waiting_game(request, str(error))

    def show_or_start_game(self, game: OpenGame) -> Response:
        if game.has_begun:
            return redirect_to(f"/games/{game.id}")
        if not game.is_full:
            return redirect_to(f"/lobby/{game.id}")
        self.start_game(game)
        return redirect_to(f"/games/{game.id}")

    def start_game(self, game: OpenGame) -> None:
        """Begin a game of which all seats are taken.

        That is harmless where it was half done when the server ended.
        """
        if self._storage.find_game(game.id) is None:
            spec, seats = match_spec_and_seats(game)
            people = {
                team: seat.person
                for team, seat in enumerate(game.seats, 1)
                if seat.person is not None
            }
            acquainted = self._storage.database.find(find_acquainted(people, game.linked_teams))
            terms = self._opponents.game_terms(game)
            self._game_service.create(spec, seats, game.id, terms, acquainted=acquainted)
        for team, seat in enumerate(game.seats, 1):
            if seat.kind is SeatKind.GUEST:
                with suppress(Stale):  # it is there
                    self._storage.add_key(seat.token, game.id, [team], is_link=False)
        self._open_games.record_start(game)
        self._game_service.refresh_conversation(game.id)  # it is known by now whose the seats are


def read_guest_name(request: PageRequest, usual: str = "") -> str:
    """Return what somebody without an account is called, as a form says. Raises: BadName."""
    name = validate_name(request.field("name") or usual)
    if request.pages.people.is_taken(name):
        raise BadName("somebody with an account has this name; choose another")
    return f"{name} (guest)"


def describe_games(
    games: Sequence[OpenGame], makers: Mapping[str, str], me: Person
) -> list[dict[str, object]]:
    """Return what pages say of games that wait; `makers`: the names of who made them, by id."""
    return [_describe_game(game, makers, me) for game in games]


def _describe_game(
    game: OpenGame, makers: Mapping[str, str], me: Person | None
) -> dict[str, object]:
    my_id = "" if me is None else me.id
    return {
        "id": game.id,
        "game": game.spec.game,
        "title": find_game(game.spec.game).title,
        "settings": [
            "rated" if game.is_rated else "casual",
            CLOCK_CHOICES[game.clock],
            *non_default_settings(game.spec),
        ],
        "seats": game.seats,
        "maker": makers.get(game.made_by or "", ""),
        "made_by": game.made_by,
        "is_mine": game.made_by == my_id,
        "my_team": game.find_team(my_id),
        "declined": _count_declined(game),
        "is_challenge": game.has_challenged(my_id),
    }


def friend_key(token: str) -> str:
    """Return what lets a friend in whom somebody without an account invites, by their token.

    So the page of a game that waits shows its link whenever its maker asks.
    """
    return hash_key(f"friend {token}")


def friend_path(game_id: str, team: int, token: str) -> str:
    return f"/seats/{game_id}/{team}/{friend_key(token)}"


def _count_declined(game: OpenGame) -> int:
    return sum(seat.kind is SeatKind.DECLINED for seat in game.seats)


def links_with_codes(links: Sequence[str]) -> list[tuple[str, Markup]]:
    """Return links, each with its QR code."""
    return [(link, _qr_code(link)) for link in links]


def _qr_code(text: str) -> Markup:
    """Return a QR code as an element of SVG."""
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None))


def _require_game(game: OpenGame | None) -> OpenGame:
    """Raises: Denied."""
    if game is None:
        raise Denied(HTTPStatus.NOT_FOUND, "there is no such game; perhaps it was canceled")
    return game
