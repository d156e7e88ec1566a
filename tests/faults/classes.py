"""Faults in groups of people, and in what an organizer of a class sees."""

from tests.faults.seeded import SeededFault

OF_GROUPS = "tests/server/groups/test_groups.py"
OF_GRADING = "tests/server/groups/test_grading.py"


FAULTS = (
    SeededFault(
        "Everybody enters a ladder that is for a group.",
        "runners/contests/ladders.py",
        "if ladder.only_group is None:\n        return\n    mine",
        "if ladder.only_group is not None:\n        return\n    mine",
        (
            f"{OF_GROUPS}::test_a_ladder_for_one_group_takes_in_bots_of_its_members_and_says_so_to_others",
        ),
    ),
    SeededFault(
        "Everybody sees the page of a group.",
        "server/groups/group_pages.py",
        "if group is None or not (is_in or me.is_organizer):",
        "if group is None:",
        (f"{OF_GROUPS}::test_only_members_and_organizers_see_a_group",),
    ),
    SeededFault(
        "Codes of groups can be guessed without end.",
        "server/groups/group_pages.py",
        "request.require(self._wrong_codes, me.id, what)",
        "str(what)",
        (f"{OF_GROUPS}::test_wrong_codes_are_refused_and_soon_no_more_are_looked_at",),
    ),
    SeededFault(
        "Who leaves a group stays on the ladders that are for it alone.",
        "server/groups/groups.py",
        "            _withdraw_bots(connection, group_id, person_id)\n",
        "",
        (f"{OF_GROUPS}::test_members_leave_and_are_taken_out_and_their_bots_with_them",),
    ),
    SeededFault(
        "Members see what others have handed in while a ladder is frozen.",
        "server/groups/hand_ins.py",
        "and_(versions.c.state.not_in(NEVER_SHOWN), ~_is_hidden_by_freeze())",
        "versions.c.state.not_in(NEVER_SHOWN)",
        (f"{OF_GRADING}::test_members_see_of_others_what_everybody_sees",),
    ),
)
