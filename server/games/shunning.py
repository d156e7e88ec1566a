"""Muting and blocking, in a game and everywhere, and what follows from it in games that wait."""

from collections.abc import Collection, Mapping
from http import HTTPStatus

from runners.storage.database import Database
from server.games.errors import ActionRefused
from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.http.errors import Denied
from server.http.limits import RateLimits
from server.identity.avoided import MAX_AVOIDED_PEOPLE, AvoidedPeople, Avoiding, TooManyAvoided
from server.identity.rate_limits import Asker


class Shunning:
    """What players do about each other. All methods may be called from any thread."""

    def __init__(
        self,
        database: Database,
        game_service: GameService,
        open_games: OpenGames,
        limits: RateLimits,
    ) -> None:
        self.people = AvoidedPeople(database)
        self._game_service = game_service
        self._open_games = open_games
        self._limits = limits

    def in_game(
        self,
        game_id: str,
        teams: Collection[int],
        other: int,
        kind: Avoiding | None,
        *,
        everywhere: bool,
    ) -> None:
        """Avoid who plays another team so from now on; None: no more, here and everywhere.

        Raises: ActionRefused, TooMany, NoSuchGame.
        """
        people = self._game_service.hearing(game_id).people
        me, whom = _owner(people, teams), people.get(other)
        self._count(me or f"{game_id} {min(teams)}")
        if everywhere and kind is not None and other not in teams and (not me or not whom):
            raise ActionRefused(
                "only people with accounts are avoided everywhere: mute or block this one here"
            )
        self._game_service.avoid(game_id, teams, other, None if everywhere else kind)
        if me and whom and (everywhere or kind is None):
            self._set(me, whom, kind)

    def everywhere(self, person_id: str, other_id: str, kind: Avoiding | None) -> None:
        """Avoid a person so from now on; None: no more. Raises: TooMany, Denied."""
        self._count(person_id)
        self._set(person_id, other_id, kind)

    def _set(self, person_id: str, other_id: str, kind: Avoiding | None) -> None:
        try:
            has_changed = self.people.set(person_id, other_id, kind)
        except TooManyAvoided as error:
            words = (
                f"you mute or block {MAX_AVOIDED_PEOPLE} people, and nobody may more: end one first"
            )
            raise Denied(HTTPStatus.CONFLICT, words) from error
        if not has_changed:
            return
        if kind is Avoiding.BLOCK:
            self._open_games.part(person_id, other_id)
        for game_id in self._open_games.find_shared_games(person_id, other_id):
            self._game_service.hear_anew(game_id)

    def _count(self, key: str) -> None:
        """Raises: TooMany."""
        self._limits.count("avoid", Asker(""), key)


def _owner(people: Mapping[int, str], teams: Collection[int]) -> str | None:
    """Return who with an account plays these teams; None for nobody."""
    return next((people[team] for team in sorted(teams) if team in people), None)
