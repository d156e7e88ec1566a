"""Faults in what keeps bots and people from what is not theirs."""

from tests.faults.seeded import SeededFault

OF_EXCERPTS = "tests/cli/test_fault_excerpts.py"
OF_SIGN_IN = "tests/server/accounts/test_sign_in_limits.py"
OF_LIMITS = "tests/server/identity/test_rate_limits.py"
OF_TABLE = "tests/server/http/test_limits.py"
OF_ACCOUNTS = "tests/server/accounts/test_account_pages.py"
OF_SANDBOX = "tests/engine/bots/test_sandbox.py"
OF_FILES = "tests/engine/bots/test_own_files.py"
WHO = ("tests/server/test_who_may_what.py::test_everybody_may_do_what_they_may_and_nothing_else",)

FAULTS = (
    SeededFault(
        "Everybody who is signed in is an organizer.",
        "server/http/permissions.py",
        "if not require_person(visitor).is_organizer:",
        "if require_person(visitor).is_banned:",
        WHO,
    ),
    SeededFault(
        "A version of somebody else's bot may be read.",
        "server/bots/bots_part.py",
        "if not (bot.is_by(me.id) or me.is_organizer):",
        "if not (bot.authors or me.is_organizer):",
        WHO,
    ),
    SeededFault(
        "A page of somebody else's may send forms.",
        "server/http/guard.py",
        'if origin and origin.partition("://")[2] != host_header(scope):',
        'if origin and not origin.partition("://")[2]:',
        (f"{OF_ACCOUNTS}::test_a_form_from_another_site_is_refused",),
    ),
    SeededFault(
        "Any host name will do.",
        "server/http/guard.py",
        "return host_header(scope) in self._hosts",
        "return bool(self._hosts)",
        (f"{OF_ACCOUNTS}::test_a_host_that_is_not_ours_is_refused",),
    ),
    SeededFault(
        "No password is needed where none was set.",
        "server/identity/passwords.py",
        "    return saved is not None\n",
        "    return True\n",
        (f"{OF_ACCOUNTS}::test_nothing_is_a_password_where_there_is_none",),
    ),
    SeededFault(
        "Passwords may be tried without end.",
        "server/identity/rate_limits.py",
        "if len(past) >= most:",
        "if len(past) > most:",
        (f"{OF_LIMITS}::test_a_limit_is_for_each_key_and_forgets",),
    ),
    SeededFault(
        "A try that one limit refuses counts for the others.",
        "server/http/limits.py",
        """            if wait_s:
""",
        """            if wait_s:
                for one, counting, keys in counted:
                    if one is not limit:
                        counting.count(*keys)
""",
        (f"{OF_TABLE}::test_a_try_that_one_limit_refuses_counts_for_no_other",),
    ),
    SeededFault(
        "A refusal says a second less than it lasts.",
        "server/http/limits.py",
        "max(1.0, wait_s)",
        "max(1.0, wait_s - 1)",
        (f"{OF_TABLE}::test_who_waits_as_long_as_a_refusal_says_is_let_in_and_nobody_before",),
    ),
    SeededFault(
        "Each address of a network counts by itself.",
        "server/identity/rate_limits.py",
        "return tuple(str(ip_network((known, bits), strict=False)) for bits in IPV6_NETWORKS)",
        "return (str(known),)",
        (f"{OF_LIMITS}::test_another_network_of_a_larger_one_with_each_request_gives_no_more",),
    ),
    SeededFault(
        "A guest's made-up cookie counts without the address.",
        "server/identity/rate_limits.py",
        'return (*(f"at {block}" for block in blocks), f"guest {self.cookie or blocks[-1]}")',
        'return (f"guest {self.cookie or blocks[-1]}",)',
        (f"{OF_LIMITS}::test_another_cookie_with_each_request_gives_an_address_no_more",),
    ),
    SeededFault(
        "Guests take all places, and members have none.",
        "server/http/limits.py",
        'most["guests"] = self._most // 2',
        'most["guests"] = self._most',
        (
            "tests/server/http/test_concurrency_limit.py::test_guests_of_many_addresses_leave_half_to_members",
        ),
    ),
    SeededFault(
        "Made-up names push a name out of those that are counted.",
        "server/http/limits.py",
        "            waits = [(counting",
        "            for _, counting, keys in counted:\n"
        "                counting.count(*keys)\n"
        "            waits = [(counting",
        (f"{OF_SIGN_IN}::test_made_up_names_push_no_other_out_of_what_is_counted",),
    ),
    SeededFault(
        "A new password leaves other devices signed in.",
        "server/accounts/account_pages.py",
        "        self._people.end_sessions(me.id, but=request.session_token)\n"
        "        request.note(",
        "        request.note(",
        (f"{OF_ACCOUNTS}::test_a_new_password_signs_out_all_other_devices",),
    ),
    SeededFault(
        "Who has a password may change it without knowing it.",
        "server/accounts/account_pages.py",
        'if current is not None and not is_password(current, request.field("old")):',
        'if current is None and not is_password(current, request.field("old")):',
        (f"{OF_ACCOUNTS}::test_a_password_is_set_changed_and_removed",),
    ),
    SeededFault(
        "A sign-in link leads to the page for a new account.",
        "server/accounts/account_pages.py",
        "if link is None or link.kind not in kinds:",
        "if link is None:",
        (f"{OF_ACCOUNTS}::test_a_sign_in_link_makes_no_account",),
    ),
    SeededFault(
        "Names that look alike are other names.",
        "server/identity/names.py",
        "return any(skeletons(other) & own for other in others)",
        "return name in others",
        (f"{OF_ACCOUNTS}::test_a_name_that_looks_like_anothers_is_taken",),
    ),
    SeededFault(
        "Invisible letters make another name.",
        "server/identity/names.py",
        'normalize("NFD", without_invisible(name))',
        'normalize("NFD", name)',
        ("tests/server/identity/test_names.py",),
    ),
    SeededFault(
        "Overlays are taken for marks that languages write.",
        "server/identity/names.py",
        "return any(mark in WRITTEN_MARKS.get(script, ()) for script in unique_aliases(base))",
        "return True",
        ("tests/server/identity/test_names.py",),
    ),
    SeededFault(
        "A sign-in link is good for a second time.",
        "server/identity/people.py",
        "            used_at=case((is_last, now()), else_=None),\n",
        "",
        (f"{OF_ACCOUNTS}::test_a_link_signs_in_on_another_device_once",),
    ),
    SeededFault(
        "A link for a class makes as many accounts as one likes.",
        "server/identity/people.py",
        "            uses_left=invitations.c.uses_left - 1,\n",
        "",
        (
            "tests/server/accounts/test_member_admin_pages.py::test_one_link_makes_the_accounts_of_a_class",
        ),
    ),
    SeededFault(
        "Orders given ahead are played before they are sent.",
        "server/games/game_sessions.py",
        "            if premoves is None or not premoves.is_sent or premoves.turn != self.turn:\n",
        "            if premoves is None or premoves.turn != self.turn:\n",
        ("tests/server/games/test_premoves.py",),
    ),
    SeededFault(
        "A friend's game of somebody without an account is listed in the lobby.",
        "server/games/lobby_pages.py",
        "and game.made_by is not None and game.made_by not in apart",
        "and game.made_by not in apart",
        (
            "tests/server/games/test_guest_pages.py::test_games_of_guests_are_not_listed_in_the_lobby",
        ),
    ),
    SeededFault(
        "A bot's folder may hold links.",
        "engine/bots/own_files.py",
        "    if S_ISLNK(about.st_mode):\n",
        "    if S_ISLNK(about.st_mode) and not path.exists():\n",
        (OF_FILES, "tests/engine/bots/test_finding.py"),
    ),
    SeededFault(
        "A bot may have a file more than the limit.",
        "engine/bots/own_files.py",
        "    if count > most:\n",
        "    if count > most + 1:\n",
        (f"{OF_FILES}::test_looking_at_a_folder_ends_at_the_limit",),
    ),
    SeededFault(
        "A file that grows while it is read is taken.",
        "engine/bots/own_files.py",
        "if not is_file or len(content) != file.size:",
        "if not is_file:",
        (f"{OF_FILES}::test_a_file_that_changes_after_it_was_looked_at_is_refused",),
    ),
    SeededFault(
        "A worker outlives its parent.",
        "engine/bots/sandbox/process.py",
        "    _call_prctl(PR_SET_PDEATHSIG, signal.SIGKILL)\n",
        "    _call_prctl(PR_SET_PDEATHSIG, 0)\n",
        (f"{OF_SANDBOX}::test_a_worker_ends_with_its_parent_and_is_read_by_nobody",),
    ),
    SeededFault(
        "A worker's memory may be read by other processes.",
        "engine/bots/sandbox/process.py",
        "    _call_prctl(PR_SET_DUMPABLE, 0)\n",
        "    _call_prctl(PR_SET_DUMPABLE, 1)\n",
        (f"{OF_SANDBOX}::test_a_worker_ends_with_its_parent_and_is_read_by_nobody",),
    ),
    SeededFault(
        "A worker may read every file.",
        "engine/bots/sandbox/filesystem.py",
        "        if_it_fails.pop_all()\n",
        '        ruleset.allow(Path("/"), load | list_too)\n        if_it_fails.pop_all()\n',
        (f"{OF_SANDBOX}::test_the_files_of_others_are_shut_off",),
    ),
    SeededFault(
        "A private file may be read by all.",
        "engine/support/files.py",
        "mode = FILE_MODE & _find_allowed_mode(path.parent)",
        "mode = FILE_MODE",
        ("tests/engine/test_privacy.py",),
    ),
    SeededFault(
        "Escapes of a terminal are printed.",
        "engine/support/sanitizing.py",
        "return letter.isprintable() and letter not in INVISIBLE_LETTERS",
        "return letter not in INVISIBLE_LETTERS",
        ("tests/engine/test_printable.py",),
    ),
    SeededFault(
        "A bot's fault shows a line of a file that is not the bot's.",
        "engine/bots/source_excerpts.py",
        'if ".." in Path(inside).parts or Path(inside).is_absolute():',
        "if inside == '..':",
        (f"{OF_EXCERPTS}::test_a_place_leads_to_no_file_that_is_not_the_bots",),
    ),
)
