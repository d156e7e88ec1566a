"""Faults in what is handed in, who meets on a ladder, and how its results are rated."""

from tests.faults.seeded import SeededFault

OF_UPLOADS = ("tests/server/bots/test_uploads.py",)
OF_PAIRING = ("tests/runners/formats/test_open_ladder.py",)
OF_RATING = ("tests/server/contests/test_rating.py",)
OF_FIXTURES = ("tests/server/contests/test_fixtures.py",)
OF_LADDERS = ("tests/server/contests/test_ladders.py",)

FAULTS = (
    SeededFault(
        "A zip whose entries share bytes is unpacked.",
        "server/bots/uploads.py",
        "if entry.header_offset < end:",
        "if entry.header_offset < 0:",
        OF_UPLOADS,
    ),
    SeededFault(
        "Two files are taken whose names are one on Windows.",
        "server/bots/uploads.py",
        "tuple(map(name_key, path))",
        "path",
        OF_UPLOADS,
    ),
    SeededFault(
        "A file may be written beside its bot's folder.",
        "server/bots/uploads.py",
        'if part in ("", ".", ".."):',
        'if part in ("", "."):',
        OF_UPLOADS,
    ),
    SeededFault(
        "A name that is a device on Windows is taken.",
        "server/bots/uploads.py",
        "or RESERVED.fullmatch(part)",
        "or RESERVED.fullmatch(part[1:])",
        OF_UPLOADS,
    ),
    SeededFault(
        "A device in a zip is taken for a file.",
        "server/bots/uploads.py",
        "if kind and not (S_ISREG(kind) or S_ISDIR(kind)):",
        "if kind and not (S_ISREG(kind) or S_IFMT(kind)):",
        OF_UPLOADS,
    ),
    SeededFault(
        "Two bots of one author meet.",
        "runners/formats/open_ladder.py",
        "if seated.isdisjoint(one.authors)]",
        "if one not in table]",
        OF_PAIRING,
    ),
    SeededFault(
        "While some are new nobody else is asked to the board.",
        "runners/formats/open_ladder.py",
        "if new and number % SEEKERS:",
        "if new:",
        OF_PAIRING,
    ),
    SeededFault(
        "Who has played enough for today plays on.",
        "runners/formats/open_ladder.py",
        "candidates if seeker.is_new else awake, sizes)",
        "candidates, sizes)",
        OF_PAIRING,
    ),
    SeededFault(
        "A new version meets the weakest alone.",
        "runners/formats/open_ladder.py",
        "return SPREAD[seeker.sets] if seeker.is_new else 0.0",
        "return 0.0",
        OF_PAIRING,
    ),
    SeededFault(
        "Those who met often meet again and again.",
        "runners/formats/open_ladder.py",
        "+ log2(1 + self._met(self._seeker.version, other.version))",
        "- log2(1 + self._met(self._seeker.version, other.version))",
        OF_PAIRING,
    ),
    SeededFault(
        "Results that were declared void count.",
        "runners/contests/ladder_ratings.py",
        "        fixtures.c.is_void.is_(False),\n    ]",
        "    ]",
        OF_RATING,
    ),
    SeededFault(
        "Ratings of a time count what was played afterwards.",
        "runners/contests/ladder_ratings.py",
        "[*where, fixtures.c.played_at < until]",
        "[*where, fixtures.c.created_at < until]",
        OF_RATING,
    ),
    SeededFault(
        "A new version is as sure of its predecessor's rating as that one was.",
        "runners/contests/ladder_ratings.py",
        "else rating.widened()",
        "else rating",
        OF_RATING,
    ),
    SeededFault(
        "A rating without a limit on one side is taken for a sure one.",
        "runners/contests/ladder_ratings.py",
        "return max(other - self.elo, self.elo - one)",
        "return min(other - self.elo, self.elo - one)",
        OF_RATING,
    ),
    SeededFault(
        "Ratings over time are kept without end.",
        "runners/contests/ladder_ratings.py",
        "if last - history[-2] < (at - history[0]) / MOMENTS:",
        "if last - history[-2] < (at - history[0]) / MOMENTS**9:",
        OF_RATING,
    ),
    SeededFault(
        "The rating of a freeze is dropped for a newer one.",
        "runners/contests/ladder_ratings.py",
        "if last == pinned or len(history) == 1:",
        "if len(history) == 1:",
        OF_RATING,
    ),
    SeededFault(
        "A version whose results are gone keeps its rating.",
        "runners/contests/ladder_ratings.py",
        "if version in found else history",
        "if version in found else []",
        OF_RATING,
    ),
    SeededFault(
        "A match has two results.",
        "runners/contests/ladder_fixtures.py",
        "                fixtures.c.played_at.is_(None),\n            )\n            if connection",
        "            )\n            if connection",
        OF_FIXTURES,
    ),
    SeededFault(
        "A version that broke once is in quarantine.",
        "runners/contests/ladder_fixtures.py",
        "return len(latest) == BREAKS and all(latest)",
        "return any(latest)",
        OF_FIXTURES,
    ),
    SeededFault(
        "A version is in quarantine though it played in between.",
        "runners/contests/ladder_fixtures.py",
        "        .order_by(fixtures.c.played_at.desc(), fixtures.c.id.desc())\n",
        "        .order_by(players.c.is_out.desc())\n",
        OF_FIXTURES,
    ),
    SeededFault(
        "A match that cannot be played is tried a fourth time.",
        "runners/contests/ladder_fixtures.py",
        "if failures >= MOST_TRIES:",
        "if failures > MOST_TRIES:",
        OF_FIXTURES,
    ),
    SeededFault(
        "Bots of a person who is banned play on.",
        "runners/contests/ladder_fixtures.py",
        "    people.c.is_banned.is_(False),\n",
        "",
        OF_FIXTURES,
    ),
    SeededFault(
        "A match waits for a bot that plays no more.",
        "runners/contests/ladder_fixtures.py",
        "or_(entries.c.bot.is_(None), ~PLAYS)",
        "entries.c.bot.is_(None)",
        OF_FIXTURES,
    ),
    SeededFault(
        "A disqualified bot enters again.",
        "runners/contests/ladders.py",
        "if state is EntryState.DISQUALIFIED:",
        "if state is EntryState.DISQUALIFIED and ladder.is_over(at):",
        OF_LADDERS,
    ),
    SeededFault(
        "The sources of bots are shown because their ladder's rules have changed.",
        "runners/contests/ladders.py",
        "source_rule=ladder.source_rule if is_shown else SourceRule.NOBODY,",
        "source_rule=ladder.source_rule,",
        OF_LADDERS,
    ),
    SeededFault(
        "A ladder of other rules is played.",
        "runners/contests/ladders.py",
        "            and self.has_present_rules\n",
        "",
        OF_LADDERS,
    ),
)
