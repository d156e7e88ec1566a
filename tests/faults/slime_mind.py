"""Faults in the rules of Slime Mind."""

from tests.faults.seeded import SeededFault

RULES = "engine/games/slime_mind/rules.py"
TESTS = "tests/engine/games/slime_mind"
COMMANDS = (f"{TESTS}/test_rules_commands.py",)
ROUND = (f"{TESTS}/test_rules_round.py",)
END = (f"{TESTS}/test_rules_end.py",)
STAGES = (f"{TESTS}/test_rules_turn.py",)

FAULTS = (
    SeededFault(
        "The hint about a config.py names the first setting alone.",
        "runners/configuration.py",
        "for field in first_settings if field in lines]",
        "for field in first_settings if field in lines][:1]",
        ("tests/runners/test_configuration.py",),
    ),
    SeededFault(
        "A slime whose level rises loses the fraction of its hp.",
        RULES,
        "-(-slime.current_hp * row.max_hp // slime.max_hp)",
        "slime.current_hp * row.max_hp // slime.max_hp",
        ROUND,
    ),
    SeededFault(
        "A slime whose level falls keeps more hp than it can have.",
        RULES,
        "hp = min(slime.current_hp, row.max_hp)",
        "hp = max(slime.current_hp, row.max_hp)",
        ROUND,
    ),
    SeededFault(
        "A split rounds halves down.",
        RULES,
        "(2 * xp + divisor) // (2 * divisor)",
        "(2 * xp + divisor - 1) // (2 * divisor)",
        COMMANDS,
    ),
    SeededFault(
        "A slime must be above the split level to split.",
        RULES,
        "slime.level < settings.min_split_level",
        "slime.level <= settings.min_split_level",
        COMMANDS,
    ),
    SeededFault(
        "Of two friends with as much xp the younger is absorbed.",
        RULES,
        "(other.xp, -other.id)",
        "(other.xp, other.id)",
        COMMANDS,
    ),
    SeededFault(
        "A slime merges with a ready enemy.",
        RULES,
        "isinstance(piece, Slime) and piece.team == slime.team and piece.ready_to_merge",
        "isinstance(piece, Slime) and piece.ready_to_merge",
        COMMANDS,
    ),
    SeededFault(
        "A bite heals beyond the max hp.",
        RULES,
        "hp = min(slime.max_hp, slime.current_hp + settings.bite_hp)",
        "hp = slime.current_hp + settings.bite_hp",
        COMMANDS,
    ),
    SeededFault(
        "What is bitten to 0 hp stays on the board.",
        RULES,
        "return (bitten,) if target_hp else (bitten, Died(target.id, slime.id))",
        "return (bitten,)",
        COMMANDS,
    ),
    SeededFault(
        "With y upwards a bite goes the other way.",
        RULES,
        "target = board.at.get((slime.x + dx, slime.y + (-dy if settings.y_up else dy)))",
        "target = board.at.get((slime.x + dx, slime.y + dy))",
        COMMANDS,
    ),
    SeededFault(
        "Team 2 begins on odd turns.",
        RULES,
        "TEAMS if board.turn % 2 else reversed(TEAMS)",
        "reversed(TEAMS) if board.turn % 2 else TEAMS",
        STAGES,
    ),
    SeededFault(
        "A plant spreads a seed in the round in which it is full-grown.",
        RULES,
        "        elif random() * 100 < settings.plant_seed_chance_pct:",
        "        if random() * 100 < settings.plant_seed_chance_pct:",
        STAGES,
    ),
    SeededFault(
        "A plant gains a whole level's hp as it grows.",
        RULES,
        "plant.current_hp + max_hp // 2",
        "plant.current_hp + max_hp",
        STAGES,
    ),
    SeededFault(
        "A match goes on until both teams are gone.",
        RULES,
        "if not (board.slimes_of[1] and board.slimes_of[2]):",
        "if not (board.slimes_of[1] or board.slimes_of[2]):",
        STAGES,
    ),
    SeededFault(
        "A match has a turn less than its settings say.",
        RULES,
        "if board.turn == board.settings.max_turns:",
        "if board.turn == board.settings.max_turns - 1:",
        END,
    ),
    SeededFault(
        "Levels are not updated before the scores are counted.",
        RULES,
        "        yield from update_level(slime)\n    yield MatchEnded",
        "        yield from ()\n    yield MatchEnded",
        END,
    ),
    SeededFault(
        "A merge heals though it should not.",
        RULES,
        "hp = slime.max_hp if board.settings.merge_heals else slime.current_hp",
        "hp = slime.max_hp",
        COMMANDS,
    ),
)
