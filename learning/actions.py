"""Actions as numbers: what counts as one, whatever a learner's arrays are made of."""

from operator import index

import numpy as np


def whole_number(action: object) -> int:
    """Return an action as an integer: Python's, one of numpy, or an array of no dimensions.

    Raises: ValueError for anything else, such as 1.0, True or None.
    """
    if not isinstance(action, bool | np.bool_) and np.ndim(action) == 0:  # type: ignore[arg-type]
        try:
            return index(action)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise ValueError(f"{action!r:.60} is not an action; expected a whole number, such as 3")
