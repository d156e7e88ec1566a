"""Tournaments that pause between their rounds."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from runners.contests.contests import TournamentChoices
from runners.contests.ledger import State
from runners.contests.open_tournaments import NextRound, RoundByRound
from runners.contests.persistence import load_tournament
from runners.contests.tournament import Tournament
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.store import Store
from runners.storage.tables import contests, matches
from server.contests import tournament_views
from server.contests.notices import tell_of_round
from server.contests.tournaments import Tournaments
from tests.server.contests.field import (
    Made,
    bots_in,
    enter_all,
    play_on_paper,
    playing,
    read_notices,
    real_bot_in,
    tiny_ladder_in,
)
from tests.server.members import Server
from tests.shell import eventually

CHOICES = TournamentChoices(format="round_robin", games=1, rounds=None, table=2, break_minutes=60)
NAMES = ("ann", "bob", "cid", "dot")


class Cup:
    """A round robin of four bots with a break of an hour: three rounds of two pairings."""

    def __init__(self, database: Database, out: Path, bots: list[Made]) -> None:
        self.database, self.bots, self.store = database, bots, Store(database)
        self.received: list[NextRound] = []
        ladder, tournaments = tiny_ladder_in(database), Tournaments(database, RunOptions(out=out))
        enter_all(database, ladder, bots)
        tournaments.make("cup", ladder, tournaments.candidates(ladder.id), CHOICES)

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

    def play(self, most: int = 99) -> tuple[RoundByRound, dict[int, int]]:
        """Play what is open; return the contest, and how many matches each round has now."""
        contest = RoundByRound(self.now(), RunOptions().play, 3600, self.received.append)
        play_on_paper(contest, most)
        return contest, {number: len(keys) for number, keys in self.played_keys().items()}


@pytest.fixture
def cup(database: Database, tmp_path: Path) -> Cup:
    return Cup(database, tmp_path, bots_in(database, *NAMES))


def test_only_one_round_is_open_at_once(cup: Cup) -> None:
    contest = RoundByRound(cup.now(), RunOptions().play, 3600, cup.received.append)
    assert {entry.pairing.round for entry in contest.open_fixtures()} == {1}
    assert contest.opens_at is None
    assert cup.received == []


def test_a_round_that_was_broken_off_goes_on_without_a_break(cup: Cup) -> None:
    assert cup.play(1)[1] == {1: 1}
    assert cup.play()[1] == {1: 4}
    assert {one.number for one in cup.received} == {2}


def test_a_round_begins_its_break_after_the_one_before(cup: Cup) -> None:
    contest, played = cup.play()
    assert played == {1: 4}
    ended_at = cup.store.last_played_at(cup.played_keys()[1])
    assert ended_at is not None
    assert contest.opens_at == ended_at + timedelta(hours=1)
    ahead = cup.received[0]
    assert set(map(str, cup.received)) == {str(ahead)}
    assert (ahead.number, ahead.opens_at) == (2, contest.opens_at)
    assert sorted(number for meeting in ahead.meetings for number in meeting) == [0, 1, 2, 3]
    for _ in range(2):
        tell_of_round(cup.database, cup.now(), ahead)
    for number, bot in enumerate(cup.bots):
        (words,) = [one for one in read_notices(cup.database, bot.person) if "round 2" in one]
        assert words.startswith(f"cup: round 2 begins after the break; {NAMES[number]} meets ")
    # An hour later, as the database sees it.
    cup.database.write(update(matches).values(played_at=now() - timedelta(hours=2)))
    assert cup.play()[1] == {1: 4, 2: 4}


@pytest.mark.slow
def test_short_breaks_pass_by_themselves_until_all_is_played(
    database: Database, tmp_path: Path
) -> None:
    cup = Cup(database, tmp_path, [real_bot_in(database, tmp_path, name) for name in NAMES])
    database.write(update(contests).values(break_s=1))
    with playing(database, tmp_path):
        assert eventually(lambda: sum(map(len, cup.played_keys().values())) == 12)
    rounds = cup.played_keys()
    rows = database.fetch_all(select(matches.c.key, matches.c.played_at))
    at = {row.key: row.played_at for row in rows}
    for number in (2, 3):
        ended = max(at[key] for key in rounds[number - 1])
        assert min(at[key] for key in rounds[number]) >= ended + timedelta(seconds=1)


def test_the_page_says_when_the_next_round_begins_and_who_meets(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_views, "IDLE_FACTOR", 0)  # what was played is read at once
    database, visitor = server.storage.database, server.browser()
    server.site.contests.player.close()
    cup = Cup(database, server.folder, bots_in(database, *NAMES))
    assert "Round 1 begins" not in visitor.text("/contests/cup")
    cup.play()
    page = visitor.text("/contests/cup")
    assert "Round 2 begins 20" in page
    assert " against " in page[page.index("Round 2") : page.index("Being played now")]
