"""Ratings over time: how each entrant's live rating moved, in a few moments."""

from collections.abc import Iterable

from runners.statistics.live_ratings import LiveRatings
from runners.statistics.scores import Score

MOST_MOMENTS = 120
"""The most moments of an entrant; if there are more, every other one is dropped."""

Moment = tuple[int, float]
"""How many matches it had played, and its rating (Elo) then."""


class Histories:
    """Told of one match after the other, in the order of the fixtures."""

    def __init__(self, entrants: Iterable[int]) -> None:
        field = list(entrants)
        self._ratings = LiveRatings(field)
        self._moments: dict[int, list[Moment]] = {who: [self._now(who)] for who in field}
        self._strides = dict.fromkeys(field, 1)

    def add(self, score: Score) -> None:
        self._ratings.add(score)
        for who in set(score.seats):
            moment = self._now(who)
            moments = self._moments[who]
            if moment[0] >= moments[-1][0] + self._strides[who]:
                moments.append(moment)
            if len(moments) > MOST_MOMENTS:
                del moments[1::2]
                self._strides[who] *= 2

    def of(self, entrant: int) -> tuple[Moment, ...]:
        """Return an entrant's ratings from before its first match to after its last."""
        kept, now = self._moments[entrant], self._now(entrant)
        if now[0] == 0:
            return ()
        return (*kept, now) if kept[-1] != now else tuple(kept)

    def _now(self, entrant: int) -> Moment:
        rating = self._ratings.of(entrant)
        return rating.games, rating.elo
