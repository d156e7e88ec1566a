"""Faults in reading, verifying and publishing replays."""

from tests.faults.seeded import SeededFault

REPLAY = "engine/replays/reading.py"
VERIFYING = "engine/replays/verifying.py"
OF_REPLAY = "tests/engine/test_replay.py"
GROWING = "tests/visualizer/backends/page/test_growing.py"
PUBLIC = (f"{GROWING}::test_the_public_is_told_no_seed_and_no_order_of_a_game_with_secrets",)
UNTRUSTED = "tests/engine/test_untrusted_replays.py"

FAULTS = (
    SeededFault(
        "A changed event is not found.",
        VERIFYING,
        "if replayed != recorded:",
        "if type(replayed) is not type(recorded):",
        (f"{OF_REPLAY}::test_a_changed_entry_is_found_where_it_was_changed",),
    ),
    SeededFault(
        "A changed keyframe is not found.",
        VERIFYING,
        "return Keyframe(state.turn, compute_state_digest(state))",
        "return recorded",
        (f"{OF_REPLAY}::test_a_changed_keyframe_is_found",),
    ),
    SeededFault(
        "A replay of other rules is verified under those of today.",
        VERIFYING,
        "if spec.rules_version != game.rules_version:",
        "if spec.rules_version > game.rules_version + 1_000_000:",
        (f"{OF_REPLAY}::test_another_version_of_the_rules_is_refused",),
    ),
    SeededFault(
        "A turn is shown as it was before its last line.",
        REPLAY,
        "bisect_right(self._turns, turn)",
        "bisect_right(self._turns, turn) - 1",
        (f"{OF_REPLAY}::test_every_turn_can_be_looked_at",),
    ),
    SeededFault(
        "A keyframe of a later turn is taken.",
        REPLAY,
        "if at <= turn]",
        "if at <= turn + 1]",
        (f"{OF_REPLAY}::test_every_turn_can_be_looked_at",),
    ),
    SeededFault(
        "A fault of a team that there is not is read.",
        REPLAY,
        "            if not 1 <= aside.team <= len(self.bots):\n"
        '                raise ValueError(f"a fault of team {aside.team}")\n',
        "",
        (f"{UNTRUSTED}::test_a_fault_of_nobody_is_refused",),
    ),
    SeededFault(
        "A result may have more scores than teams.",
        REPLAY,
        "            _require_of_all_teams(self.outcome.scores, len(self.bots))\n",
        "",
        (f"{UNTRUSTED}::test_a_result_with_scores_of_other_teams_is_refused",),
    ),
    SeededFault(
        "A packed file of any size is unpacked.",
        "engine/replays/lines.py",
        "if count * BLOCK_BYTES > MAX_UNPACKED_BYTES:",
        "if count * BLOCK_BYTES > 1_000 * MAX_UNPACKED_BYTES:",
        (f"{UNTRUSTED}::test_a_packed_file_that_holds_too_much_is_refused",),
    ),
    SeededFault(
        "The public view of a match has its seed.",
        "engine/replays/public_copy.py",
        "replace(spec, seed=NO_SEED)",
        "replace(spec)",
        PUBLIC,
    ),
    SeededFault(
        "The public view has the decisions of games with hidden orders.",
        "engine/replays/public_copy.py",
        "                if game.open_information:\n                    known.append(entry)",
        "                known.append(entry)",
        PUBLIC,
    ),
)
