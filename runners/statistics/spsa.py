"""SPSA: finds better parameters from matches between two disturbed copies of a bot.

Simultaneous perturbation stochastic approximation: J. C. Spall, IEEE Transactions on Automatic
Control 37 (1992), with the exponents that he recommends; the way chess engines use it
(github.com/official-stockfish/fishtest). All of it in shares of the ranges, 0 to 1.
"""

from collections.abc import Sequence
from random import Random

import msgspec

ALPHA, GAMMA = 0.602, 0.101
STABILITY_SHARE = 0.1
"""Spall's A, as a share of the iterations: the first steps are not too long."""
LAST_SPREAD = 0.08
"""How far the copies are from the middle in the last iteration."""
LAST_STEP = 0.012
"""How far a parameter moves in the last iteration if the one copy takes all points."""
AVERAGED_SHARE = 0.25
"""The share of the iterations, the last ones, of which the mean is the answer."""

Shares = tuple[float, ...]


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a bot, and the range in which a better one is looked for."""

    name: str
    low: float
    high: float
    start: float
    is_whole: bool = False

    def value(self, share: float) -> int | float:
        """Return the value at a share of the range; as many digits as matter."""
        value = self.low + share * (self.high - self.low)
        return round(value) if self.is_whole else float(f"{value:.6g}")

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


class Spsa(msgspec.Struct, frozen=True, kw_only=True):
    """How far the copies are apart, and how far the middle moves."""

    parameters: tuple[Parameter, ...]
    iterations: int

    @property
    def start(self) -> Shares:
        return tuple(parameter.share(parameter.start) for parameter in self.parameters)

    def spread(self, iteration: int) -> Shares:
        """Return how far the copies are from the middle, by parameter.

        A whole number has to change at all.
        """
        spread = LAST_SPREAD * (self.iterations / (iteration + 1)) ** GAMMA
        return tuple(
            max(spread, 0.5 / (each.high - each.low)) if each.is_whole else spread
            for each in self.parameters
        )

    def step(self, iteration: int) -> float:
        """Return how far the middle moves for all points of an iteration."""
        stable = STABILITY_SHARE * self.iterations
        longer: float = ((stable + self.iterations) / (stable + iteration + 1)) ** ALPHA
        return LAST_STEP * longer

    def copies(self, middle: Shares, iteration: int, chance: Random) -> tuple[Shares, Shares]:
        """Return the two copies that meet: each parameter is higher in the one or the other."""
        signs = [chance.choice((-1, 1)) for _ in self.parameters]
        spread = self.spread(iteration)
        one, other = (
            tuple(
                clamp_share(at + way * sign * far)
                for at, sign, far in zip(middle, signs, spread, strict=True)
            )
            for way in (1, -1)
        )
        return one, other

    def next_middle(
        self, middle: Shares, copies: tuple[Shares, Shares], iteration: int, lead: float
    ) -> Shares:
        """Return the next middle; `lead` is 1 if the first copy took all points, -1 if none."""
        step = self.step(iteration) * lead
        ways = ((one > other) - (one < other) for one, other in zip(*copies, strict=True))
        return tuple(clamp_share(at + step * way) for at, way in zip(middle, ways, strict=True))

    def values(self, shares: Shares) -> dict[str, int | float]:
        """Return the parameters of a bot."""
        return {
            each.name: each.value(share)
            for each, share in zip(self.parameters, shares, strict=True)
        }

    def answer(self, path: Sequence[Shares]) -> Shares:
        """Return what was found: the mean of the last middles, which sway less than the last."""
        last = path[-max(1, round(AVERAGED_SHARE * len(path))) :]
        return tuple(sum(shares) / len(last) for shares in zip(*last, strict=True))


def clamp_share(share: float) -> float:
    return min(1.0, max(0.0, share))
