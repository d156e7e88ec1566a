"""Faults in the match loop, the judge of deadlines, and the referee."""

from tests.faults.seeded import SeededFault

CLOCK = "engine/bots/clock.py"
MATCH = "engine/match.py"
SEAT = "engine/bots/process_seat.py"
OF_CLOCK = ("tests/engine/bots/test_clock.py",)
OF_MATCH = ("tests/engine/test_match.py",)
OF_SEAT = ("tests/engine/bots/test_process_seat.py",)
OF_REFEREE = ("tests/engine/test_referee.py",)
OF_RESUMED = ("tests/engine/test_resumed_match.py",)

FAULTS = (
    SeededFault(
        "An answer that used too much processor time counts.",
        CLOCK,
        "if used > self._limits.cpu_ms * NS_PER_MS:",
        "if used > 2 * self._limits.cpu_ms * NS_PER_MS:",
        OF_CLOCK,
    ),
    SeededFault(
        "Sleep is not taken off the bank.",
        CLOCK,
        "used + self._measure_sleep_ns(\n"
        "            _answer_wait_ns(self._asked_at, took) - used\n        )",
        "used",
        OF_CLOCK,
    ),
    SeededFault(
        "A bot is charged for waiting for a processor.",
        CLOCK,
        "return self._since_ask() / NS_PER_MS - self._processor_wait_ms(self.used_cpu_ms())",
        "return self._since_ask() / NS_PER_MS",
        OF_CLOCK,
    ),
    SeededFault(
        "An empty bank is overdrawn by a call.",
        CLOCK,
        "if self.bank.left_ns < 0:",
        "if self.bank.left_ns < -NS_PER_S:",
        OF_CLOCK,
    ),
    SeededFault(
        "Short calls are not taken off the bank.",
        CLOCK,
        "        self.bank.left_ns -= took\n",
        "",
        OF_CLOCK,
    ),
    SeededFault(
        "What was used in loading is charged to the first call.",
        CLOCK,
        "self._read_at += self._cpu_since_reading_ns(self._since_ask())\n        "
        "self._unread_ns = 0",
        "self._unread_ns = 0",
        OF_CLOCK,
    ),
    SeededFault(
        "Thinking between orders is free.",
        CLOCK,
        "if pondered > self._ponder_ns:",
        "if pondered > 1_000 * self._ponder_ns + NS_PER_S:",
        OF_CLOCK,
    ),
    SeededFault(
        "A bot that sleeps is said to have thought.",
        CLOCK,
        "if wall_ms - used_ms > used_ms:",
        "if wall_ms - used_ms < used_ms:",
        OF_CLOCK,
    ),
    SeededFault(
        "A starved machine's bot is blamed.",
        CLOCK,
        "- by_own_ms > wall / 2:",
        "- by_own_ms > wall * 2:",
        OF_CLOCK,
    ),
    SeededFault(
        "An illegal order is played.",
        MATCH,
        "return Fault(Cause.ILLEGAL, order.reason) if type(order) is Refusal else order",
        "return answer if type(order) is Refusal else order",
        OF_MATCH,
    ),
    SeededFault(
        "Observers do not hear of faults.",
        MATCH,
        "        order = self._ask_seat(ask)\n"
        "        if type(order) is Fault:\n"
        "            self.stepper.report(ask, order)\n",
        "        order = self._ask_seat(ask)\n",
        OF_MATCH,
    ),
    SeededFault(
        "Teams are asked one after another.",
        MATCH,
        "            for index in places:\n"
        "                self._put(asks[index])\n"
        "            for index in places:\n"
        "                orders[index] = take(asks[index])\n",
        "            for index in places:\n"
        "                self._put(asks[index])\n"
        "                orders[index] = take(asks[index])\n",
        OF_MATCH,
    ),
    SeededFault(
        "The asks of a team are put in the opposite order.",
        MATCH,
        "for index in reversed(range(len(asks))):",
        "for index in range(len(asks)):",
        OF_MATCH,
    ),
    SeededFault(
        "A bot is restarted once more than its limits say.",
        SEAT,
        "if self.restarts >= self._limits.max_restarts:",
        "if self.restarts > self._limits.max_restarts:",
        (
            f"{OF_SEAT[0]}::test_past_its_restarts_a_bot_is_out_and_says_why",
            f"{OF_SEAT[0]}::test_a_bot_that_may_not_be_restarted_is_out_at_once",
        ),
    ),
    SeededFault(
        "A restarted bot rolls the dice it has rolled before.",
        SEAT,
        'f"bot/{config.team}/{self.restarts}{self._role}"',
        'f"bot/{config.team}/{self._role}"',
        (f"{OF_SEAT[0]}::test_a_restarted_bot_rolls_other_dice",),
    ),
    SeededFault(
        "A worker may name any cause of a fault.",
        SEAT,
        "if problem.cause not in OF_A_CALL:",
        "if problem.cause not in Cause:",
        (f"{OF_SEAT[0]}::test_a_worker_that_names_a_cause_no_call_can_have_is_broken_off",),
    ),
    SeededFault(
        "A bot whose bank is empty is asked again.",
        SEAT,
        "        if fault.cause is Cause.BANK_EMPTY:\n            self.out = fault\n",
        "",
        (f"{OF_SEAT[0]}::test_a_bot_that_sleeps_a_little_in_every_call_is_not_asked_for_ever",),
    ),
    SeededFault(
        "A longer answer than the limit is taken.",
        SEAT,
        "self._longest = config.limits.answer_bytes + REPLY_OVERHEAD",
        "self._longest = 100 * config.limits.answer_bytes + REPLY_OVERHEAD",
        (f"{OF_SEAT[0]}::test_an_answer_far_over_the_limit_is_refused",),
    ),
    SeededFault(
        "An answer to an earlier ask is taken for one to the present.",
        SEAT,
        "        if reply.nonce != self._nonce:\n            return self._break_off(",
        "        if reply.nonce == 0:\n            return self._break_off(",
        (f"{OF_SEAT[0]}::test_an_answer_to_an_earlier_ask_is_none",),
    ),
    SeededFault(
        "A match of which a bot got no processor is not played again.",
        "engine/referee.py",
        "for _ in range(VOID_MATCHES):",
        "for _ in range(0):",
        (
            f"{OF_REFEREE[0]}::test_a_match_without_a_processor_is_played_again_and_its_result_says_so",
            f"{OF_REFEREE[0]}::test_a_match_that_never_gets_a_processor_is_given_up",
        ),
    ),
    SeededFault(
        "A match that has its result is played again.",
        "engine/referee.py",
        "if job.once and (filed := self._archive.find_result(job.spec.key)) is not None:",
        "if not job.once and (filed := self._archive.find_result(job.spec.key)) is not None:",
        (f"{OF_REFEREE[0]}::test_a_match_to_be_played_once_is_not_played_again",),
    ),
    SeededFault(
        "A resumed match counts the orders of the turn it begins anew.",
        "engine/replays/resuming.py",
        "if before_turn is not None and turn >= before_turn:",
        "if before_turn is not None and turn > before_turn:",
        (f"{OF_RESUMED[0]}::test_a_match_may_go_on_from_an_earlier_turn",),
    ),
    SeededFault(
        "In a resumed match the player's present answer counts.",
        "engine/replays/resuming.py",
        "                now=_order_text(now),\n            )\n        return recorded\n",
        "                now=_order_text(now),\n            )\n            return now  "
        "# type: ignore\n"
        "        return recorded\n",
        (
            f"{OF_RESUMED[0]}::test_recorded_orders_count_and_after_them_those_of_the_players",
            f"{OF_RESUMED[0]}::test_what_a_player_loses_in_the_past_is_no_fault_of_the_match",
        ),
    ),
)
