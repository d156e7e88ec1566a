"""Compares SMAC's recorded fights with the rules' odds.

Plays matches of random orders, and with `--starters` of the starter bots, collects every combat
report, computes the odds of each from docs/rules/smac.md 5.6 to 5.10 alone, and prints by groups
how often owners won, how often they should have, and the difference in standard deviations.
50 000 fights take some minutes on one core.

What a group is made of is known before its fights begin, so that |z| stays below 2 in 95 % of all
groups, and below 3 in 99.7 %. Two figures at the end show how to be misled: fights that the last
board still holds (the last one in each cell, and an owner that wins is attacked again), and with
`--seeds N` matches that share their seeds, and so the draws of their fights.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from benchmarks.dishes import GAME, RandomSeat
from benchmarks.seats import make_config, make_match
from bootstrap import HOME
from engine.bots.finding import find_bots
from engine.bots.local_seat import LocalSeat
from engine.game import Event
from engine.games.smac.events import Fought
from engine.games.smac.pieces import Fight
from engine.games.smac.settings import Settings
from engine.games.smac.state import Dish
from engine.games.smac.terrain import ACID, BASE, DIP, HILL
from engine.match import play_match
from engine.observer import Observer
from engine.spec import MatchSpec
from engine.streams import derive_seed

ROUNDS = 200
"""Rules 5.9."""
LARGEST = 20
"""The largest number of chance (rules 5.10)."""
TEAMS = (2, 2, 3, 4)
"""The numbers of teams of one match after the other."""
NEGLIGIBLE = 1e-12


# -- the odds, from the numbered rules alone --------------------------------------------------


class Stack(NamedTuple):
    """A team's stack in a fight, except for its height."""

    attack: int
    defense: int
    """Level, and 2 more with a SHELL (rules 8.3)."""
    initiative: int
    bonus: int | None
    """What the terrain adds to an owner's defense (rules 5.7, 5.8). None: no owner."""


Heights = tuple[int, ...]
Chances = dict[Heights, float]


def hit_chance(margin: int) -> float:
    """Return how often chance + margin is above 0 (rules 5.10)."""
    if margin > LARGEST:
        return 1.0
    if margin > 0:
        return 1 - hit_chance(1 - margin)
    # More than -margin: 2^-(1 - margin) and all that are smaller; larger ones than 20 count as 20.
    return 2.0**margin / 3 if margin > -LARGEST else 0.0


def compute_defense(stack: Stack, height: int) -> int:
    """Return D (rules 5.7): of an owner with its effective height beside its raw one."""
    return stack.defense + height + (0 if stack.bonus is None else height + stack.bonus)


@cache
def winning_chances(stacks: tuple[Stack, ...], heights: Heights) -> tuple[float, ...]:
    """Return how often each of them is left (rules 5.6 and 5.9)."""
    chances, won = {heights: 1.0}, [0.0] * len(stacks)
    for _ in range(ROUNDS):
        after: Chances = defaultdict(float)
        for before, share in chances.items():
            for left, part in a_round(stacks, before).items():
                after[left] += share * part
        chances = {}
        for left, share in after.items():
            if sum(map(bool, left)) == 1:
                won[next(place for place, height in enumerate(left) if height)] += share
            elif share > NEGLIGIBLE:
                chances[left] = share
        if not chances:
            break
    for left, share in chances.items():
        for place, part in stays_at_the_limit(stacks, left).items():
            won[place] += share * part
    return tuple(won)


def stays_at_the_limit(stacks: Sequence[Stack], heights: Heights) -> dict[int, float]:
    """Return who stays after the last round: the owner, else the highest (rules 5.9)."""
    owners = [index for index, stack in enumerate(stacks) if stack.bonus is not None]
    if owners and heights[owners[0]]:
        return {owners[0]: 1.0}
    best = [index for index, height in enumerate(heights) if height == max(heights)]
    return dict.fromkeys(best, 1 / len(best))


@cache
def a_round(stacks: tuple[Stack, ...], heights: Heights) -> Chances:
    """Return what is left after a round, and how likely that is."""
    orders = list(orders_of_attack(stacks, heights))
    after: Chances = defaultdict(float)
    for order in orders:
        chances: Chances = {heights: 1 / len(orders)}
        for attacker in order:
            chances = an_attack(stacks, attacker, chances)
        for left, share in chances.items():
            after[left] += share
    return after


def orders_of_attack(stacks: Sequence[Stack], heights: Heights) -> Iterator[tuple[int, ...]]:
    """Yield all orders that go by initiative: each is as likely, equal ones being drawn."""
    living = [place for place, height in enumerate(heights) if height]
    for order in permutations(living):
        levels = [stacks[place].initiative for place in order]
        if levels == sorted(levels, reverse=True):
            yield order


def an_attack(stacks: Sequence[Stack], attacker: int, chances: Chances) -> Chances:
    """Return the chances after this team's attack on one of its enemies, drawn by lot."""
    after: Chances = defaultdict(float)
    for heights, share in chances.items():
        enemies = [index for index, height in enumerate(heights) if height and index != attacker]
        if not heights[attacker] or not enemies:
            after[heights] += share
            continue
        value = stacks[attacker].attack + 2 * heights[attacker]
        for enemy in enemies:
            hit = hit_chance(value - compute_defense(stacks[enemy], heights[enemy]))
            hurt = tuple(height - (index == enemy) for index, height in enumerate(heights))
            after[hurt] += share * hit / len(enemies)
            after[heights] += share * (1 - hit) / len(enemies)
    return after


# -- recorded fights --------------------------------------------------------------------------


class Trial(NamedTuple):
    """A recorded fight, and the teams of which we ask whether they won."""

    seed: int
    groups: tuple[str, ...]
    won: bool
    chance: float

    @property
    def surprise(self) -> float:
        """Return how much more often than expected they won, in this one fight."""
        return self.won - self.chance


class Collector(Observer):
    """Turns the reports of a match into trials; the levels are those the board has then."""

    def __init__(self, seed: int) -> None:
        self.trials: list[Trial] = []
        self._seed = seed
        self._last: dict[int, int] = {}
        """The place of each cell's last fight among the trials."""

    def on_start(self, state: Any) -> None:
        self._dish: Dish = state

    def on_event(self, event: Event) -> None:
        if type(event) is Fought:
            self._last[event.fight.cell] = len(self.trials)
            self.trials.append(self._trial(event.fight))

    @property
    def last_in_cells(self) -> list[Trial]:
        """Collect what the last board still holds."""
        return [self.trials[place] for place in self._last.values()]

    def _trial(self, fight: Fight) -> Trial:
        """Return the trial of a fight: the owner's, or without one that of the lowest team."""
        teams = [team for team, height in enumerate(fight.heights, 1) if height]
        teams.sort(key=lambda team: team != fight.owner)
        stacks = tuple(self._stack(fight, team) for team in teams)
        heights = tuple(fight.heights[team - 1] for team in teams)
        return Trial(
            self._seed,
            tuple(groups(stacks, heights, len(fight.heights))),
            fight.winner == teams[0],
            winning_chances(stacks, heights)[0],
        )

    def _stack(self, fight: Fight, team: int) -> Stack:
        own, terrain = self._dish.team(team), self._dish.terrain[fight.cell]
        traits = ((BASE, 1), (ACID, -1), (HILL, 2), (DIP, -2))
        bonus = sum(by for flag, by in traits if terrain & flag)
        is_shelled = own.shelled_in == self._dish.turn
        return Stack(
            attack=own.levels.attack,
            defense=own.levels.defense + 2 * is_shelled,
            initiative=own.levels.cinit,
            bonus=bonus if team == fight.owner else None,
        )


def groups(stacks: Sequence[Stack], heights: Heights, teams: int) -> Iterator[str]:
    """Name the groups that a fight belongs to, by what was known before it."""
    first, others = stacks[0], stacks[1:]
    yield "all"
    yield f"in matches of {teams}"
    yield f"fighters: {len(stacks)}"
    if first.bonus is None:
        yield "no owner"
        return
    yield f"initiative of the owner {compare(first.initiative, [s.initiative for s in others])}"
    yield f"attack of the owner {compare(first.attack, [s.attack for s in others])}"
    yield f"height of the owner {compare(heights[0], heights[1:])}"
    yield f"terrain adds {first.bonus:+} to the owner's defense"


def compare(own: int, others: Sequence[int]) -> str:
    if own > max(others):
        return "higher"
    return "lower" if own < max(others) else "equal"


# -- matches ----------------------------------------------------------------------------------


class RandomPlayer(RandomSeat):
    """Gives random orders, others in each match."""

    def __init__(self, team: int, dice: random.Random) -> None:
        super().__init__(team, {})
        self._own_dice = dice

    def prepare(self, state: Any) -> None:
        super().prepare(state)
        self._dice = self._own_dice


def play(number: int, seed: int, *, with_starters: bool) -> Collector:
    """Play a match, and return what was fought in it."""
    teams, dice = TEAMS[number % len(TEAMS)], random.Random(number)
    bots = (f"bot {team}" for team in range(1, teams + 1))
    spec = make_match(GAME, Settings(), *bots, seed=seed)
    collector = Collector(seed)
    makes = starter_seats if with_starters else random_seats
    play_match(GAME, spec, makes(teams, dice, spec), [collector])
    return collector


def random_seats(teams: int, dice: random.Random, spec: MatchSpec) -> list[Any]:
    return [RandomPlayer(team, random.Random(dice.getrandbits(64))) for team in range(1, teams + 1)]


def starter_seats(teams: int, dice: random.Random, spec: MatchSpec) -> list[Any]:
    """Return seats for starter bots, drawn for each match."""
    bots = [bot for bot in find_bots(HOME / "playerCode" / GAME.bots) if bot.name[-4:] != "base"]
    return [
        LocalSeat(make_config(bot.path, spec, team, Path()), GAME)
        for team, bot in enumerate(dice.choices(bots, k=teams), 1)
    ]


# -- the table --------------------------------------------------------------------------------


class Row(msgspec.Struct):
    """The results of a group of fights."""

    fights: int = 0
    won: int = 0
    expected: float = 0.0
    variance: float = 0.0
    by_seed: dict[int, float] = msgspec.field(default_factory=lambda: defaultdict(float))

    def add(self, trial: Trial) -> None:
        self.fights += 1
        self.won += trial.won
        self.expected += trial.chance
        self.variance += trial.chance * (1 - trial.chance)
        self.by_seed[trial.seed] += trial.surprise

    @property
    def z(self) -> float:
        """Wins beyond those expected, in standard deviations of independent fights."""
        return (self.won - self.expected) / sqrt(self.variance or 1)

    @property
    def z_by_seed(self) -> float:
        """The same, where fights of matches with one seed may depend on each other."""
        spread = sqrt(sum(surprise**2 for surprise in self.by_seed.values()))
        return (self.won - self.expected) / (spread or 1)


def rows(trials: Iterable[Trial]) -> dict[str, Row]:
    table: dict[str, Row] = defaultdict(Row)
    for trial in trials:
        for group in trial.groups:
            table[group].add(trial)
    return dict(sorted(table.items()))


def as_text(table: dict[str, Row]) -> str:
    head = f"{'':<44}{'fights':>8}{'won':>9}{'expected':>10}{'z':>7}{'z by seed':>11}"
    lines = [
        f"{name:<44}{row.fights:>8}{row.won / row.fights:>9.2%}"
        f"{row.expected / row.fights:>10.2%}{row.z:>+7.2f}{row.z_by_seed:>+11.2f}"
        for name, row in table.items()
    ]
    return "\n".join([head, *lines])


@click.command(help=__doc__)
@click.option("--fights", default=50_000, show_default=True, help="How many at least.")
@click.option("--seed", default=1, show_default=True)
@click.option("--seeds", default=0, help="Share so many among all matches; 0: each its own.")
@click.option("--starters", is_flag=True, help="Matches of the starter bots.")
def main(fights: int, seed: int, seeds: int, starters: bool) -> None:
    trials: list[Trial] = []
    last: list[Trial] = []
    number = 0
    while len(trials) < fights:
        match_seed = derive_seed(seed, f"fights/{number % seeds if seeds else number}")
        collector = play(number, match_seed, with_starters=starters)
        trials += collector.trials
        last += collector.last_in_cells
        number += 1
    click.echo(f"{len(trials)} fights in {number} matches\n\n{as_text(rows(trials))}")
    click.echo("\nonly the last fight in each cell, as the last board holds them (misleading)\n")
    click.echo(as_text(rows(last)))
