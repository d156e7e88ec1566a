"""The end of a match: who has won, and what is disclosed (docs/rules/game_of_death.md 7 and 8)."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from engine.game import Event, MatchEnded
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.ids_by_team import by_team
from engine.games.game_of_death.state import Battle

DELIVERY_REASON = "flag brought home"
ELIMINATION = "no living shapes"
KILLS_REASON = "enough kills"
LAST_TURN = "last turn"
ILLEGAL = "no legal army"
LAST_TEAM, NO_TEAM = "one team is left", "no team is left"
LAST_GROUP = "one group is left"


# -- two teams --------------------------------------------------------------------------------


def end_match(battle: Battle, winners: Sequence[int], reason: str) -> Iterator[Event]:
    """End a match of two: with one winner, or by comparison (7.3); then disclose types (7.4)."""
    winner: int | None
    if len(winners) == 1:
        winner = winners[0]
    else:
        winner, by = compare(battle)
        reason = f"{reason}: {by}"
    yield from disclose(battle)
    yield make_match_end(battle, winner, reason)


def compare(battle: Battle) -> tuple[int | None, str]:
    """Return the team that is ahead, if any, and what decided it (rules 7.3)."""
    values = [make_comparison(battle, team) for team in battle.all_teams]
    killed = f"more {battle.settings.kill_target_counts} killed"
    for cell, by in enumerate(("the flag held", killed, "more hp taken")):
        first, second = (value[cell] for value in values)
        if first != second:
            return (1 if first > second else 2), by
    return None, "all equal"


def make_match_end(battle: Battle, winner: int | None, reason: str) -> MatchEnded:
    """Return the end with its scores: the winner's living cells, the loser 0 (rules 7.5)."""
    scores = tuple(
        float(max(1, battle.living_cells(team))) if team == winner else 0.0
        for team in battle.all_teams
    )
    return MatchEnded(scores, reason)


# -- more teams -------------------------------------------------------------------------------


def defeat(battle: Battle, teams: Collection[int], reason: str) -> list[Event]:
    """Return that these teams are out, and what becomes of flags (rules 8.3).

    Their shapes become bodies in the stage for that.
    """
    lost = (
        ev.FlagLost(battle.piece_team(bearer), owner)
        for owner, bearer in enumerate(battle.bearers, 1)
        if bearer and battle.piece_team(bearer) in teams and owner not in teams
    )
    in_vain = [shape_id for shape_id, owner in battle.captures.items() if owner in teams]
    stopped = (ev.CaptureStopped(team, ids) for team, ids in by_team(battle, in_vain))
    out = (ev.Defeated(team, reason, *make_comparison(battle, team)) for team in sorted(teams))
    return [*lost, *stopped, *out]


def surviving_teams(battle: Battle) -> list[int]:
    """Return the teams that are not defeated."""
    return [team for team in battle.all_teams if not battle.is_defeated(team)]


def count_surviving_groups(battle: Battle, alive: Collection[int]) -> int:
    """Return how many groups have one of these teams (rules 8.9); a team alone is a group."""
    return sum(not group.isdisjoint(alive) for group in battle.groups)


def end_with_ranking(battle: Battle, reason: str, winners: Collection[int] = ()) -> Iterator[Event]:
    """End a match of more than two: disclose types, and rank the teams (rules 8.4)."""
    yield from disclose(battle)
    yield MatchEnded(_rank_scores(battle, winners), reason)


def _rank_scores(battle: Battle, winners: Collection[int]) -> tuple[float, ...]:
    """Return each team's score: how many are placed below it (rules 8.4, 8.9)."""
    merit = _merit_of_group if battle.settings.groups else _ranking_key
    merits = [merit(battle, team, winners) for team in battle.all_teams]
    return tuple(float(sum(other < merit for other in merits)) for merit in merits)


def _ranking_key(battle: Battle, team: int, winners: Collection[int]) -> tuple[int, ...]:
    """Return what a team's place is decided by, the greater the better (rules 8.4)."""
    out = battle.defeats[team - 1]
    if out is None:
        is_winner = team in winners
        flags = 0 if is_winner else battle.delivered[team - 1]
        return (1, is_winner, flags, *make_comparison(battle, team))
    last = max(one.turn for one in battle.defeats if one is not None)
    if not surviving_teams(battle) and out.turn == last:
        return 0, *out
    return 0, out.turn


def _merit_of_group(battle: Battle, team: int, winners: Collection[int]) -> tuple[int, ...]:
    """Return what the place of a team's group is decided by, the greater the better (8.9)."""
    group = battle.team_group(team)
    number = battle.groups.index(group)
    left = [one for one in group if not battle.is_defeated(one)]
    is_winner = not group.isdisjoint(winners)
    return (
        bool(left),
        is_winner,
        # As among single teams, 7.3 alone decides between winners by kills, and if nobody is left.
        sum(battle.delivered[one - 1] for one in group) if left and not is_winner else 0,
        *Comparison(
            sum(_count_flags(battle, one) for one in left)
            if left
            else _flags_at_defeat(battle, group),
            battle.group_kills[number],
            battle.group_hp_taken[number],
        ),
    )


def _flags_at_defeat(battle: Battle, group: Collection[int]) -> int:
    """Return the flags that armies of a group held when they were defeated, now (rules 8.4)."""
    outs = (battle.defeats[team - 1] for team in group)
    return sum(out.flags for out in outs if out is not None and out.turn == battle.turn)


# -- any number of teams ----------------------------------------------------------------------


class Comparison(NamedTuple):
    """What is compared in a tie, in this order (rules 7.3)."""

    flags: int
    """The enemies' flags that it holds."""
    kills: int
    """The enemy shapes that it actively killed, or their cells (rules 8.7)."""
    hp_taken: int


def make_comparison(battle: Battle, team: int) -> Comparison:
    return Comparison(
        flags=_count_flags(battle, team),
        kills=count_kills(battle, team),
        hp_taken=battle.hp_taken[team - 1],
    )


def _count_flags(battle: Battle, team: int) -> int:
    return sum(bool(bearer) and battle.piece_team(bearer) == team for bearer in battle.bearers)


def scores_now(battle: Battle) -> tuple[float, ...]:
    """Return the scores of a match that runs: of many teams by places, of two by 7.3.

    They are kills, and a flag counts as much as all kills that there could be.
    """
    if battle.teams > 2:
        return _rank_scores(battle, ())
    values = [make_comparison(battle, team) for team in battle.all_teams]
    return tuple(float(one.flags * battle.settings.max_cells + one.kills) for one in values)


def teams_with_enough_kills(battle: Battle) -> list[int]:
    """Return the teams that killed as much as wins; none if none do (rules 8.7)."""
    target = battle.settings.kill_target
    if not target:
        return []
    if battle.settings.groups:
        pairs = zip(battle.groups, battle.group_kills, strict=True)
        return sorted(team for group, kills in pairs if kills >= target for team in group)
    return [
        team
        for team in battle.all_teams
        if not battle.is_defeated(team) and count_kills(battle, team) >= target
    ]


def count_kills(battle: Battle, team: int) -> int:
    """Return what a team actively killed of its enemies: cells, or shapes (rules 8.7)."""
    return sum(
        count * battle.settings.kill_value(geometry.size)
        for enemy in battle.enemy_teams(team)
        for count, geometry in zip(
            battle.killed[battle.pair_index(enemy, team)], battle.geometries[enemy - 1], strict=True
        )
    )


def disclose(battle: Battle) -> Iterator[Event]:
    """Say which types each team may read from now on (rules 7.4, 8.5)."""
    for team in battle.all_teams:
        for enemy in battle.enemy_teams(team):
            types = find_disclosed_types(battle, team, enemy)
            if types and battle.teams == 2:
                yield ev.Disclosed(team, types)
            elif types:
                yield ev.DisclosedOf(team, enemy, types)


def find_disclosed_types(battle: Battle, team: int, enemy: int) -> tuple[int, ...]:
    """Return an enemy's types of which the team killed more than `disclosure_pct` (rules 7.4)."""
    percent = battle.settings.disclosure_pct
    pairs = zip(battle.types[enemy - 1], battle.killed[battle.pair_index(enemy, team)], strict=True)
    return tuple(
        number
        for number, (drawn, killed) in enumerate(pairs)
        # In integers: 4 of 5 is exactly 80 %, and not more (rules 9.14).
        if killed * 100 > percent * drawn.count
    )
