"""Tournaments that pause between their rounds."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from runners.contests.contests import TournamentChoices
from runners.contests.ledger import State
from runners.contests.persistence import load_tournament
from runners.contests.rounds import NextRound, RoundByRound
from runners.contests.tournament import Tournament
from runners.run_options import RunOptions
from runners.storage.database import Database, now
from runners.storage.store import Store
from runners.storage.tables import contests, matches
from server.contests.notices import tell_of_round
from server.contests.tournaments import Tournaments
from tests.server.contests.field import (
    enter_all,
    playing,
    read_notices,
    real_bot_in,
    tiny_ladder_in,
)
from tests.server.members import serving
from tests.shell import eventually

CHOICES = TournamentChoices(format="round_robin", games=1, rounds=None, table=2, break_minutes=60)
NAMES = ("ann", "bob", "cid", "dot")


class Cup:
    """A round robin of four bots with a break of an hour: three rounds of two pairings."""

    def __init__(self, database: Database, out: Path) -> None:
        self.database = database
        self.bots = [real_bot_in(database, out, name) for name in NAMES]
        self.store = Store(database)
        self.tournaments = Tournaments(database, RunOptions(out=out))
        ladder = tiny_ladder_in(database)
        enter_all(database, ladder, self.bots)
        self.tournaments.make("cup", ladder, self.tournaments.candidates(ladder.id), CHOICES)

    def now(self) -> Tournament:
        found = load_tournament(self.store, "cup")
        assert found is not None
        return found

    def played_keys(self) -> dict[int, list[str]]:
        """Return the keys of the matches that were played, by round."""
        rounds: dict[int, list[str]] = {}
        for entry in self.now().ledger():
            if entry.state is State.PLAYED:
                rounds.setdefault(entry.pairing.round, []).append(entry.key)
        return rounds

    def last(self, keys: list[str]) -> datetime:
        at = self.store.last_played_at(keys)
        assert at is not None
        return at


@pytest.fixture
def cup(database: Database, tmp_path: Path) -> Cup:
    return Cup(database, tmp_path)


def open_ones(contest: RoundByRound) -> set[int]:
    """Return the rounds of which a contest has matches to be played."""
    return {entry.pairing.round for entry in contest.open_fixtures()}


def test_only_one_round_is_open_at_once(cup: Cup) -> None:
    received: list[NextRound] = []
    contest = RoundByRound(cup.now(), RunOptions().play, 3600, received.append)
    assert open_ones(contest) == {1}
    assert contest.opens_at is None
    assert received == []


@pytest.mark.slow
def test_a_round_begins_its_break_after_the_one_before(cup: Cup, tmp_path: Path) -> None:
    with playing(cup.database, tmp_path):
        assert eventually(lambda: len(cup.played_keys().get(1, [])) == 4)
        assert not eventually(lambda: 2 in cup.played_keys(), 3.0)
    received: list[NextRound] = []
    contest = RoundByRound(cup.now(), RunOptions().play, 3600, received.append)
    assert open_ones(contest) == set()
    ended_at = cup.last(cup.played_keys()[1])
    assert contest.opens_at == ended_at + timedelta(hours=1)
    (ahead,) = received
    assert (ahead.number, ahead.opens_at) == (2, contest.opens_at)
    assert sorted(number for meeting in ahead.meetings for number in meeting) == [0, 1, 2, 3]
    for _ in range(2):
        tell_of_round(cup.database, cup.now(), ahead)
    for number, bot in enumerate(cup.bots):
        (words,) = [one for one in read_notices(cup.database, bot.person) if "round 2" in one]
        assert words.startswith(f"cup: round 2 begins after the break; {NAMES[number]} meets ")
    # An hour later, as the database sees it.
    cup.database.write(update(matches).values(played_at=now() - timedelta(hours=2)))
    with playing(cup.database, tmp_path):
        assert eventually(lambda: len(cup.played_keys().get(2, [])) == 4)
        assert not eventually(lambda: 3 in cup.played_keys(), 3.0)


@pytest.mark.slow
def test_short_breaks_pass_by_themselves_until_all_is_played(cup: Cup, tmp_path: Path) -> None:
    cup.database.write(update(contests).values(break_s=1))
    with playing(cup.database, tmp_path):
        assert eventually(lambda: sum(map(len, cup.played_keys().values())) == 12)
    rounds = cup.played_keys()
    query = select(matches.c.key, matches.c.played_at)
    with cup.database.reading() as connection:
        at = {row.key: row.played_at for row in connection.execute(query)}
    for number in (2, 3):
        ended = max(at[key] for key in rounds[number - 1])
        assert min(at[key] for key in rounds[number]) >= ended + timedelta(seconds=1)


@pytest.mark.slow
def test_the_page_says_when_the_next_round_begins_and_who_meets(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        cup = Cup(server.storage.database, tmp_path)
        assert "Round 1 begins" not in server.browser().text("/contests/cup")
        with playing(cup.database, tmp_path):
            assert eventually(lambda: len(cup.played_keys().get(1, [])) == 4)
        page = server.browser().text("/contests/cup")
        assert "Round 2 begins 20" in page
        assert " against " in page[page.index("Round 2") : page.index("Being played now")]
