"""Define where a match begins that goes on from the middle of another one.

Its first decisions are those of the other match, played with that one's seed, which is public by
then; what comes after them is played with a new seed.
"""

import msgspec

from engine.streams import parse_seed, seed_text


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The match from which another one goes on."""

    fingerprint: str
    """The fingerprint of that match, as its result has it."""
    step: int
    """How many of its decisions were taken over."""
    seed: str
    """Its seed, as text."""
    origin: "Origin | None" = None
    """Where that match came from itself."""

    def __post_init__(self) -> None:
        """Raises: ValueError for what no match of ours comes from."""
        parse_seed(self.seed)
        if self.step < 0:
            raise ValueError(f"step {self.step}")


def origin_of(fingerprint: str, step: int, seed: int, before: Origin | None) -> Origin:
    """Return the origin of a match that goes on from a step of another one."""
    return Origin(fingerprint=fingerprint, step=step, seed=seed_text(seed), origin=before)


def seed_at(seed: int, origin: Origin | None, step: int) -> int:
    """Return the seed with which what follows from decision number `step` is played.

    `seed` is that of the match itself; what comes before the first decision belongs to step 0.
    """
    while origin is not None and step <= origin.step:
        seed, origin = parse_seed(origin.seed), origin.origin
    return seed


def begins_anew(origin: Origin | None, step: int) -> bool:
    """Return whether decision number `step` is the first one after those that were taken over."""
    while origin is not None:
        if step == origin.step + 1:
            return True
        origin = origin.origin
    return False
