"""Ratings that move with every match, to watch while a ladder runs, and how they moved."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from runners.statistics.elo import ELO_PER_NATURAL_UNIT
from runners.statistics.ratings import MEAN_RATING, Z_95
from runners.statistics.scores import Score

MODEL = PlackettLuce()
ELO_PER_MU = ELO_PER_NATURAL_UNIT / (sqrt(2) * MODEL.beta)
"""Two who are surely known win in the ratio exp((mu_1 - mu_2) / (sqrt(2) beta))."""
MAX_MOMENTS = 120
"""The most moments of an entrant; if there are more, every other one is dropped."""
Moment = tuple[int, float]
"""How many matches it had played, and its rating (Elo) then."""


class LiveRating(msgspec.Struct, frozen=True, kw_only=True):
    """The rating of an entrant so far."""

    entrant: int
    mu: float
    """openskill's own scale; everybody starts at 25."""
    sigma: float
    """Standard deviation of what is known of it; everybody starts at 8.33."""
    games: int

    @property
    def elo(self) -> float:
        """Return the rating on the scale of the published ones; everybody starts at 1500."""
        return MEAN_RATING + ELO_PER_MU * (self.mu - MODEL.mu)

    @property
    def spread(self) -> float:
        """Return half the width of the rating's 95 % interval, in Elo."""
        return Z_95 * ELO_PER_MU * self.sigma


class LiveRatings:
    """Told of one match after the other.

    Source: R. C. Weng, C.-J. Lin, A Bayesian approximation method for online ranking, Journal
    of Machine Learning Research 12 (2011), Plackett-Luce, as openskill has it.
    """

    def __init__(self, entrants: Iterable[int] = ()) -> None:
        self._known: dict[int, PlackettLuceRating] = {who: MODEL.rating() for who in entrants}
        self._games: Counter[int] = Counter()

    def set_first_rating(self, entrant: int, elo: float, spread: float) -> None:
        """Let an entrant begin at a rating that is known from elsewhere; units as `LiveRating`."""
        mu, sigma = MODEL.mu + (elo - MEAN_RATING) / ELO_PER_MU, spread / (Z_95 * ELO_PER_MU)
        self._known[entrant] = MODEL.rating(mu=mu, sigma=sigma)

    def add(self, score: Score) -> None:
        """Add a match of any number of teams; one of a bot against itself changes nothing."""
        if len(set(score.seats)) < len(score.seats):
            return
        sides = score.groups or [(team,) for team in range(1, len(score.seats) + 1)]
        players = [[score.seats[team - 1] for team in side] for side in sides]
        before = [[self._known.get(who) or MODEL.rating() for who in side] for side in players]
        after = MODEL.rate(before, scores=[score.points[side[0] - 1] for side in sides])
        for side, rated in zip(players, after, strict=True):
            self._known |= zip(side, rated, strict=True)
        self._games.update(score.seats)

    def get_rating(self, entrant: int) -> LiveRating:
        """Raises: KeyError if nobody of that number was ever named."""
        known = self._known[entrant]
        return LiveRating(
            entrant=entrant, mu=known.mu, sigma=known.sigma, games=self._games[entrant]
        )

    def ranking(self) -> list[LiveRating]:
        """Return all ratings, the highest first, then by number."""
        everybody = (self.get_rating(who) for who in self._known)
        return sorted(everybody, key=lambda rating: (-rating.mu, rating.entrant))


class Histories:
    """Told of one match after the other, in the order of the fixtures."""

    def __init__(self, entrants: Iterable[int]) -> None:
        field = list(entrants)
        self._ratings = LiveRatings(field)
        self._moments: dict[int, list[Moment]] = {who: [self._current_rating(who)] for who in field}
        self._strides = dict.fromkeys(field, 1)

    def add(self, score: Score) -> None:
        self._ratings.add(score)
        for who in set(score.seats):
            moment = self._current_rating(who)
            moments = self._moments[who]
            if moment[0] >= moments[-1][0] + self._strides[who]:
                moments.append(moment)
            if len(moments) > MAX_MOMENTS:
                del moments[1::2]
                self._strides[who] *= 2

    def get_history(self, entrant: int) -> tuple[Moment, ...]:
        """Return an entrant's ratings from before its first match to after its last."""
        moment, now = self._moments[entrant], self._current_rating(entrant)
        if now[0] == 0:
            return ()
        return (*moment, now) if moment[-1] != now else tuple(moment)

    def _current_rating(self, entrant: int) -> Moment:
        rating = self._ratings.get_rating(entrant)
        return rating.games, rating.elo
