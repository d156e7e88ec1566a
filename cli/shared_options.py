"""List which shared options count for a command, by the names of their parameters."""

RULES = ("game", "config", "preset", "settings_file", "words", "limits")
"""What says by which rules a match is played."""
ONE_MATCH = (*RULES, "packages", "seed", "sandbox", "out", "prints_json", "quiet")
MANY_MATCHES = (*ONE_MATCH, "secret", "jobs", "replay")
UNTIL_DECIDED = (*MANY_MATCHES, "keeps_going")
WATCHED = (*RULES, "packages", "seed", "sandbox", "out", "quiet", "render", "shows_logs")
CHECKED = (*RULES, "packages", "seed", "sandbox", "out", "prints_json", "shows_logs")
RECORDED = ("packages", "sandbox", "out", "shows_logs", "in_process")
"""What counts for a turn of a recorded match, which says the rest itself."""
RESULTS = ("game", "config", "out", "prints_json")
PEOPLE = (*RULES, "packages", "seed", "past_before", "sandbox", "out")
"""What counts where people play."""

SHARED = {
    "play": PEOPLE,
    "serve": ("sandbox", "replay", "out"),
    "submit": ("game", "prints_json"),
    "watch": WATCHED,
    "tournament": MANY_MATCHES,
    "versus": UNTIL_DECIDED,
    "tune": UNTIL_DECIDED,
    "fairness": UNTIL_DECIDED,
    "new": ("game", "prints_json"),
    "write": ("game", "sandbox", "out"),
    "check": CHECKED,
    "test": ("game",),
    "ask": (*RECORDED, "prints_json"),
    "debug": RECORDED,
    "profile": CHECKED,
    "standings": RESULTS,
    "report": RESULTS,
    "bots": ("game", "prints_json"),
    "design": (*WATCHED, "prints_json"),
    "settings": (*RULES, "prints_json"),
    "sandbox": ("prints_json",),
    "admin": ("out",),
}
"""What counts, by command: the help of each names them."""
