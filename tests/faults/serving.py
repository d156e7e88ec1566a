"""Faults in how a server is reached, what it keeps, and who may work on it."""

from tests.faults.seeded import SeededFault

OF_PATHS = "tests/server/http/test_public_path.py"
OF_SOCKETS = "tests/server/http/test_unix_socket.py"
OF_LISTENING = ("tests/server/http/test_listening.py",)
OF_LEASES = "tests/server/contests/test_on_postgresql.py"
OF_FILES = ("tests/server/operations/test_server_lock.py",)
OF_CLEANING = "tests/server/operations/test_cleaning.py"
OF_CLOCKS = ("tests/server/games/test_clocks.py",)
OF_MESSAGES = "tests/server/games/test_messages.py"
OF_LOBBY = "tests/server/games/test_lobby_pages.py"
OF_FIRST_PAGES = (
    f"{OF_LOBBY}::test_the_first_page_counts_new_messages_in_games_that_run_or_are_over",
)
OF_DATABASES = ("tests/server/test_database.py",)
OF_MANY = "tests/server/test_everybody_at_once.py"
OF_SCHEMA = "tests/server/test_schema.py"

FAULTS = (
    SeededFault(
        "Two operations of the API have one id: no generator takes the document.",
        "server/http/openapi.py",
        'if names[described["operationId"]] > 1:',
        'if names[described["operationId"]] > 9:',
        ("tests/server/test_openapi.py::test_no_two_operations_have_one_id",),
    ),
    SeededFault(
        "A list of anything does not say what it holds: no generator takes it.",
        "server/http/openapi.py",
        'value.setdefault("items", {})',
        'value.get("items")',
        (
            "tests/server/test_openapi.py::test_lists_and_names_are_such_as_generators_of_clients_take",
        ),
    ),
    SeededFault(
        "A miss under /api that is not below /api/v1 is a page.",
        "server/http/error_responses.py",
        'return path == API or path.startswith(f"{API}/")',
        'return path.startswith(f"{API}/v1/")',
        ("tests/server/test_openapi.py::test_what_is_not_there_is_a_problem_in_json",),
    ),
    SeededFault(
        "The line of half a letter is one too few.",
        "server/http/responses.py",
        'value.count("\\n", 0, half.start()) + 1',
        'value.count("\\n", 0, half.start())',
        (
            "tests/server/writing/test_drafts.py::test_half_a_letter_in_a_draft_is_named_with_its_file_and_line",
        ),
    ),
    SeededFault(
        "A link in the field for a code is no code.",
        "server/groups/group_pages.py",
        "return typed if found is None else found[1]",
        "return typed",
        (
            "tests/server/groups/test_groups.py::test_the_whole_link_of_a_group_is_taken_for_its_code",
        ),
    ),
    SeededFault(
        "Links of invitations name the usual port, whichever is served.",
        "cli/admin.py",
        "(address or server.address or ADDRESS)",
        "(address or ADDRESS)",
        ("tests/cli/test_admin.py::test_an_invitation_names_the_address_of_the_server_that_runs",),
    ),
    SeededFault(
        "A path that only begins with the same letters is taken for the server's.",
        "server/http/public_path.py",
        'if public_path and (path + "/").startswith(public_path + "/"):',
        "if public_path and path.startswith(public_path):",
        (f"{OF_PATHS}::test_the_path_is_taken_off_where_it_is_there",),
    ),
    SeededFault(
        "A redirection to another host is changed as if it were to ours.",
        "server/http/public_path.py",
        'if target.netloc in ("", host) and target.path.startswith("/"):',
        'if target.path.startswith("/"):',
        (f"{OF_PATHS}::test_redirections_to_us_stay_below_the_path",),
    ),
    SeededFault(
        "Of two cookies with one name the one of the farther path is read.",
        "server/http/public_path.py",
        'first.setdefault(one.partition(b"=")[0].strip(), one.strip())',
        'first[one.partition(b"=")[0].strip()] = one.strip()',
        (f"{OF_PATHS}::test_cookies_are_for_the_path_and_the_nearest_is_read",),
    ),
    SeededFault(
        "A cookie is told for the whole host.",
        "server/http/public_path.py",
        r'rb"\g<1>" + self._public_path.encode(), value)',
        r'rb"\g<1>/", value)',
        (f"{OF_PATHS}::test_cookies_are_for_the_path_and_the_nearest_is_read",),
    ),
    SeededFault(
        "A path below one of the server's own pages is taken.",
        "server/http/public_path.py",
        'first = public_path[1:].partition("/")[0]',
        "first = public_path[1:]",
        (f"{OF_PATHS}::test_a_path_that_pages_of_ours_have_is_refused",),
    ),
    SeededFault(
        "Everybody on the machine may use the unix socket.",
        "server/http/listening.py",
        "OURS_AND_GROUPS = 0o660",
        "OURS_AND_GROUPS = 0o666",
        (f"{OF_SOCKETS}::test_a_proxy_is_answered_and_believed",),
    ),
    SeededFault(
        "A file that is no socket is replaced by one.",
        "server/http/listening.py",
        "if not stat.S_ISSOCK(mode):",
        "if stat.S_ISDIR(mode):",
        (f"{OF_SOCKETS}::test_what_cannot_be_served_is_refused",),
    ),
    SeededFault(
        "The socket of a process that listens is taken away.",
        "server/http/listening.py",
        "contextlib.suppress(ConnectionRefusedError),",
        "contextlib.suppress(ConnectionRefusedError, UsageError),",
        (f"{OF_SOCKETS}::test_a_proxy_is_answered_and_believed",),
    ),
    SeededFault(
        "A server that ends takes away the socket that another has put in its place.",
        "server/http/listening.py",
        "if os.path.samestat(path.lstat(), made):",
        "if path.exists():",
        (f"{OF_SOCKETS}::test_a_socket_that_somebody_else_has_put_there_stays",),
    ),
    SeededFault(
        "A client of IPv4 has another address where a socket of IPv6 took it.",
        "server/http/listening.py",
        "return str(known.ipv4_mapped)",
        "return str(known)",
        OF_LISTENING,
    ),
    SeededFault(
        "Who has lost a lease goes on writing.",
        "runners/storage/leases.py",
        "if not self._token or connection.execute(token).scalar() != self._token:",
        "if not self._token or connection.execute(token).scalar() is None:",
        (f"{OF_LEASES}::test_a_lease_is_taken_from_who_has_said_nothing_for_long",),
    ),
    SeededFault(
        "A lease is taken from whoever is seen for the first time.",
        "runners/storage/leases.py",
        "return self._passed() - self._seen_at >= LEASE_S",
        "return self._passed() >= LEASE_S",
        (f"{OF_LEASES}::test_a_lease_is_taken_from_who_has_said_nothing_for_long",),
    ),
    SeededFault(
        "Who takes a lease over has the number of the one before.",
        "runners/storage/leases.py",
        "token = row.token + 1",
        "token = row.token",
        (f"{OF_LEASES}::test_a_lease_is_taken_from_who_has_said_nothing_for_long",),
    ),
    SeededFault(
        "A lease that was given back is waited for.",
        "runners/storage/leases.py",
        "or not row.holder",
        "or row.holder is None",
        (f"{OF_LEASES}::test_who_could_not_give_a_lease_back_takes_it_again_at_once",),
    ),
    SeededFault(
        "The lease of a process that was killed is waited for, on one machine.",
        "runners/storage/leases.py",
        "self.take(at_once=True)",
        "self.take()",
        ("tests/server/contests/test_leases.py",),
    ),
    SeededFault(
        "Who holds a lease never says that it lives.",
        "runners/storage/leases.py",
        "values(beats=leases.c.beats + 1)",
        "values(beats=leases.c.beats)",
        (f"{OF_LEASES}::test_a_lease_is_taken_from_who_has_said_nothing_for_long",),
    ),
    SeededFault(
        "What was acknowledged may be lost by a power cut.",
        "runners/storage/database.py",
        "'FULL' if use.is_durable",
        "'NORMAL' if use.is_durable",
        OF_DATABASES,
    ),
    SeededFault(
        "A row may refer to one that is not there.",
        "runners/storage/database.py",
        'cursor.execute("PRAGMA foreign_keys=ON")',
        'cursor.execute("PRAGMA foreign_keys=OFF")',
        OF_DATABASES,
    ),
    SeededFault(
        "Two writers read the same, and one of them writes what is stale.",
        "runners/storage/database.py",
        'how or "BEGIN IMMEDIATE"',
        'how or "BEGIN DEFERRED"',
        OF_DATABASES,
    ),
    SeededFault(
        "Who waits to write keeps a connection, which whoever writes may need.",
        "runners/storage/database.py",
        "self._wait_for_write_turn(),\n"
        "                self._open_transaction(self._writer) as here.connection,",
        "self._open_transaction(self._writer) as here.connection,\n"
        "                self._wait_for_write_turn(),",
        OF_DATABASES,
    ),
    SeededFault(
        "Who writes reads by another connection.",
        "runners/storage/database.py",
        "        if self.writes.here.connection is not None:\n            yield",
        "        if self.writes is None:\n            yield",
        OF_DATABASES,
    ),
    SeededFault(
        "All connections are kept by requests that wait for a thread.",
        "runners/storage/shared_reading.py",
        "threading.BoundedSemaphore(MAX_SHARED)",
        "threading.BoundedSemaphore(2 * MAX_SHARED)",
        OF_DATABASES,
    ),
    SeededFault(
        "A request waits for other writers as long as what nobody waits for.",
        "runners/storage/database.py",
        "return _max_wait_s.get() or BUSY_S",
        "return BUSY_S",
        (f"{OF_MANY}::test_who_would_wait_for_too_long_is_told_to_try_again",),
    ),
    SeededFault(
        "Forms that wait for each other take all threads.",
        "server/http/page_requests.py",
        "limiter = threads or self._form_threads",
        "limiter = threads",
        (f"{OF_MANY}::test_pages_do_not_wait_for_forms_that_wait_for_each_other",),
    ),
    SeededFault(
        "Nothing is kept of a database that is upgraded.",
        "runners/storage/schema.py",
        "            _save_copy(database)\n",
        "",
        (f"{OF_SCHEMA}::test_an_upgrade_keeps_a_copy_beside_the_database_and_says_so_once",),
    ),
    SeededFault(
        "A database that finds the disk full in an upgrade is called damaged.",
        "runners/storage/schema.py",
        "if not is_of_full_disk(error):",
        "if error:",
        (f"{OF_SCHEMA}::test_a_disk_that_is_full_in_an_upgrade_is_named_with_what_to_do",),
    ),
    SeededFault(
        "A password in the query of a database's URL is shown.",
        "runners/storage/database.py",
        'if "password" not in name}',
        'if "password" not in name or "ssl" in name}',
        OF_DATABASES,
    ),
    SeededFault(
        "A database in memory, of which nothing stays, is served.",
        "runners/storage/database.py",
        'url.database not in (None, "", ":memory:")',
        'url.database not in (None, "")',
        OF_DATABASES,
    ),
    SeededFault(
        "A lost database is begun anew though its log is there.",
        "runners/storage/schema.py",
        "traces += [log.name] if log.exists() and log.stat().st_size else []",
        "traces += []",
        OF_FILES,
    ),
    SeededFault(
        "What an older version left of a database's log stays for all to read.",
        "runners/storage/schema.py",
        'for name in (path.name, *(f"{path.name}{end}" for end in BESIDE)):\n        make_private',
        "for name in (path.name,):\n        make_private",
        OF_FILES,
    ),
    SeededFault(
        "Somebody gains time where the clock of the machine is set back.",
        "server/games/clocks.py",
        "used = 0.0 if self.since is None else max(0.0, now - self.since)",
        "used = 0.0 if self.since is None else now - self.since",
        OF_CLOCKS,
    ),
    SeededFault(
        "A decision after one that was late has no time.",
        "server/games/clocks.py",
        "left = max(left, LATE_S)",
        "left = min(left, LATE_S)",
        OF_CLOCKS,
    ),
    SeededFault(
        "The first decision of a live game is charged as the others are.",
        "server/games/clocks.py",
        "elif not clock.has_decided:",
        "elif clock.since is None and not clock.has_decided:",
        OF_CLOCKS,
    ),
    SeededFault(
        "A clock runs while the server is down.",
        "server/games/clocks.py",
        "since=now - max(0.0, alive_at - clock.since))",
        "since=clock.since)",
        OF_CLOCKS,
    ),
    SeededFault(
        "A clock that has just run out is not overdue.",
        "server/games/clocks.py",
        "self.deadline is not None and self.deadline <= now",
        "self.deadline is not None and self.deadline < now",
        OF_CLOCKS,
    ),
    SeededFault(
        "The first page counts one's own messages as new.",
        "server/messages/conversations.py",
        "owners.c.team == messages.c.team).exists()",
        "owners.c.team != messages.c.team).exists()",
        OF_FIRST_PAGES,
    ),
    SeededFault(
        "The first page counts the newest message that was read as new.",
        "server/messages/conversations.py",
        "messages.c.id > read",
        "messages.c.id >= read",
        OF_FIRST_PAGES,
    ),
    SeededFault(
        "The first page says nothing of new messages in games that are over.",
        "server/site/home_pages.py",
        "messages.c.game.in_(running) | messages.c.game.in_(select(ended.c.id))",
        "messages.c.game.in_(running)",
        OF_FIRST_PAGES,
    ),
    SeededFault(
        "An earlier message that is read later makes later ones new again.",
        "server/messages/conversations.py",
        "if found.read_up_to.get(team, 0) < newest",
        "if found.read_up_to.get(team, 0) != newest",
        (f"{OF_MESSAGES}::test_what_was_read_stays_read_and_nothing_is_read_that_was_not_written",),
    ),
    SeededFault(
        "Messages are read that nobody has written yet.",
        "server/messages/conversations.py",
        "newest = min(up_to, max((one.id for one in found.messages), default=0))",
        "newest = up_to",
        (f"{OF_MESSAGES}::test_what_was_read_stays_read_and_nothing_is_read_that_was_not_written",),
    ),
    SeededFault(
        "Sessions that sign nobody in any more are kept for ever.",
        "server/operations/cleaning.py",
        "game_tables.sessions.c.used_at < at - timedelta(days=SESSION_DAYS)",
        "game_tables.sessions.c.used_at < at - timedelta(days=2 * SESSION_DAYS)",
        (f"{OF_CLEANING}::test_of_each_table_that_is_cleaned_a_row_of_400_days_goes",),
    ),
    SeededFault(
        "A replay that a newer match shares is removed with the older one.",
        "runners/contests/retention.py",
        "sorted(old - young, key",
        "sorted(old, key",
        (f"{OF_CLEANING}::test_a_replay_that_a_newer_match_shares_stays",),
    ),
    SeededFault(
        "An empty folder below a mount point is taken for the results.",
        "server/operations/results_folder.py",
        "os.path.exists(self._mark)",
        "os.path.exists(self._mark.parent)",
        ("tests/server/operations/test_results_folder.py::test_the_page_of_health_says_it",),
    ),
    SeededFault(
        "A class of the viewer is styled wherever it stands by a sheet of the boards.",
        "web/boards/smac.css",
        "details.lines { margin",
        ".lines { margin",
        ("tests/test_style_sheets.py",),
    ),
    SeededFault(
        "A class of the designer is styled wherever it stands by the sheet of /write.",
        "web/write/write.css",
        "#first-words { grid-area",
        ".hint { grid-area",
        ("tests/test_style_sheets.py",),
    ),
)
