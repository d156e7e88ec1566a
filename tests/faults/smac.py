"""Faults in the rules of SMAC."""

from tests.faults.seeded import SeededFault

GAME = "engine/games/smac"
TESTS = "tests/engine/games/smac"
GROWTH = (f"{TESTS}/test_growth.py",)
PRODUCTION = (f"{TESTS}/test_production.py",)
SPECIALS = (f"{TESTS}/test_specials.py",)
VICTORY = (f"{TESTS}/test_victory.py",)

FAULTS = (
    SeededFault(
        "A draft hints at a level after which the bank has nothing for a stack.",
        f"{GAME}/drafts.py",
        "sheet.points >= sheet.to_next_level(name) + cost",
        "sheet.points >= sheet.to_next_level(name)",
        (f"{TESTS}/test_drafts.py::test_a_level_is_hinted_at_if_a_stack_can_be_paid_after_it",),
    ),
    SeededFault(
        "An attack that only equals the defense wins.",
        f"{GAME}/combat.py",
        "if attack > fighters[enemy].defense_with(raw[enemy]):",
        "if attack >= fighters[enemy].defense_with(raw[enemy]):",
        (f"{TESTS}/test_combat.py::test_5_6_the_higher_cinit_attacks_first_in_every_round",),
    ),
    SeededFault(
        "A hill weakens its owner and a dip protects it.",
        f"{GAME}/combat.py",
        "RELIEF if self.terrain & HILL else -RELIEF if self.terrain & DIP else 0",
        "-RELIEF if self.terrain & HILL else RELIEF if self.terrain & DIP else 0",
        (f"{TESTS}/test_combat.py::test_5_7_the_setting_reaches_the_fight",),
    ),
    SeededFault(
        "An invader's defense falls below 0 in a dip.",
        f"{GAME}/combat.py",
        "max(0, height))",
        "height)",
        (
            f"{TESTS}/test_combat.py::test_5_7_with_the_seeds_defense_terrain_helps_and_harms_an_invader",
        ),
    ),
    SeededFault(
        "A fight has a round more than its limit.",
        f"{GAME}/combat.py",
        "rounds < dish.settings.combat_round_limit",
        "rounds <= dish.settings.combat_round_limit",
        (f"{TESTS}/test_combat.py::test_5_9_the_limit_is_a_setting",),
    ),
    SeededFault(
        "A stack that is out still attacks in this round.",
        f"{GAME}/combat.py",
        "if team not in raw or not enemies:\n                continue",
        "if not enemies or raw.setdefault(team, 1) < 1:\n                continue",
        (f"{TESTS}/test_combat.py::test_5_6_the_higher_cinit_attacks_first_in_every_round",),
    ),
    SeededFault(
        "A team grows in its own cells.",
        f"{GAME}/growth.py",
        "return enough & ~owned & ~(unowned & stacks) & ~full",
        "return enough & ~(unowned & stacks) & ~full",
        GROWTH,
    ),
    SeededFault(
        "Stacks grow beyond the stacking level.",
        f"{GAME}/growth.py",
        "return enough & ~owned & ~(unowned & stacks) & ~full",
        "return enough & ~owned & ~(unowned & stacks)",
        GROWTH,
    ),
    SeededFault(
        "A stack dies with just enough support.",
        f"{GAME}/growth.py",
        "dish.settings.min_support)",
        "dish.settings.min_support + 1)",
        GROWTH,
    ),
    SeededFault(
        "A stack at the edge is reduced for what lies beyond.",
        f"{GAME}/growth.py",
        "firm = grid.full & ~grid.spread(grid.full & ~standing)",
        "firm = grid.inner & ~grid.spread(grid.full & ~standing)",
        GROWTH,
    ),
    SeededFault(
        "The neighbors of the last column are counted across the edge.",
        f"{GAME}/grid.py",
        "left, right = (mask & self._not_last) >> 1, (mask & self._not_first) << 1",
        "left, right = mask >> 1, (mask & self._not_first) << 1",
        (f"{TESTS}/test_grid.py::test_2_1_no_neighbor_is_across_the_edge",),
    ),
    SeededFault(
        "A bare cell takes nothing off the production.",
        f"{GAME}/production.py",
        "max(0, points - 100) if terrain & BARE else points",
        "points",
        PRODUCTION,
    ),
    SeededFault(
        "Productivity counts twice.",
        f"{GAME}/production.py",
        "(10 + dish.team(team).levels.productivity)",
        "(10 + 2 * dish.team(team).levels.productivity)",
        PRODUCTION,
    ),
    SeededFault(
        "A blight does not lower the income.",
        f"{GAME}/rules.py",
        "income = team.production // 2 if team.blighted_in == dish.turn else team.production",
        "income = team.production",
        (*PRODUCTION, *SPECIALS),
    ),
    SeededFault(
        "A special may be aimed at the user's own team.",
        f"{GAME}/specials.py",
        "if other is not None and other != team and other in dish.playing:",
        "if other is not None and other in dish.playing:",
        SPECIALS,
    ),
    SeededFault(
        "Specials are carried out by initiative, not in the order of the table.",
        f"{GAME}/specials.py",
        "return sorted(teams, key=lambda team: ORDER_OF_SPECIALS.index(uses[team].special))",
        "return teams",
        SPECIALS,
    ),
    SeededFault(
        "A tie of the highest production ends the match.",
        f"{GAME}/rules.py",
        "return is_alone and total > 0 and",
        "return total > 0 and",
        VICTORY,
    ),
    SeededFault(
        "The share of production must be above its threshold.",
        f"{GAME}/rules.py",
        "100 * best >= threshold_pct * total",
        "100 * best > threshold_pct * total",
        VICTORY,
    ),
    SeededFault(
        "Tied teams are ranked by height before cells.",
        f"{GAME}/rules.py",
        "return dish.team(team).production, len(layer) - layer.count(0), sum(layer)",
        "return dish.team(team).production, sum(layer), len(layer) - layer.count(0)",
        VICTORY,
    ),
)
