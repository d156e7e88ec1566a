"""A ladder on which four bots play as two pairs, and its pages (rules 8.9)."""

from pathlib import Path

import msgspec
import pytest

from engine.bots.finding import Copies, read_bot
from engine.catalog import find_game
from engine.limits import Limits
from runners.contests.contests import usual_spec
from runners.contests.ladder_fixtures import LadderFixtures
from runners.contests.ladder_ratings import compute_ratings, publish
from runners.storage.database import Database, now
from runners.storage.store import StoredResult
from tests.engine.games.game_of_death.test_four import NUMBERS
from tests.runners.contests.fields import a_result
from tests.server.contests.field import bot_in, bots_in, enter_all, ladder_in, person_in, play_until
from tests.server.members import page_text, serving

PAIRS = ((1, 3), (2, 4))
NAMES = ("ann", "ben", "cem", "dan")
GAME = find_game("game_of_death")
SETTINGS = GAME.settings(**NUMBERS, groups=PAIRS, max_turns=6)
SPEC = msgspec.structs.replace(
    usual_spec(GAME),
    settings=SETTINGS,
    limits=Limits(cpu_ms=5_000, wall_ms=20_000, load_ms=30_000, bank_s=600),
)
ARMY = """
from engine.games.game_of_death.player import BasePlayer, Shape


class Bar(Shape):
    drawing = "{drawing}"

    def update(self):
        {act}

    def die(self):
        self.rest()


class Player(BasePlayer):
    def design(self):
        self.place(Bar, 26, self.home.v)
"""


def test_whoever_wins_with_any_partner_is_rated_best(database: Database) -> None:
    ladder, known = ladder_in(database, GAME.name, spec=SPEC), LadderFixtures(database)
    bots = bots_in(database, *NAMES, game=GAME.name)
    enter_all(database, ladder, bots)
    best = bots[0].version
    contenders = {one.version: one for one in known.find_contenders(ladder.id)}
    for number in range(9):
        # Each of the others is its partner equally often.
        partner, *rivals = (bots[1 + (number + step) % 3].version for step in range(3))
        seated = [contenders[one] for one in (best, rivals[0], partner, rivals[1])]
        for fixture in known.add_set(ladder, seated, number):
            side = fixture.seats.index(best) % 2
            scores = [2.0 * (seat % 2 == side) for seat in range(4)]
            result = msgspec.structs.replace(a_result(fixture.key, scores), groups=PAIRS)
            known.save_result(fixture, result, GAME.name)
    with database.reading() as connection:
        found = compute_ratings(connection, ladder.id)
    elos = {version: one.elo or 0.0 for version, one in found.items()}
    # A partner is no opponent: of the others each has lost two of three, and all are equal.
    others = [elos[bot.version] for bot in bots[1:]]
    assert elos[best] > max(others) + 100
    assert max(others) - min(others) == pytest.approx(0, abs=1)


@pytest.mark.slow
def test_a_ladder_of_pairs_is_played_and_shown(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    with serving(folder) as server:
        database = server.storage.database
        ladder = ladder_in(database, GAME.name, name="Pairs", spec=SPEC)
        for number, name in enumerate(NAMES):
            path = tmp_path / f"{name}.py"
            act = 'self.attack("forward")' if number == 0 else 'self.move("forward")'
            path.write_text(ARMY.format(drawing="#" * (4 + number), act=act), encoding="utf-8")
            bot = read_bot(path)
            Copies(folder / "bots").save(bot)
            person = person_in(database, name.title())
            made = bot_in(database, person, name, game=GAME.name, digest=bot.digest)
            enter_all(database, ladder, [made])
        rows = play_until(database, folder, ladder, 8)
        with database.reading() as connection:
            publish(database, ladder.id, compute_ratings(connection, ladder.id), now())
        results = [msgspec.json.decode(row.result, type=StoredResult) for row in rows]
        assert {result.groups for result in results} == {PAIRS}
        assert {len(result.winners) for result in results} <= {0, 2}
        visitor = server.browser()
        table = visitor.text(f"/contests/{ladder.id}")
        assert all(name in table for name in NAMES)
        for row, result in zip(rows[:4], results, strict=False):
            page = page_text(visitor.get(f"/matches/{row.public_id}"))
            assert page.count(" won ") >= len(result.winners)
            assert page.count(" drawn ") >= (4 if not result.winners else 0)
