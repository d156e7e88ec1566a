"""The games of a person, with what they ordered in each: for the download of one's own data."""

from collections.abc import Collection
from contextlib import suppress

from server.games.game_service import GameService
from server.games.open_games import OpenGames
from server.http.errors import OtherRules
from server.messages.block_list import Restriction
from server.messages.message_filter import MessageFilter, last_messages

MAX_MESSAGES = 100_000
"""A download of a game holds at most so many."""


def export_games(
    person_id: str, game_service: GameService, open_games: OpenGames
) -> list[dict[str, object]]:
    """Return the games of a person, with what they ordered in each."""
    found: list[dict[str, object]] = []
    for are_over in (False, True):
        for own in open_games.find_seats(person_id, are_over=are_over):
            with suppress(OtherRules), game_service.session(own.game_id, own.version) as session:
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
