"""Random numbers of compiled players, which are not those of a match."""

import numpy as np

from learning.simulation.chance import Row
from learning.simulation.compiled import part


@part
def roll(chance: Row, bound: int) -> int:
    """Return a number below `bound`; `chance` is one that is not 0, and changes (xorshift)."""
    number = np.uint64(chance[0])
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    chance[0] = np.int64(number)
    return int(np.int64((number >> np.uint64(32)) % np.uint64(bound)))
