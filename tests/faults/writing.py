"""Faults in writing bots in the browser: whose drafts are, what is saved, and who comes next."""

from tests.faults.seeded import SeededFault

DRAFTS = "server/writing/drafts.py"
POOL = "engine/support/process_pool.py"
QUEUE = "engine/support/fair_queue.py"
RUNNING = "server/writing/running.py"
OF_DRAFTS = "tests/server/writing/test_drafts.py"
OF_RUNNING = "tests/server/writing/test_running.py"
OF_QUEUE = "tests/engine/test_fair_queue.py"
OF_GUESTS = "tests/server/writing/test_guests_are_counted.py"
OF_THREADS = "tests/server/test_shared_by_threads.py"
OF_MIRROR = "tests/server/writing/test_folder_mirror.py"
OF_COURSES = "tests/server/writing/test_courses.py"
OF_SERIES = "tests/server/writing/test_series.py"
OF_DOCUMENTS = "tests/server/site/test_documents.py"
OF_RUNS = "tests/server/runs/test_runs.py"

FAULTS = (
    SeededFault(
        "A search has the changelog, which says most words, before the page that explains them.",
        "server/site/documents.py",
        "rank = (document.name == CHANGELOG, -hits)",
        "rank = (False, -hits)",
        ("tests/server/site/test_documents.py::test_a_search_has_the_changelog_last",),
    ),
    SeededFault(
        "The reference of the API leaves out what is set in `__init__`.",
        "server/writing/reference.py",
        "                text = _docstring_in(below)\n",
        '                text = ""\n',
        ("tests/docs_site/test_api_pages.py::test_every_name_of_an_api_is_described",),
    ),
    SeededFault(
        "A message is found only if no word of it differs.",
        "server/site/documents.py",
        "most = len(words) // 2 + 1",
        "most = len(words)",
        (f"{OF_DOCUMENTS}::test_options_settings_and_messages_are_found",),
    ),
    SeededFault(
        "A page that was merged into another one is gone.",
        "docs/contents.toml",
        '"ladders.md" = "writing_a_bot.md#on-a-ladder"',
        '"ladders.md" = "writing_a_bot.md#ladders"',
        (f"{OF_DOCUMENTS}::test_the_former_address_of_a_page_leads_to_it",),
    ),
    SeededFault(
        "What another tab has saved is overwritten.",
        DRAFTS,
        "draft_bots.c.id == draft.id, draft_bots.c.revision == revision",
        "draft_bots.c.id == draft.id, draft_bots.c.revision >= 0",
        (f"{OF_DRAFTS}::test_what_two_tabs_save_is_not_lost",),
    ),
    SeededFault(
        "Whoever knows the id of a draft reads it.",
        DRAFTS,
        "select(draft_bots).where(draft_bots.c.id == draft_id, _is_owner(owner))",
        "select(draft_bots).where(draft_bots.c.id == draft_id)",
        (f"{OF_DRAFTS}::test_a_draft_is_nobody_elses",),
    ),
    SeededFault(
        "Guests write without the organizer's switch.",
        "server/writing/writers.py",
        "if token and self._has_guests else None",
        "if token else None",
        (f"{OF_DRAFTS}::test_a_former_guest_is_nobody_without_the_switch",),
    ),
    SeededFault(
        "Who asks for much comes next again and again.",
        QUEUE,
        "priority, last_turns(owner[:1]), lanes[lane][0].number",
        "priority, [], lanes[lane][0].number",
        (f"{OF_QUEUE}::test_nobody_waits_for_all_that_somebody_else_wants",),
    ),
    SeededFault(
        "Series are played before what somebody waits for.",
        QUEUE,
        "return priority, last_turns",
        "return Priority.WAITED_FOR, last_turns",
        (f"{OF_QUEUE}::test_what_can_wait_comes_last",),
    ),
    SeededFault(
        "Of those at one address the same comes next again and again.",
        QUEUE,
        "(last_turns(lane[1]), lanes[lane][0].number)",
        "lanes[lane][0].number",
        (f"{OF_QUEUE}::test_guests_at_one_address_have_the_turns_of_one_person",),
    ),
    SeededFault(
        "What guests have played pushes out what members have.",
        "server/runs/runs.py",
        "surplus = self._by.keys() if len(self._by) > MAX_KEPT_RUNS else guests",
        "surplus = self._by.keys()",
        (f"{OF_RUNS}::test_what_guests_have_played_pushes_out_nothing_of_members",),
    ),
    SeededFault(
        "A guest with another cookie for each draft may begin any number.",
        "server/http/limits.py",
        "by.keys if by.is_guest else None",
        "by.keys[-1:] if by.is_guest else None",
        (f"{OF_GUESTS}::test_a_new_cookie_with_each_draft_fills_no_more_than_a_share",),
    ),
    SeededFault(
        "A draft's template is parsed while another thread parses.",
        "engine/support/interpreter_state.py",
        """    with ONE_THREAD:
        return ast.parse(source)
""",
        """    return ast.parse(source)
""",
        (f"{OF_THREADS}::test_whoever_parses_has_the_one_lock",),
    ),
    SeededFault(
        "A fork has the lock of a thread that it does not have.",
        "engine/support/interpreter_state.py",
        'if hasattr(os, "register_at_fork"):',
        'if not hasattr(os, "register_at_fork"):',
        (f"{OF_THREADS}::test_a_process_forked_while_another_thread_parses_can_parse",),
    ),
    SeededFault(
        "Two threads compile templates at once.",
        "report/rendering.py",
        """        with ONE_THREAD:
            return super().compile(*source, **options)
""",
        """        return super().compile(*source, **options)
""",
        (f"{OF_THREADS}::test_a_template_is_compiled_with_the_lock",),
    ),
    SeededFault(
        "A parser of Markdown lists its rules in the thread that comes first.",
        "server/http/markdown_text.py",
        '    markdown.parse("*a*")\n',
        "",
        (f"{OF_THREADS}::test_no_thread_finds_half_of_the_rules_of_markdown",),
    ),
    SeededFault(
        "After a process was killed no match is played any more.",
        POOL,
        "process = self._start_process(place)\n            if error",
        "process = None\n            if error",
        (f"{OF_RUNS}::test_a_process_that_is_killed_costs_one_run",),
    ),
    SeededFault(
        "What happened in a run is told to whoever knows its id.",
        RUNNING,
        "        self._access.find_draft(request, run.draft)\n",
        "",
        (f"{OF_RUNNING}::test_runs_are_their_authors_alone",),
    ),
    SeededFault(
        "A run goes on from that of somebody else.",
        RUNNING,
        "former is None or former.draft != draft.id",
        "former is None",
        (f"{OF_RUNNING}::test_runs_are_their_authors_alone",),
    ),
    SeededFault(
        "What an opponent logs is recorded for the author of a draft.",
        "engine/referee.py",
        "job.noted_teams is None or team in job.noted_teams",
        "True",
        (f"{OF_RUNNING}::test_what_an_opponent_logs_is_not_recorded",),
    ),
    SeededFault(
        "The line of a fault is not that of the values.",
        "engine/bots/frame_values.py",
        "trace.tb_lineno or (position and position[0])",
        "(position and position[1])",
        (
            "tests/engine/bots/test_frame_values.py::test_an_expression_of_several_lines_is_shown_whole",
        ),
    ),
    SeededFault(
        "What was typed is lost where the file on disk was changed, too.",
        "server/writing/folder_mirror.py",
        "draft.files != self._files and draft.files != disk",
        "False",
        (f"{OF_MIRROR}::test_where_both_were_changed_the_disk_counts_and_the_draft_is_a_version",),
    ),
    SeededFault(
        "A step of a course counts what the other team does.",
        "server/writing/courses.py",
        "return self._team_of.get(slime) == OWN_TEAM",
        "return slime in self._team_of",
        (f"{OF_COURSES}::test_what_is_not_enough_is_told_in_numbers",),
    ),
    SeededFault(
        "A series goes on after its verdict.",
        "server/writing/draft_series.py",
        "return self._running.is_over or answer.played >= answer.of",
        "return answer.played >= answer.of",
        (f"{OF_SERIES}::test_a_series_ends_early_where_it_is_decided",),
    ),
)
