"""A bot's wins, places and points over many matches, with an interval."""

import msgspec


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's matches, map by map: luck of a map strikes all that were played there."""

    teams: int
    """How many teams a match has."""
    maps: tuple[tuple[float, ...], ...]
    """The share of the others it beat, draws half, for each match of each map."""

    @property
    def games(self) -> int:
        return len(self._shares)

    @property
    def wins(self) -> int:
        """Return the matches in which it was ahead of all others."""
        return self._shares.count(1.0)

    @property
    def draws(self) -> int:
        """Return the matches in which it was neither first nor last (with two teams: tied)."""
        return self.games - self.wins - self.losses

    @property
    def losses(self) -> int:
        """Return the matches in which it was behind all others."""
        return self._shares.count(0.0)

    @property
    def rate(self) -> float:
        """Return the share of the points, which are the others it beat; draws are half."""
        return sum(self._shares) / self.games if self.games else 0.0

    @property
    def mean_place(self) -> float | None:
        """Return the mean place, from 1; who is tied shares places. None without a match."""
        return 1 + (1 - self.rate) * (self.teams - 1) if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the rate: empirical likelihood, over maps by matches."""
        from runners.statistics.likelihood import interval_of  # numpy takes a while to import

        return interval_of((sum(shares) / len(shares), len(shares)) for shares in self.maps)

    @property
    def _shares(self) -> list[float]:
        return [share for shares in self.maps for share in shares]
