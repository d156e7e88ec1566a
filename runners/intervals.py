"""Intervals of figures that chance has touched."""

from math import sqrt

Z_95 = 1.959963984540054


def wilson(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate (draws are half a point); (0, 1) without games.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical
    inference, JASA 22 (1927).
    """
    if games == 0:
        return 0.0, 1.0
    rate, z2 = points / games, Z_95**2
    middle = rate + z2 / (2 * games)
    spread = Z_95 * sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    scale = 1 + z2 / games
    low, high = (middle - spread) / scale, (middle + spread) / scale
    # Where all was won or lost, the last digits of low or high may be beyond the rate, or 0 to 1.
    return min(rate, max(0.0, low)), max(rate, min(1.0, high))
