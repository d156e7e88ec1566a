"""Faults in reading, verifying and publishing replays."""

from tests.faults.seeded import SeededFault

REPLAY = "engine/replay.py"
VERIFYING = "engine/verifying.py"
OF_REPLAY = "tests/engine/test_replay.py"
UNTRUSTED = ("tests/engine/test_untrusted_replays.py",)

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
        "return Keyframe(state.turn, digest_of(state))",
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
        UNTRUSTED,
    ),
    SeededFault(
        "A result may have more scores than teams.",
        REPLAY,
        "            _require_of_all_teams(self.outcome.scores, len(self.bots))\n",
        "",
        (f"{OF_REPLAY}::test_a_line_that_no_recorder_wrote_is_refused_in_a_sentence_or_found",),
    ),
    SeededFault(
        "A line of any length is read.",
        "engine/stored_lines.py",
        "if len(line) > LONGEST_LINE:",
        "if len(line) > 1_000 * LONGEST_LINE:",
        UNTRUSTED,
    ),
    SeededFault(
        "A packed file of any size is unpacked.",
        "engine/stored_lines.py",
        "if count * BLOCK > MOST_UNPACKED:",
        "if count * BLOCK > 1_000 * MOST_UNPACKED:",
        UNTRUSTED,
    ),
    SeededFault(
        "The public view of a match has its seed.",
        "engine/public_replay.py",
        "replace(spec, seed=NO_SEED)",
        "replace(spec)",
        ("tests/engine/test_public_copy.py", "tests/server/test_watching.py"),
    ),
    SeededFault(
        "The public view has the decisions of games with hidden orders.",
        "engine/public_replay.py",
        "                if game.open_information:\n                    known.append(entry)",
        "                known.append(entry)",
        ("tests/engine/test_public_copy.py", "tests/server/test_watching.py"),
    ),
)
