"""What players decide about each other: to read, mute or block, in a game and everywhere."""

from collections.abc import Callable, Collection
from http import HTTPStatus

from sqlalchemy import select

from runners.storage.game_tables import owners
from runners.storage.together import Lookup
from server.http.errors import ActionRefused, Denied
from server.http.limits import RateLimits
from server.identity.people import person_with
from server.identity.rate_limits import Asker
from server.messages.block_list import MAX_BLOCKED_PEOPLE, BlockList, BlockListFull, Restriction
from server.messages.conversations import Games

Separate = Callable[[str, str], None]


class Mutes:
    """What players do about each other. All methods may be called from any thread."""

    def __init__(self, games: Games, separate: Separate, limits: RateLimits) -> None:
        """`separate` is called with two people, of whom one blocks the other from now on."""
        self.block_list = BlockList(games.database)
        self._games = games
        self._separate = separate
        self._limits = limits

    def set_in_game(
        self,
        game_id: str,
        teams: Collection[int],
        other: int,
        kind: Restriction | None,
        *,
        everywhere: bool,
    ) -> None:
        """Mute or block who plays another team from now on; None: read them, here and everywhere.

        Raises: ActionRefused, TooMany, NoSuchGame.
        """
        people = self._games.conversations.load(game_id).filter.people
        me = next((people[team] for team in sorted(teams) if team in people), None)
        whom = people.get(other)
        self._limits.count("avoid", Asker(""), me or f"{game_id} {min(teams)}")
        if everywhere and kind is not None and other not in teams and (not me or not whom):
            raise ActionRefused(
                "only people with accounts are blocked everywhere: mute or block this one here"
            )
        if me and whom and me != whom and (everywhere or kind is None):
            self._set(me, whom, kind)
        self._games.conversations.decide(game_id, teams, other, None if everywhere else kind)

    def set_everywhere(self, person_id: str, other_id: str, kind: Restriction | None) -> None:
        """Mute or block a person from now on; None: no more. Raises: TooMany, Denied."""
        found = self._games.database.find(person_with(other_id))
        if found is None or found.id == person_id:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such person")
        self._limits.count("avoid", Asker(""), person_id)
        self._set(person_id, other_id, kind)

    def _set(self, person_id: str, other_id: str, kind: Restriction | None) -> None:
        try:
            has_changed = self.block_list.set(person_id, other_id, kind)
        except BlockListFull as error:
            message = (
                f"you mute or block {MAX_BLOCKED_PEOPLE} people, and nobody may more: end one first"
            )
            raise Denied(HTTPStatus.CONFLICT, message) from error
        if not has_changed:
            return
        if kind is Restriction.BLOCK:
            self._separate(person_id, other_id)
        for game_id in self._games.database.find(shared_games(person_id, other_id)):
            self._games.refresh_conversation(game_id)


def shared_games(person_id: str, other_id: str) -> Lookup[list[str]]:
    """Look up the ids of the games that two people play or have played."""
    games = select(owners.c.game).where(owners.c.person == other_id)
    query = select(owners.c.game).where(owners.c.person == person_id, owners.c.game.in_(games))
    return Lookup(query.distinct(), lambda rows: [row.game for row in rows])
