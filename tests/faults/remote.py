"""Faults in bots that play from their authors' machines: what a token may do, and who is told."""

from tests.faults.seeded import SeededFault

OPEN_GAMES = "server/games/open_games.py"
SEATS = "server/games/seats.py"
STREAM = "server/remote_bots/event_stream.py"
OF_CHALLENGES = "tests/server/remote_bots/test_challenges.py"
OF_PLAYING = "tests/server/remote_bots/test_playing.py"
OF_PROXIES = "tests/server/remote_bots/test_client_behind_proxy.py"
OF_STREAM = "tests/server/remote_bots/test_event_stream.py"

FAULTS = (
    SeededFault(
        "A token that hands in bots plays games, too.",
        "server/identity/visitors.py",
        "if self._bearer is not None and scope in self._bearer.scopes else None",
        "if self._bearer is not None else None",
        (f"{OF_CHALLENGES}::test_a_token_does_what_it_was_made_for",),
    ),
    SeededFault(
        "Tokens play where the organizer allows none.",
        "server/identity/visitors.py",
        "if self.has_token and self.has_remote_bots else None",
        "if self.has_token else None",
        (f"{OF_PLAYING}::test_no_token_plays_where_remote_bots_are_not_allowed",),
    ),
    SeededFault(
        "A program plays for a seat that its owner has taken.",
        SEATS,
        "if session.stored.seats[team - 1].is_remote)",
        "if team)",
        (
            f"{OF_PLAYING}::test_the_games_of_others_and_the_other_team_are_not_its_own",
            f"{OF_CHALLENGES}::test_who_is_challenged_may_sit_down_instead_of_the_program",
        ),
    ),
    SeededFault(
        "A token writes messages, and does all else that is done at a board.",
        SEATS,
        "self._remember(request, game_id, self._find_teams(request, request.user, game_id))",
        "self._remember(request, game_id, self.teams(request, game_id))",
        (f"{OF_PLAYING}::test_a_token_does_nothing_at_the_board_but_play",),
    ),
    SeededFault(
        "Programs take the open seats of people's games.",
        OPEN_GAMES,
        "if not own_teams and free and not game.is_of_program:",
        "if not own_teams and free and game.is_full:",
        (f"{OF_PLAYING}::test_a_seat_that_is_open_to_people_is_not_taken_by_a_program",),
    ),
    SeededFault(
        "A remote bot plays rated games.",
        OPEN_GAMES,
        "            if game.is_rated:\n                raise NotPossible(NOT_RATED)\n",
        "",
        (f"{OF_CHALLENGES}::test_a_remote_bot_plays_no_rated_game",),
    ),
    SeededFault(
        "Nobody is told that a program plays.",
        "server/games/new_games.py",
        "is_remote=seat.kind is SeatKind.REMOTE,",
        "is_remote=False,",
        (f"{OF_CHALLENGES}::test_a_program_challenges_another_and_the_game_begins",),
    ),
    SeededFault(
        "A block does not keep people from challenging each other.",
        OPEN_GAMES,
        "or other.id in self._block_list.blocked_with(person_id):",
        "or other.id == person_id:",
        (f"{OF_CHALLENGES}::test_a_block_keeps_programs_apart_and_is_not_told",),
    ),
    SeededFault(
        "People forfeit decisions as programs do.",
        "server/games/game_sessions.py",
        "if not self.stored.seats[ask.team - 1].is_remote:",
        "if not self.stored.seats[ask.team - 1].is_person:",
        (f"{OF_PLAYING}::test_people_forfeit_nothing_so",),
    ),
    SeededFault(
        "A stream goes on with a token that was revoked.",
        STREAM,
        "self._new_events, visitor.reload(), query, sent",
        "self._new_events, visitor, query, sent",
        (f"{OF_STREAM}::test_a_revoked_token_ends_the_stream",),
    ),
    SeededFault(
        "Who comes back is told again what was told before.",
        STREAM,
        "session.observed[team][sent.decisions[game_id] + 1 :]",
        "session.observed[team][sent.decisions[game_id] :]",
        (f"{OF_STREAM}::test_asks_have_the_events_since_the_last_one",),
    ),
    SeededFault(
        "Streams that are asked for at once are not counted.",
        STREAM,
        "            self._open[person.id] += 1\n        try:\n            yield\n",
        "        try:\n            yield\n            self._open[person.id] += 1\n",
        (f"{OF_STREAM}::test_of_streams_that_are_asked_for_at_once_as_many_are_open",),
    ),
    SeededFault(
        "Games that are begun at once are not counted.",
        "server/remote_bots/challenges.py",
        "        with self._taking:\n",
        "        if self._taking:\n",
        (f"{OF_CHALLENGES}::test_of_games_that_are_made_and_accepted_at_once_all_are_counted",),
    ),
    SeededFault(
        "The client takes the page of a proxy for the answer of the server.",
        "clients/remote/remote_bot.py",
        "if answer.status < 300 and answer.headers.get_content_type() == kind:",
        "if answer.status < 300:",
        (f"{OF_PROXIES}::test_a_page_of_any_status_is_waited_out",),
    ),
    SeededFault(
        "A proxy has the client wait for ever.",
        "clients/remote/remote_bot.py",
        "return min(max(asked_s, 1), MAX_WAIT_S)",
        "return max(asked_s, 1)",
        (f"{OF_PROXIES}::test_a_proxy_says_in_every_form_how_long_to_wait",),
    ),
    SeededFault(
        "A program plays on from a past that was taken back.",
        STREAM,
        "if is_same and not any(isinstance(one, Undone) for one in session.log[known:]):",
        "if is_same:",
        (f"{OF_STREAM}::test_a_move_that_is_taken_back_starts_the_game_anew",),
    ),
)
