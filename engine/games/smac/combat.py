"""Combat, until one stack is left in a cell, and its odds (docs/rules/smac.md 5.6-5.10, 10.8)."""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from engine.games.smac.allocation import by_initiative
from engine.games.smac.chance import SAMPLERS, hit_probability
from engine.games.smac.grid import AT_LEAST, make_grid, make_mask
from engine.games.smac.pieces import Fight
from engine.games.smac.settings import ChanceModel, DefenseModel
from engine.games.smac.state import Dish
from engine.games.smac.terrain import DIP, HILL, effective_height
from engine.streams import Stream

SHELL_DEFENSE = 2
"""The defense that the special adds (rules 8.3)."""
RELIEF = 2
"""The defense that a HILL adds for its owner, and a DIP takes away (rules 5.7)."""
HALF, SURE, NEVER = Fraction(1, 2), Fraction(1), Fraction(0)


class Fighter(NamedTuple):
    """A team's stack in a fight, except for its height."""

    attack: int
    """The attack level."""
    defense: int
    """The defense level, with that of a SHELL."""
    cinit: int
    is_owner: bool
    terrain: int
    defense_counts: DefenseModel = DefenseModel.RAW

    def attack_with(self, raw: int) -> int:
        """Return the attack value A without chance (rules 5.7)."""
        return self.attack + 2 * raw

    def defense_with(self, raw: int) -> int:
        """Return the defense value D (rules 5.7): an owner has relief and effective height."""
        if not self.is_owner and self.defense_counts is DefenseModel.RAW:
            return self.defense + raw
        relief = RELIEF if self.terrain & HILL else -RELIEF if self.terrain & DIP else 0
        height = effective_height(raw, self.terrain) + relief
        return self.defense + (height + raw if self.is_owner else max(0, height))


def find_contested_cells(dish: Dish) -> tuple[int, ...]:
    """Return the cells with stacks of several teams, row by row."""
    seen = several = 0
    for layer in dish.heights:
        stacks = make_mask(layer, AT_LEAST[1])
        several |= seen & stacks
        seen |= stacks
    return make_grid(dish.side).cells(several)


def fighter(dish: Dish, cell: int, team: int) -> Fighter:
    """Return how a team fights in this cell."""
    levels, is_shelled = dish.team(team).levels, dish.team(team).shelled_in == dish.turn
    return Fighter(
        attack=levels.attack,
        defense=levels.defense + SHELL_DEFENSE * is_shelled,
        cinit=levels.cinit,
        is_owner=dish.owners[cell] == team,
        terrain=dish.terrain[cell],
        defense_counts=dish.settings.defense_counts,
    )


def fight(dish: Dish, cell: int, stream: Stream) -> Fight:
    """Fight rounds until one stack is left (rules 5.6), or the limit is reached (rules 5.9)."""
    raw = dish.stacks_in(cell)
    fighters = {team: fighter(dish, cell, team) for team in raw}
    draw, rounds = SAMPLERS[dish.settings.chance_model], 0
    while len(raw) > 1 and rounds < dish.settings.combat_round_limit:
        rounds += 1
        initiative = {team: fighters[team].cinit for team in raw}
        for team in by_initiative(initiative, stream):
            enemies = [enemy for enemy in raw if enemy != team]
            if team not in raw or not enemies:
                continue  # rules 5.7: out at once, it attacks no more in this round
            # A choice of one draws nothing: duels, nearly all fights, stay cheap.
            enemy = enemies[0] if len(enemies) == 1 else stream.choice(enemies)
            attack = fighters[team].attack_with(raw[team]) + draw(stream)
            if attack > fighters[enemy].defense_with(raw[enemy]):
                raw[enemy] -= 1
                if not raw[enemy]:
                    del raw[enemy]
    owner = dish.owners[cell]
    # rules 5.9: of several that are left the owner wins, else the highest stack, by lot.
    winner = owner if owner in raw else by_initiative(raw, stream)[0]
    heights = tuple(layer[cell] for layer in dish.heights)
    return Fight(dish.turn, cell, owner, heights, rounds, winner, raw[winner])


@lru_cache(100_000)
def win_probability(
    one: Fighter, other: Fighter, raw: int, other_raw: int, model: ChanceModel
) -> Fraction:
    """Return the probability that `one` wins, in a fight without a limit of rounds."""
    if not raw or not other_raw:
        return SURE if raw else NEVER
    # A round leaves the heights as they are or lowers one: a Markov chain without cycles but the
    # loop on the same state, which the division at the end sums up as a geometric series.
    first = _first_attack_probability(one, other)
    stays, wins = NEVER, NEVER
    for share, (left, other_left) in [
        *_round_outcomes(one, other, raw, other_raw, model, first),
        *_round_of_other(one, other, raw, other_raw, model, 1 - first),
    ]:
        if (left, other_left) == (raw, other_raw):
            stays += share
        elif share:
            wins += share * win_probability(one, other, left, other_left, model)
    return wins / (1 - stays) if stays != 1 else _when_nobody_hits(one, other, raw, other_raw)


def _first_attack_probability(one: Fighter, other: Fighter) -> Fraction:
    """Return the probability that `one` attacks first in a round (rules 5.6)."""
    if one.cinit == other.cinit:
        return HALF
    return SURE if one.cinit > other.cinit else NEVER


Outcomes = list[tuple[Fraction, tuple[int, int]]]


def _round_outcomes(
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
    opened = _round_outcomes(other, one, other_raw, raw, model, share)
    return [(part, (left, other_left)) for part, (other_left, left) in opened]


def _when_nobody_hits(one: Fighter, other: Fighter, raw: int, other_raw: int) -> Fraction:
    """Return who wins when the limit of rounds ends a fight without a hit (rules 5.9)."""
    if one.is_owner or other.is_owner:
        return SURE if one.is_owner else NEVER
    return HALF if raw == other_raw else SURE if raw > other_raw else NEVER
