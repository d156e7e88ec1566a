"""Keys and tokens with which seats of games are taken: of each only the hash is kept."""

import secrets
import threading
from collections.abc import Sequence

from server.games.game_storage import GameStorage
from server.identity.people import hash_key

MAX_CACHED_TOKENS = 10_000
"""Tokens whose teams are kept in memory, until `forget`."""


class SeatKeys:
    """A key stands in a link and is good for once; a token is what its browser gets for it."""

    def __init__(self, storage: GameStorage) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._teams: dict[tuple[str, str], tuple[int, ...]] = {}
        """The teams of tokens that were seen, by their hash and the game."""

    def find_game(self, key: str) -> str | None:
        """Return the game for which a link is, if it was not used."""
        return self._storage.find_game_by_key(hash_key(key))

    def exchange(self, key: str, game_id: str) -> str | None:
        """Return a token for a key that is good for once; None if it is not, or was used."""
        teams = self._storage.take_key(hash_key(key), game_id)
        return self.new_token(game_id, teams) if teams else None

    def new_token(self, game_id: str, teams: Sequence[int]) -> str:
        """Return a token with which these teams are played."""
        token = secrets.token_urlsafe(24)
        self._storage.add_key(hash_key(token), game_id, teams, is_link=False)
        return token

    def new_key(self, game_id: str, teams: Sequence[int]) -> str:
        """Return a key for a link, good for once; only its hash is kept."""
        key = secrets.token_urlsafe(24)
        self._storage.add_key(hash_key(key), game_id, teams, is_link=True)
        return key

    def forget(self, game_id: str) -> None:
        """Look anew what the tokens of a game are good for: some may be good no more."""
        with self._lock:
            for known in [known for known in self._teams if known[1] == game_id]:
                del self._teams[known]

    def find_teams(self, token: str, game_id: str) -> tuple[int, ...]:
        """Return the teams that whoever has a token plays."""
        if not token:
            return ()
        key = hash_key(token), game_id
        teams = self._teams.get(key)
        if teams is None and (teams := self._storage.find_teams(*key)):
            with self._lock:
                if len(self._teams) >= MAX_CACHED_TOKENS:
                    self._teams.clear()
                self._teams[key] = teams
        return teams or ()
