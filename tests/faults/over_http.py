"""Faults in what bots that are asked over HTTP may do to us and our network."""

from tests.faults.seeded import SeededFault

FOLDER = "tests/engine/bots/over_http"
OF_CONNECTION = f"{FOLDER}/test_connection.py"
CONNECTION = "engine/bots/over_http/connection.py"

FAULTS = (
    SeededFault(
        "Whatever a bot.toml names is asked.",
        "engine/referee.py",
        "if address.origin not in origins:",
        "if not address.origin:",
        (f"{FOLDER}/test_seat.py::test_what_is_not_allowed_is_not_asked",),
    ),
    SeededFault(
        "A name leads into our own network.",
        CONNECTION,
        "list(filter(self._address.may_resolve_to, numbers))",
        "numbers",
        (f"{OF_CONNECTION}::test_a_name_that_stands_for_a_private_machine_is_not_asked",),
    ),
    SeededFault(
        "A name leads into our own network through a gateway.",
        "engine/bots/over_http/address.py",
        "    if any(number in network for network in IPV4_AT_THE_END):\n        return [last]\n",
        "",
        (f"{FOLDER}/test_address.py",),
    ),
    SeededFault(
        "A name is looked up again for each connection.",
        CONNECTION,
        "self._machines = self._machines or self._resolve_host()",
        "self._machines = self._resolve_host()",
        (f"{OF_CONNECTION}::test_a_name_is_looked_up_once_for_a_match",),
    ),
    SeededFault(
        "Each byte that drips in has the time of a whole answer.",
        CONNECTION,
        "self._socket.settimeout(_remaining_s(self._deadline))\n        size",
        "self._socket.settimeout(5)\n        size",
        (f"{OF_CONNECTION}::test_what_takes_too_long_is_given_up",),
    ),
    SeededFault(
        "Headers may be as long as they like.",
        CONNECTION,
        "if self.received > self._most:",
        "if self.received < 0:",
        (f"{OF_CONNECTION}::test_what_is_too_long_is_not_read_to_the_end",),
    ),
    SeededFault(
        "A bot over HTTP can be handed in.",
        "server/bots/uploads.py",
        "if names_an_address(content):",
        "if not content:",
        (
            "tests/server/bots/test_programs.py::test_a_bot_that_is_asked_over_http_cannot_be_handed_in",
        ),
    ),
)
