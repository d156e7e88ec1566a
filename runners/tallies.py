"""What a bot came to over many matches: wins, places and points, with an interval."""

import msgspec


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's matches, map by map: luck of a map strikes all that were played there."""

    teams: int
    """In a match."""
    maps: tuple[tuple[float, ...], ...]
    """Of each map, of each match there: the share of the others it beat, draws half."""

    @property
    def games(self) -> int:
        return len(self._shares)

    @property
    def wins(self) -> int:
        """Ahead of all others."""
        return self._shares.count(1.0)

    @property
    def draws(self) -> int:
        """Neither ahead nor behind; among more than two also somewhere between."""
        return self.games - self.wins - self.losses

    @property
    def losses(self) -> int:
        """Behind all others."""
        return self._shares.count(0.0)

    @property
    def rate(self) -> float:
        """Share of the points, which are the others it beat; draws are half."""
        return sum(self._shares) / self.games if self.games else 0.0

    @property
    def mean_place(self) -> float | None:
        """From 1; those who are level share their places. None without a match."""
        return 1 + (1 - self.rate) * (self.teams - 1) if self.games else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rate (empirical likelihood, over maps)."""
        from runners.likelihood import interval_of  # numpy takes a while to import

        return interval_of(sum(shares) / len(shares) for shares in self.maps)

    @property
    def _shares(self) -> list[float]:
        return [share for shares in self.maps for share in shares]
