"""Faults in what strangers do about each other, and in how they get accounts."""

from tests.faults.seeded import SeededFault

OF_AVOIDING = "tests/server/strangers/test_avoiding.py"
OF_CONSENT = "tests/server/strangers/test_consent.py"
OF_REPORTS = "tests/server/strangers/test_reports.py"
OF_REQUESTS = "tests/server/strangers/test_account_requests.py"
FILTER = "server/messages/conversations.py"


def on_sqlite(module: str, *tests: str) -> tuple[str, ...]:
    """Return tests of a module, with the database that takes the least time."""
    return tuple(f"{module}::{test}[sqlite]" for test in tests)


FAULTS = (
    SeededFault(
        "Messages of who is muted are shown.",
        FILTER,
        "return not is_restricted and not self.is_withheld(message, teams)",
        "return not self.is_withheld(message, teams)",
        on_sqlite(
            OF_AVOIDING, "test_who_is_muted_in_a_game_writes_without_being_read_until_that_ends"
        ),
    ),
    SeededFault(
        "A block keeps from whoever is blocked what was written to others, and not the other way.",
        FILTER,
        "for pair in ((team, other), (other, team)))",
        "for pair in ((team, other),))",
        on_sqlite(OF_AVOIDING, "test_what_was_written_during_a_block_stays_unread_after_it"),
    ),
    SeededFault(
        "A message is shown to those from whom it was withheld.",
        FILTER,
        "return not is_restricted and not self.is_withheld(message, teams)",
        "return not is_restricted",
        on_sqlite(OF_AVOIDING, "test_what_was_written_during_a_block_stays_unread_after_it"),
    ),
    SeededFault(
        "The first page counts messages of people who are avoided.",
        FILTER,
        "~restricted.correlate(messages).exists(),",
        "",
        on_sqlite(OF_AVOIDING, "test_a_message_of_who_is_blocked_never_reaches_whoever_blocks"),
    ),
    SeededFault(
        "The first page counts messages of players who are avoided in one game.",
        FILTER,
        "~of_seat(avoided_seats, about_writer, avoided_seats.c.kind != ACCEPT),",
        "",
        on_sqlite(
            OF_AVOIDING, "test_who_is_muted_in_a_game_writes_without_being_read_until_that_ends"
        ),
    ),
    SeededFault(
        "The first page counts messages that are withheld.",
        FILTER,
        "~of_seat(withheld_messages, withheld_messages.c.message == messages.c.id),",
        "",
        on_sqlite(OF_AVOIDING, "test_what_was_written_during_a_block_stays_unread_after_it"),
    ),
    SeededFault(
        "Who is blocked sits down in a game of whoever blocks.",
        "server/games/open_games.py",
        "self._require_welcome(game, person.id)",
        "pass",
        on_sqlite(
            OF_AVOIDING, "test_who_is_blocked_and_who_blocks_see_no_open_games_of_each_other"
        ),
    ),
    SeededFault(
        "The lobby shows games of people who are blocked.",
        "server/games/lobby_pages.py",
        "and game.made_by not in apart",
        "and game.made_by",
        on_sqlite(
            OF_AVOIDING, "test_who_is_blocked_and_who_blocks_see_no_open_games_of_each_other"
        ),
    ),
    SeededFault(
        "Who is blocked gets a rematch.",
        "server/games/game_service.py",
        "if session.rematch is None and rule.is_anybody_apart(people):",
        "if False:",
        on_sqlite(OF_AVOIDING, "test_who_is_blocked_gets_no_rematch"),
    ),
    SeededFault(
        "A stranger's first message is shown at once.",
        FILTER,
        "return self.is_accepted(teams, other)",
        "return True",
        on_sqlite(OF_CONSENT, "test_a_strangers_first_message_is_announced_without_a_word_of_it"),
    ),
    SeededFault(
        "The first page counts messages that are only announced.",
        FILTER,
        "games.c.id == messages.c.game, ASKS_CONSENT)",
        "games.c.id == messages.c.game, games.c.id.is_(None))",
        on_sqlite(OF_CONSENT, "test_a_strangers_first_message_is_announced_without_a_word_of_it"),
    ),
    SeededFault(
        "Who is muted is announced.",
        FILTER,
        "reaching = {one.team for one in messages if self._may_reach(one, teams)}",
        "reaching = {one.team for one in messages if one.team not in teams}",
        on_sqlite(OF_CONSENT, "test_who_writes_often_is_announced_once_and_not_at_all_once_muted"),
    ),
    SeededFault(
        "A writer is told what a reader has decided.",
        "server/messages/conversations.py",
        "and not rule.is_accepted(teams, other)",
        "and not rule.is_accepted((other,), min(teams))",
        on_sqlite(OF_CONSENT, "test_a_writer_is_not_told_what_the_reader_has_decided"),
    ),
    SeededFault(
        "Who shares a group or came by a link is a stranger.",
        "server/games/lobby_pages.py",
        "terms, acquainted=acquainted)",
        "terms)",
        on_sqlite(
            OF_CONSENT,
            "test_guests_who_play_by_a_private_link_read_each_other_from_the_start",
            "test_who_shares_a_group_reads_each_other_from_the_start",
        ),
    ),
    SeededFault(
        "A link acquaints those who follow it with all who play.",
        "server/games/open_games.py",
        "or (seat.is_taken and seat.person is not None and seat.person == self.made_by)",
        "or seat.is_taken",
        on_sqlite(
            OF_CONSENT, "test_a_link_acquaints_its_giver_with_who_follows_it_and_with_nobody_else"
        ),
    ),
    SeededFault(
        "Who is reported reads in the audit log who has done it.",
        "server/messages/player_pages.py",
        'self._pages.audit.note("report made", message, address=address, person=person)',
        'self._pages.audit.note("report made", message, address=address, person=person, about='
        "self._reports.find(number).person)  # type: ignore[union-attr]",
        on_sqlite(OF_REPORTS, "test_the_reported_is_told_neither_that_nor_by_whom"),
    ),
    SeededFault(
        "A message that another one has written is reported.",
        "server/messages/reports.py",
        "and one.team == team",
        "",
        on_sqlite(OF_REPORTS, "test_ones_own_message_is_not_reported_as_somebody_elses"),
    ),
    SeededFault(
        "A guest whose seat was closed plays on with the token that is known.",
        "server/games/game_service.py",
        "had_keys = self._storage.drop_keys(game_id, team) > 0\n"
        "            self.keys.forget(game_id)",
        "had_keys = self._storage.drop_keys(game_id, team) > 0",
        on_sqlite(OF_REPORTS, "test_a_guest_reports_and_is_reported_and_loses_the_seat"),
    ),
    SeededFault(
        "Players make as many reports as they like.",
        "server/messages/reports.py",
        'self._limits.count("report", Asker(reporter.address, reporter.person), reporter.key)',
        "str(reporter)",
        on_sqlite(OF_REPORTS, "test_nobody_floods_organizers_with_reports"),
    ),
    SeededFault(
        "Reports of guests take the room of those of members.",
        "server/messages/reports.py",
        "most = count.where(reports.c.reporter.is_(None)), MAX_OPEN_REPORTS // 2",
        "most = count, MAX_OPEN_REPORTS",
        on_sqlite(OF_REPORTS, "test_reports_of_guests_leave_half_of_the_room_to_members"),
    ),
    SeededFault(
        "Approving all approves whom the organizer has not seen.",
        "server/accounts/request_pages.py",
        "numbers = [one.id for one in found if one.id <= newest]",
        "numbers = [one.id for one in found if one.id <= newest + 100]",
        on_sqlite(OF_REQUESTS, "test_some_or_all_are_decided_in_one_step"),
    ),
    SeededFault(
        "A request that has expired is approved.",
        "server/identity/people.py",
        "return (account_requests.c.state == RequestState.WAITING) & is_fresh",
        "return account_requests.c.state == RequestState.WAITING",
        on_sqlite(OF_REQUESTS, "test_requests_expire"),
    ),
    SeededFault(
        "Anybody takes a name that somebody waits for.",
        "server/identity/people.py",
        ".where(people.c.deleted_at.is_(None)).union_all(asked)",
        ".where(people.c.deleted_at.is_(None))",
        on_sqlite(OF_REQUESTS, "test_a_name_that_waits_is_nobody_elses"),
    ),
    SeededFault(
        "Accounts are asked for where they are made by invitation.",
        "server/accounts/request_pages.py",
        "if not self._pages.is_open:",
        "if False:",
        (f"{OF_REQUESTS}::test_nothing_is_asked_for_where_accounts_are_made_by_invitation",),
    ),
    SeededFault(
        "Every sign-in takes along the games that a browser has as a guest.",
        "server/identity/account_requests.py",
        "            return False\n        return self",
        "            return True\n        return self",
        on_sqlite(OF_REQUESTS, "test_the_first_sign_in_takes_along_the_games_of_this_browser"),
    ),
)
