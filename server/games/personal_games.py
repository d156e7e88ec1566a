"""The games of a person, with what they ordered in each: for the download of one's own data."""

from collections.abc import Collection
from contextlib import suppress

from server.games.errors import OtherRules
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.hearing import Hearing
from server.games.open_games import OpenGames
from server.identity.avoided import Avoiding

MAX_MESSAGES = 100_000
"""A download of a game holds at most so many."""


def export_games(
    person_id: str, game_service: GameService, storage: GameStorage, open_games: OpenGames
) -> list[dict[str, object]]:
    """Return the games of a person, with what they ordered in each."""
    found: list[dict[str, object]] = []
    for are_over in (False, True):
        for own in open_games.find_seats(person_id, are_over=are_over):
            with suppress(OtherRules), game_service.session(own.game_id, own.version) as session:
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
                            for message in storage.messages(own.game_id, MAX_MESSAGES)
                            if message.team in own.teams
                        ],
                        **_about_others(game_service.hearing(own.game_id), own.teams),
                        "messages_read_up_to": own.read_up_to,
                        "not_played_yet": [
                            open_games.find_unplayed_orders(own.game_id, team) for team in own.teams
                        ],
                    }
                )
    return found


def _about_others(hearing: Hearing, teams: Collection[int]) -> dict[str, object]:
    """Return whom somebody avoids in a game, and whether they want messages there."""
    return {
        "muted_teams": hearing.avoided_teams(teams, Avoiding.MUTE),
        "blocked_teams": hearing.avoided_teams(teams, Avoiding.BLOCK),
        "switched_messages_on": not hearing.wanted.isdisjoint(teams),
    }
