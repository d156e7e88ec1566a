"""Faults in the rules of Smack!."""

from tests.faults.seeded import SeededFault

RULES = "engine/games/smack/rules.py"
POSITION = "engine/games/smack/position.py"
STATE = "engine/games/smack/state.py"
TESTS = "tests/engine/games/smack"
OF_RULES = (f"{TESTS}/test_rules.py",)
OF_MOVES = (f"{TESTS}/test_position.py",)
OF_PEOPLE = (f"{TESTS}/test_people.py",)

FAULTS = (
    SeededFault(
        "A game in which whoever copies draws is rated.",
        "server/games/new_games.py",
        "casual = () if is_rated else ",
        "casual = ",
        (
            "tests/server/games/test_lobby_pages.py::test_a_rated_game_says_so_and_takes_no_move_back",
        ),
    ),
    SeededFault(
        "Who forfeits a half gets its points.",
        RULES,
        "(0, MAX_POINTS) if offender == 1 else (MAX_POINTS, 0)",
        "(MAX_POINTS, 0) if offender == 1 else (0, MAX_POINTS)",
        OF_RULES,
    ),
    SeededFault(
        "A half goes on for a ply after too long without a capture.",
        RULES,
        "half.quiet >= settings.no_capture_limit",
        "half.quiet > settings.no_capture_limit",
        OF_RULES,
    ),
    SeededFault(
        "A half ends one repetition too late.",
        RULES,
        "half.seen[half.text] >= settings.repetition_limit",
        "half.seen[half.text] > settings.repetition_limit",
        OF_RULES,
    ),
    SeededFault(
        "An offer to end that the opponent did not make is enough.",
        RULES,
        "if had_offer and order.end else",
        "if order.end else",
        OF_RULES,
    ),
    SeededFault(
        "A late player's claim is counted against who claims.",
        RULES,
        "forfeit_half(half, 3 - act.team, Cause.LATE)",
        "forfeit_half(half, act.team, Cause.LATE)",
        OF_PEOPLE,
    ),
    SeededFault(
        "A player may claim the half in its own turn.",
        RULES,
        "if half.team_to_move != team:",
        "if half.team_to_move == team:",
        OF_PEOPLE,
    ),
    SeededFault(
        "The opening may have captures.",
        RULES,
        "[move for move in position.moves() if not position.captured_by(move)]",
        "list(position.moves())",
        OF_RULES,
    ),
    SeededFault(
        "The count of quiet plies goes on after a capture.",
        STATE,
        "half.quiet, half.seen = 0, {}",
        "half.seen = {}",
        OF_RULES,
    ),
    SeededFault(
        "Points go to the other team.",
        STATE,
        "is_first = event.team == 1",
        "is_first = event.team != 1",
        OF_RULES,
    ),
    SeededFault(
        "A nerd's attack is a square longer than its line.",
        POSITION,
        "                for _ in range(distance - 1):",
        "                for _ in range(distance):",
        (f"{TESTS}/test_position.py::test_4_2_a_hurl_goes_over_empty_squares_only",),
    ),
    SeededFault(
        "A bully may shove to where no nerd is beside.",
        POSITION,
        "yield (step, distance), reached & victims",
        "yield (step, distance), reached",
        (f"{TESTS}/test_position.py::test_the_bits_say_what_the_squares_say",),
    ),
    SeededFault(
        "A bully's move leaves the nerds beside it.",
        POSITION,
        "Position(self.nerds & ~BESIDE[move.target], self.bullies ^ moved, Side.NERDS)",
        "Position(self.nerds, self.bullies ^ moved, Side.NERDS)",
        (f"{TESTS}/test_position.py::test_5_2_a_step_takes_all_nerds_around",),
    ),
    SeededFault(
        "A captured bully is worth as much as a nerd.",
        POSITION,
        "(BULLY_POINTS if self.is_nerds_turn else NERD_POINTS)",
        "(NERD_POINTS if self.is_nerds_turn else NERD_POINTS)",
        OF_MOVES + OF_RULES,
    ),
)
