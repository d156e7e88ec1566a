"""What an observation is put into: a dictionary, or a single array for wrappers that want one."""

from enum import StrEnum
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from learning.encoding import MAX_INT32, AnyEncoding, Array, Observation

MIN_INT32 = -MAX_INT32 - 1
Mask = NDArray[np.int8]
Shown = Any
"""A dictionary of arrays, or one array, as the form has it."""


class ObservationForm(StrEnum):
    """What an observation is put into."""

    DICTIONARY = "dictionary"
    """`observation` has the planes, `numbers` the numbers, `action_mask` the legal actions."""
    PLANES = "planes"
    """`observation` has the planes, and a plane full of each number; `action_mask` as above."""
    BOX = "box"
    """Those planes alone, as one array; the mask is in the agent's `infos`."""

    def make_space(self, encoding: AnyEncoding) -> spaces.Space[Shown]:
        """Return the space of the observations of a game."""
        mask = spaces.Box(0, 1, (encoding.actions,), np.int8)
        if self is ObservationForm.DICTIONARY:
            numbers = spaces.Box(MIN_INT32, MAX_INT32, (len(encoding.numbers),), np.int32)
            shape = len(encoding.planes), encoding.rows, encoding.columns
            planes = spaces.Box(0, MAX_INT32, shape, np.int32)
            return spaces.Dict({"observation": planes, "numbers": numbers, "action_mask": mask})
        box = _box_with_numbers(encoding)
        if self is ObservationForm.BOX:
            return box
        return spaces.Dict({"observation": box, "action_mask": mask})

    def plane_names(self, encoding: AnyEncoding) -> tuple[str, ...]:
        """Return what each plane holds: the numbers come after the board."""
        if self is ObservationForm.DICTIONARY:
            return encoding.planes
        return (*encoding.planes, *encoding.numbers)

    def encode_observation(self, observation: Observation, mask: Mask) -> Shown:
        """Return an observation in this form."""
        if self is ObservationForm.DICTIONARY:
            planes, numbers = observation
            return {"observation": planes, "numbers": numbers, "action_mask": mask}
        box = with_numbers(observation)
        if self is ObservationForm.BOX:
            return box
        return {"observation": box, "action_mask": mask}


def with_numbers(observation: Observation) -> Array:
    """Return the planes of an observation, and after them one that is full of each number."""
    planes, numbers = observation
    shape = len(numbers), *planes.shape[1:]
    return np.concatenate((planes, np.broadcast_to(numbers[:, None, None], shape)))


def _box_with_numbers(encoding: AnyEncoding) -> spaces.Box:
    boards, numbers = len(encoding.planes), len(encoding.numbers)
    low = np.zeros((boards + numbers, encoding.rows, encoding.columns), np.int32)
    low[boards:] = MIN_INT32
    return spaces.Box(low, np.full_like(low, MAX_INT32), dtype=np.int32)
