"""Converts differences in rating (Elo) to expected shares of the points, and back."""

from math import inf, log, log10

ELO_PER_NATURAL_UNIT = 400 / log(10)
"""Elo per unit of the natural (logistic) scale, on which a lead of x wins exp(x) times as often."""


def expected_share(elo: float) -> float:
    """Return the share of the points that a lead in rating brings; 0.5 for 0.

    Source: A. E. Elo, The Rating of Chessplayers (1978), with the logistic curve.
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_share(share: float) -> float:
    """Return the lead that a share of the points means; -inf for none of them, inf for all."""
    if share <= 0 or share >= 1:
        return -inf if share <= 0 else inf
    return 400 * log10(share / (1 - share))
