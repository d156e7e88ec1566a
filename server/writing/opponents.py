"""What a draft can be played against: starter bots, open bots of ladders, its own versions."""

from engine.catalog import find_game
from engine.errors import BadBot
from runners.starter_bots import starter_bots
from server.bots.uploads import BadUpload
from server.games.new_games import LADDER, Opponents
from server.identity.text_limits import parse_whole_number
from server.runs.runs import Opponent
from server.writing.draft_files import upload
from server.writing.drafts import Draft, Drafts
from server.writing.run_bodies import OfferedRival, OpponentKind

VERSION_PREFIX = "version/"
"""What stands before the number of an own version, where a run names it."""


class DraftOpponents:
    """Knows by a name, as offered, what is played against. May be used from any thread."""

    def __init__(self, drafts: Drafts, opponents: Opponents) -> None:
        self._drafts = drafts
        self._opponents = opponents

    def list_opponents(self, draft: Draft) -> list[OfferedRival]:
        order = starter_bots(draft.game)
        descriptions = {one.value: one.words for one in self._opponents.list_opponents(draft.game)}
        return [
            *(
                OfferedRival(
                    id=name,
                    name=descriptions[name].partition(":")[0],
                    kind=OpponentKind.STARTER,
                    strength=number,
                )
                for number, name in enumerate(order, 1)
                if name in descriptions
            ),
            *(
                OfferedRival(id=one.value, name=one.words, kind=OpponentKind.LADDER, strength=None)
                for one in self._opponents.ladder_bots(draft.game)
            ),
            *(
                OfferedRival(
                    id=f"{VERSION_PREFIX}{one.number}",
                    name=f"version {one.number}" + (f": {one.note}" if one.note else ""),
                    kind=OpponentKind.VERSION,
                    strength=None,
                )
                for one in self._drafts.find_versions(draft.id)
                if one.digest
            ),
        ]

    def find_opponent(self, draft: Draft, name: str) -> Opponent:
        """Return an opponent. Raises: BadBot, EngineFailure."""
        if name.startswith(VERSION_PREFIX):
            return self._find_version(draft, name.removeprefix(VERSION_PREFIX))
        if not name.startswith(LADDER) and name not in starter_bots(draft.game):
            raise BadBot(f"there is no opponent {name!r:.60}: choose one of those that are offered")
        seat = self._opponents.seat(draft.game, name)
        # Only the rules of a game with designs disclose source.
        has_source = name.startswith(LADDER) and find_game(draft.game).has_designs
        return Opponent(seat.name, seat.digest, is_confidential=has_source)

    def _find_version(self, draft: Draft, said: str) -> Opponent:
        """Raises: BadBot."""
        number = parse_whole_number(said)
        files = None if number is None else self._drafts.load_version(draft.id, number)
        if files is None:
            raise BadBot(f"there is no version {said:.20} of this draft")
        try:
            packed = upload(files).packed
        except BadUpload as error:
            raise BadBot(f"version {said}: {error}") from error
        name = f"{draft.name} v{said}"
        return Opponent(name, packed.digest, is_confidential=False, packed=packed)
