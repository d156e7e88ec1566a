"""Faults in the rules of Game of Death."""

from tests.faults.seeded import SeededFault

GAME = "engine/games/game_of_death"
TESTS = "tests/engine/games/game_of_death"
ATTACKS = (f"{TESTS}/test_attacks.py",)
MOVEMENT = (f"{TESTS}/test_movement.py",)
FLAGS = (f"{TESTS}/test_flags.py",)
DYING = (f"{TESTS}/test_dying.py",)
ACTIONS = (f"{TESTS}/test_actions.py",)
FOUR = (f"{TESTS}/test_four.py",)
ARMIES = "tests/playerCode/test_armies.py"
PAIRS = (f"{TESTS}/test_pairs.py",)

FAULTS = (
    SeededFault(
        "An attack is met by the strongest of the sides that it hits.",
        f"{GAME}/attacks.py",
        "if taken.defense is None or defense < taken.defense:",
        "if taken.defense is None or defense > taken.defense:",
        ATTACKS,
    ),
    SeededFault(
        "The side away from the attacker defends.",
        f"{GAME}/attacks.py",
        "geometry.sides[(direction + 2 - victim.facing) % 4]",
        "geometry.sides[(direction - victim.facing) % 4]",
        ATTACKS,
    ),
    SeededFault(
        "An attack goes through bodies.",
        f"{GAME}/attacks.py",
        "                hits.add(hit_id)\n                break\n",
        "                hits.add(hit_id)\n                continue\n",
        ATTACKS,
    ),
    SeededFault(
        "An attack's lane is a cell too long.",
        f"{GAME}/attacks.py",
        "most = settings.range_factor * geometry.size",
        "most = settings.range_factor * geometry.size + 1",
        ATTACKS,
    ),
    SeededFault(
        "A shape may attack again a turn too early.",
        f"{GAME}/rules.py",
        "turn - attacked <= gap",
        "turn - attacked < gap",
        (*ACTIONS, *ATTACKS),
    ),
    SeededFault(
        "The dying lose hp.",
        f"{GAME}/rules.py",
        "    if shape.dying_since:\n        return shape.hp\n",
        "",
        (*DYING, *ATTACKS),
    ),
    SeededFault(
        "A move is made a turn too early.",
        f"{GAME}/movement.py",
        "turn - shape.pending_since + 1 >= battle.geometry(shape).speed",
        "turn - shape.pending_since + 2 >= battle.geometry(shape).speed",
        MOVEMENT,
    ),
    SeededFault(
        "Of two shapes that want a cell the first one gets it.",
        f"{GAME}/movement.py",
        "blocked |= {shape_id, other}",
        "blocked.add(shape_id)",
        MOVEMENT,
    ),
    SeededFault(
        "Who follows a blocked shape moves into it.",
        f"{GAME}/movement.py",
        "    _propagate_blocking(battle, wanted, blocked)\n    return",
        "    return",
        MOVEMENT,
    ),
    SeededFault(
        "Two shapes swap their places.",
        f"{GAME}/movement.py",
        "if other not in wanted or _enters_cell_of(battle, wanted[other], shape_id):",
        "if other not in wanted:",
        MOVEMENT,
    ),
    SeededFault(
        "A capture takes a turn more.",
        f"{GAME}/flags.py",
        "battle.turn - battle.settings.capture_turns + 1",
        "battle.turn - battle.settings.capture_turns",
        FLAGS,
    ),
    SeededFault(
        "Of those that began together the one placed last gets the flag.",
        f"{GAME}/flags.py",
        "taker = first[0]",
        "taker = first[-1]",
        FLAGS,
    ),
    SeededFault(
        "A dying shape may capture.",
        f"{GAME}/flags.py",
        "    if shape.dying_since:\n        return ev.Reason.DYING\n",
        "",
        (*FLAGS, *DYING),
    ),
    SeededFault(
        "A dying bearer keeps the flag.",
        f"{GAME}/rules.py",
        "        if bearer in dying:\n",
        "        if bearer in dying and battle.teams > 2:\n",
        (*FLAGS, *DYING),
    ),
    SeededFault(
        "A shape heals in the turn of a hit.",
        f"{GAME}/rules.py",
        "        and shape.calm_from != turn\n",
        "",
        DYING,
    ),
    SeededFault(
        "A type is disclosed at just the share that must be exceeded.",
        f"{GAME}/victory.py",
        "killed * 100 > percent * drawn.count",
        "killed * 100 >= percent * drawn.count",
        DYING,
    ),
    SeededFault(
        "A tied match is compared by the hp taken before kills.",
        f"{GAME}/victory.py",
        "        kills=count_kills(battle, team),\n        hp_taken=battle.hp_taken[team - 1],",
        "        kills=battle.hp_taken[team - 1],\n        hp_taken=count_kills(battle, team),",
        DYING,
    ),
    SeededFault(
        "An attack without strength contributes to a kill.",
        f"{GAME}/attacks.py",
        "if strength and battle.piece_team(hit_id) not in group:",
        "if battle.piece_team(hit_id) not in group:",
        DYING,
    ),
    SeededFault(
        "Suicide under fire is no kill.",
        f"{GAME}/rules.py",
        "tuple(one for one in dying if killers[one]))",
        "tuple(one for one in dying if one in killed and killers[one]))",
        DYING,
    ),
    SeededFault(
        "An army is told whose attack hit its shapes.",
        f"{GAME}/sight.py",
        "return ev.Damaged(owner, event.ids, event.hps) if owner == team else None",
        "return event if owner == team else None",
        DYING,
    ),
    SeededFault(
        "A kill of both partners counts twice for their pair.",
        f"{GAME}/state.py",
        "        battle.group_kills[number] += sum(",
        "        battle.group_kills[number] += 2 * sum(",
        PAIRS,
    ),
    SeededFault(
        "The flags that a pair brought home count nothing after the last turn.",
        f"{GAME}/victory.py",
        "sum(battle.delivered[one - 1] for one in group) if left and not is_winner else 0",
        "0",
        PAIRS,
    ),
    SeededFault(
        "A partner is seen as an enemy.",
        f"{GAME}/sight.py",
        "(friendly if owner in partners else hostile).append(shape)",
        "hostile.append(shape)",
        PAIRS,
    ),
    SeededFault(
        "A designer may place more cells than there are.",
        f"{GAME}/player.py",
        "0 < len(cells) <= self.settings.max_cells - len(self._taken)",
        "0 < len(cells) <= self.settings.max_cells",
        (f"{TESTS}/test_fits.py",),
    ),
    SeededFault(
        "Of more than two, a team is ranked below those that it beat.",
        f"{GAME}/victory.py",
        "float(sum(other < merit for other in merits))",
        "float(sum(other > merit for other in merits))",
        FOUR,
    ),
    SeededFault(
        "The pikes come at bars from the front alone, where they are strong.",
        "playerCode/game_of_death/player_six.py",
        'drawing = "\\n".join("#" * 21)',
        'drawing = "#" * 21',
        (f"{ARMIES}::test_an_army_that_never_moves_is_beaten_by_the_pikes[player_seven]",),
    ),
)
