"""Steps of Newton's method by whole matrices: the quicker ones where most entrants met."""

from typing import Self

import msgspec
import numpy as np

from runners.statistics.pairings import Floats, Pairings, Results


class DenseNewton(msgspec.Struct, frozen=True):
    """The likelihood equations of some fits. Shape: (fits, entrants), met by entrants again."""

    met: Floats
    """The matches of each with each."""
    won: Floats
    """The points of each, those of the prior among them."""
    pseudo_games: Floats

    @classmethod
    def of(cls, results: Results) -> Self:
        points, games, prior = results.points, results.games, results.prior
        won = _square(results.pairings, points, games - points).sum(axis=2) + prior.won
        return cls(_square(results.pairings, games, games), won, prior.won + prior.lost)

    def chosen(self, fits: np.ndarray[tuple[int], np.dtype[np.bool]]) -> Self:
        """Return the equations of these fits alone."""
        return type(self)(self.met[fits], self.won[fits], self.pseudo_games[fits])

    def step(self, strengths: Floats) -> Floats:
        """Return the step to where the gradient would vanish if the curvature stayed as it is.

        Large arrays are overwritten rather than copied, which takes as long as solving does.
        """
        odds = np.exp(strengths)
        own = odds / (1 + odds)
        share = odds[:, :, None] + odds[:, None, :]
        np.divide(odds[:, :, None], share, out=share)
        expected = self.met * share
        gradient = self.won - expected.sum(axis=2) - self.pseudo_games * own
        share -= 1
        curvature = np.multiply(expected, share, out=expected)
        diagonal = np.arange(own.shape[1])
        of_prior = self.pseudo_games * own * (1 - own)
        curvature[:, diagonal, diagonal] = of_prior - curvature.sum(axis=2)
        # One system after the other, by LU decomposition. The command line keeps OpenBLAS to one
        # thread: several wait for each other where matches keep the cores busy (105 s of CPU time
        # for 200 bots on a busy machine, 2 s with one).
        return np.asarray(np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0])


def _square(pairings: Pairings, of_first: Floats, of_second: Floats) -> Floats:
    """Return what each has of each: (fits, pairings) twice -> (fits, entrants, entrants)."""
    square = np.zeros((len(of_first), pairings.size, pairings.size))
    square[:, pairings.first, pairings.second] = of_first
    square[:, pairings.second, pairings.first] = of_second
    return square
