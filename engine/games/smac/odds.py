"""Exact win probabilities of a fight between two stacks (docs/rules/smac.md 10.8)."""

from fractions import Fraction
from functools import lru_cache

from engine.games.smac.chance import hit_probability
from engine.games.smac.combat import Fighter
from engine.games.smac.settings import ChanceModel

HALF, SURE, NEVER = Fraction(1, 2), Fraction(1), Fraction(0)


@lru_cache(100_000)
def win_probability(
    one: Fighter, other: Fighter, raw: int, other_raw: int, model: ChanceModel
) -> Fraction:
    """Return the probability that `one` wins, in a fight without a limit of rounds."""
    if not raw or not other_raw:
        return SURE if raw else NEVER
    # A round leaves the heights as they are or lowers one: a Markov chain without cycles but the
    # loop on the same state, which the division at the end sums up as a geometric series.
    first = _first_share(one, other)
    stays, wins = NEVER, NEVER
    for share, (left, other_left) in [
        *_round(one, other, raw, other_raw, model, first),
        *_round_of_other(one, other, raw, other_raw, model, 1 - first),
    ]:
        if (left, other_left) == (raw, other_raw):
            stays += share
        elif share:
            wins += share * win_probability(one, other, left, other_left, model)
    return wins / (1 - stays) if stays != 1 else _when_nobody_hits(one, other, raw, other_raw)


def _first_share(one: Fighter, other: Fighter) -> Fraction:
    """Return the probability that `one` attacks first in a round (rules 5.6)."""
    if one.cinit == other.cinit:
        return HALF
    return SURE if one.cinit > other.cinit else NEVER


Outcomes = list[tuple[Fraction, tuple[int, int]]]


def _round(
    first: Fighter, second: Fighter, raw: int, other_raw: int, model: ChanceModel, share: Fraction
) -> Outcomes:
    """Return the outcomes of a round that `first` opens: probability, and heights left."""
    outcomes: Outcomes = []
    hit = hit_probability(first.attack_with(raw) - second.defense_with(other_raw), model)
    for part, other_left in ((hit, other_raw - 1), (1 - hit, other_raw)):
        if not other_left:  # out at once: no attack any more
            outcomes.append((share * part, (raw, 0)))
            continue
        margin = second.attack_with(other_left) - first.defense_with(raw)
        back = hit_probability(margin, model)
        outcomes.append((share * part * back, (raw - 1, other_left)))
        outcomes.append((share * part * (1 - back), (raw, other_left)))
    return outcomes


def _round_of_other(
    one: Fighter, other: Fighter, raw: int, other_raw: int, model: ChanceModel, share: Fraction
) -> Outcomes:
    opened = _round(other, one, other_raw, raw, model, share)
    return [(part, (left, other_left)) for part, (other_left, left) in opened]


def _when_nobody_hits(one: Fighter, other: Fighter, raw: int, other_raw: int) -> Fraction:
    """Return who wins when the limit of rounds ends a fight without a hit (rules 5.9)."""
    if one.is_owner or other.is_owner:
        return SURE if one.is_owner else NEVER
    return HALF if raw == other_raw else SURE if raw > other_raw else NEVER
