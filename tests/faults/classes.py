"""Faults in groups of people, and in what an organizer of a class sees."""

from tests.faults.seeded import SeededFault

OF_SOURCES = "tests/server/bots/test_source_folder.py"
OF_GROUPS = "tests/server/groups/test_groups.py"
OF_SHARING = "tests/server/bots/test_sharing.py"
OF_FORMS = "tests/server/contests/test_contest_forms.py"
OF_GRADING = "tests/server/groups/test_grading.py"


FAULTS = (
    SeededFault(
        "Everybody enters a ladder that is for a group.",
        "runners/contests/entries.py",
        "if group is None:\n        return\n    where",
        "if group is not None:\n        return\n    where",
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
        "        if group is not None:\n            give_back()\n",
        "        give_back()\n        if group is not None:\n",
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
        "server/groups/group_pages.py",
        "and_(versions.c.state.not_in(NEVER_SHOWN), ~_is_hidden_by_freeze())",
        "versions.c.state.not_in(NEVER_SHOWN)",
        (f"{OF_GRADING}::test_members_see_of_others_what_everybody_sees",),
    ),
    SeededFault(
        "Who was only invited to share a bot is one of its authors.",
        "runners/contests/authors.py",
        "where = coauthors.c.bot == bots.c.id, coauthors.c.accepted_at.is_not(None)",
        "where = (coauthors.c.bot == bots.c.id,)",
        (f"{OF_SHARING}::test_who_has_yet_to_say_yes_or_shares_it_no_more_is_a_stranger",),
    ),
    SeededFault(
        "A co-author withdraws a bot.",
        "server/bots/bots_part.py",
        "if bot.person_id != request.me.id:",
        "if not bot.is_by(request.me.id):",
        (f"{OF_SHARING}::test_only_the_owner_withdraws_it_and_decides_who_shares_it",),
    ),
    SeededFault(
        "A shared bot meets another bot of its co-author.",
        "runners/contests/ladder_fixtures.py",
        "authors=author_ids(row)",
        "authors=frozenset([row.person])",
        (f"{OF_SHARING}::test_bots_with_an_author_in_common_do_not_meet",),
    ),
    SeededFault(
        "What a shared bot has used of a day counts for its owner alone.",
        "runners/contests/ladder_contest.py",
        "for author in author_ids(row):",
        "for author in [row.person]:",
        (f"{OF_SHARING}::test_what_a_shared_bot_uses_of_a_day_counts_for_all_of_its_authors",),
    ),
    SeededFault(
        "A shared bot plays no more when its owner leaves.",
        "server/contests/contests_part.py",
        "        self._sharing.forget(person_id)\n",
        "        return\n",
        (f"{OF_SHARING}::test_a_shared_bot_goes_to_its_oldest_co_author_when_its_owner_leaves",),
    ),
    SeededFault(
        "A version that did not pass its checks is exported as the newest.",
        "server/bots/source_folder.py",
        "        .where(versions.c.state.not_in(NEVER_SHOWN))\n",
        "",
        (OF_SOURCES,),
    ),
    SeededFault(
        "The starter bots are exported with those of people.",
        "server/bots/source_folder.py",
        "        .where(bots.c.person != BUILT_IN_OWNER)\n",
        "",
        (OF_SOURCES,),
    ),
    SeededFault(
        "Of several fields that were typed wrongly one is named.",
        "server/contests/contest_forms.py",
        "        if errors:\n            raise BadForm(errors)",
        "        if errors:\n            raise BadForm(dict([errors.popitem()]))",
        (f"{OF_FORMS}::test_what_is_wrong_is_said_at_each_field",),
    ),
)
