"""Faults in the environments for learners."""

from tests.faults.seeded import SeededFault

TESTS = "tests/learning"
MATCH = "learning/agent_match.py"
READINGS = "tests/contract/test_second_readings.py"

FAULTS = (
    SeededFault(
        "The reward for the lead knows what happens out of sight.",
        MATCH,
        "self.game.standing(stepper.known[team]).scores",
        "self.game.standing(stepper.state).scores",
        (f"{TESTS}/test_out_of_sight.py::test_the_lead_pays_for_unknown_kills_at_the_end_alone",),
    ),
    SeededFault(
        "Agents that are out leave before the match is over.",
        "learning/match_env.py",
        "        if self.match.is_over:\n            self.terminations",
        "        if self.rewards:\n            self.terminations",
        (f"{TESTS}/test_out_of_sight.py", f"{TESTS}/test_match_env.py"),
    ),
    SeededFault(
        "Offers to end a half are legal when they are not wanted.",
        "learning/encodings/smack.py",
        "if offers else pairs",
        "if not offers else pairs",
        (f"{TESTS}/test_smack_moves.py::test_a_mask_has_the_orders_that_the_game_lists",),
    ),
    SeededFault(
        "The default army stands on the home.",
        "learning/encodings/game_of_death.py",
        "top + HEIGHT <= home_v or top >= last",
        "top + HEIGHT <= home_v or top >= home_v",
        (f"{TESTS}/test_default_army.py",),
    ),
    SeededFault(
        "True is an action.",
        "learning/match_views.py",
        "not isinstance(action, bool | np.bool_) and ",
        "",
        (f"{TESTS}/test_match_env.py::test_an_action_that_is_no_whole_number_is_refused",),
    ),
    SeededFault(
        "A box has no numbers.",
        "learning/observations.py",
        "np.broadcast_to(numbers[:, None, None], shape)",
        "np.zeros(shape, np.int32)",
        (f"{TESTS}/test_observation_forms.py::test_further_planes_are_full_of_the_numbers",),
    ),
    SeededFault(
        "A team that has submitted may go on in a parallel environment.",
        "learning/parallel_env.py",
        "is_legal = number == WAIT",
        "is_legal = True",
        (f"{TESTS}/test_parallel_env.py",),
    ),
    SeededFault(
        "What a team gains while others decide is lost.",
        "learning/single_agent.py",
        "reward += self._play_others()",
        "self._play_others()",
        (
            f"{TESTS}/test_single_agent.py::test_a_team_is_asked_until_the_match_is_over_and_gets_its_result",
        ),
    ),
    SeededFault(
        "The arrays of Slime Mind do not know the setting of what a MERGE heals.",
        "learning/slime_mind/layout.py",
        "MERGE_HEALS: settings.merge_heals",
        "MERGE_HEALS: True",
        (f"{READINGS}::test_the_arrays_of_slime_mind_know_every_setting_but_that_of_a_picture",),
    ),
    SeededFault(
        "Rules that are not compiled warn of numbers that wrap around.",
        "learning/slime_mind/compiled.py",
        'return np.errstate(over="ignore")(function)',
        "return function",
        (
            f"{TESTS}/test_compiled.py::test_without_compilation_a_debugger_steps_through_the_same_rules",
        ),
    ),
    SeededFault(
        "What was compiled is used when the engine's rules have changed.",
        "learning/slime_mind/compiled.py",
        '(HERE, ENGINE_FOLDER / "games" / "slime_mind")',
        "(HERE,)",
        (
            f"{TESTS}/test_compiled.py::test_rules_that_changed_have_another_folder_and_the_outdated_one_is_removed",
        ),
    ),
    SeededFault(
        "An environment of the Game of Death does not offer every command.",
        "learning/encodings/game_of_death.py",
        "ListedChoice(dict(enumerate(Command)))",
        "ListedChoice(dict(enumerate([*Command][:-1])))",
        (f"{READINGS}::test_an_environment_offers_what_the_rules_allow_and_plays_what_they_say",),
    ),
)
