"""`main.py ask`: what a bot would order in a recorded turn, and suites of positions."""

from pathlib import Path

import pytest

from engine.errors import BadReplay, BadSettings
from runners.authoring.positions import read_positions
from slime_mind_arena.testing import Workbench, positions_in
from tests.cli.authors import Author, read_error
from tests.shell import BOT, WALKER

REMEMBERS = BOT.replace("    def decide", "    rounds = 0\n\n    def decide").format(
    "self.rounds += 1; print(self.rounds); return 'LEFT'"
)
OTHERWISE = BOT.format("return 'UP' if self.board.turn == 4 else 'LEFT'")


def test_what_is_ordered_now_stands_beside_what_was_ordered(author: Author, key: str) -> None:
    author.bot("player_other.py", OTHERWISE)
    out = author.ok("ask", "player_other", "--match", key, "--turns", "3-4", code=1)
    assert "player_other as team 1 of results/matches/" in out
    assert "turn 3, piece 1  the same: LEFT" in out
    assert "turn 4, piece 1  now:      UP" in out
    assert "recorded: LEFT" in out
    assert out.endswith("4 decisions, 2 of them changed\n")


def test_the_same_bot_orders_the_same(author: Author, key: str) -> None:
    answers = author.json("ask", "player_left", "--match", key, "--turn", "6")
    assert [answer["now"] for answer in answers] == ["LEFT", "LEFT"]
    assert all(answer["is_same"] for answer in answers)
    assert author.json("ask", "player_walker", "--turn", "6")[0]["team"] == 2, "its own team"


def test_a_bot_remembers_the_turns_before_unless_it_is_fresh(author: Author, key: str) -> None:
    author.bot("player_left.py", REMEMBERS)
    arguments = ("ask", "player_left", "--match", key, "--turn", "4", "--bot-logs")
    # Two slimes in each of the turns 1 to 4.
    assert "turn 4, slime 3\n8\n" in author.ok(*arguments)
    assert "turn 4, slime 1\n1\n" in author.ok(*arguments, "--fresh")


def test_what_it_logs_meanwhile_stands_below(author: Author, key: str) -> None:
    author.bot("player_left.py", BOT.format("self.log.info(f'for {slime.id}'); return 'LEFT'"))
    arguments = ("ask", "player_left", "--match", key, "--turn", "4")
    assert "turn 4, piece 1  the same: LEFT" in author.ok(*arguments)
    assert "info: for 3\n" in author.ok(*arguments)
    (first, _) = author.json(*arguments, "--in-process")
    assert first["logged"] == ["info: for 1"]


def test_a_fault_is_what_a_bot_orders_too(author: Author, key: str) -> None:
    author.bot("player_left.py", BOT.format("return 1 / 0"))
    out = author.ok("ask", "player_left", "--match", key, "--turn", "2", "--piece", "1", code=1)
    assert "exception: ZeroDivisionError: division by zero (player_left, line 6)" in out


SHORT = {
    "smack": ("--set", "ply_limit=4"),
    "smac": ("--preset", "short", "--set", "last_turn=9"),
    "game_of_death": ("--preset", "small", "--set", "max_turns=3"),
}


@pytest.mark.parametrize("game", SHORT)
def test_every_game_can_be_asked(author: Author, game: str) -> None:
    author.ok("-g", game, "new", "mine")
    bots = ("-1", "player_mine", "-2", "player_mine", "--render", "none", "--seed", "3")
    result = author.json("-g", game, *SHORT[game], *bots)
    answers = author.json("ask", "player_mine", "--match", result["key"], "--turn", "1")
    assert answers
    assert all(answer["is_same"] for answer in answers)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--turn", "99"], "team 1 decides nothing in turn 99; the match has turns up to 12"),
        (["--turns", "5-4"], "expected two turns, such as 400-412"),
        (["--turn", "2", "--turns", "2-3"], "name the turn: --turn 412, or --turns 400-412"),
        ([], "name the turn: --turn 412, or --turns 400-412"),
        (["--turn", "2", "--team", "3"], "has teams 1 to 2, not 3"),
        (["--turn", "2", "--piece", "77"], "decides nothing about that piece in turn 2"),
        (["--turn", "2", "--match", "nothing"], "no such file, and no recorded match"),
        (["--positions", "none.toml"], "none.toml: cannot be read: No such file"),
        (["--positions", "x.toml", "--turn", "3"], "--positions has the matches and turns of its"),
    ],
    ids=lambda arguments: " ".join(arguments) if isinstance(arguments, list) else "",
)
def test_what_cannot_be_asked_is_told(
    author: Author, key: str, arguments: list[str], message: str
) -> None:
    assert message in read_error(author.run("ask", "player_left", *arguments))


def test_the_lines_of_a_sheet_are_what_is_compared_and_expected(author: Author) -> None:
    author.ok("-g", "smac", "new", "mine")
    bots = ("-1", "player_mine", "-2", "player_mine", "--render", "none", "--seed", "3")
    result = author.json("-g", "smac", *SHORT["smac"], *bots)
    arguments = ("ask", "player_mine", "--match", result["key"], "--turn", "1")
    out = author.ok(*arguments, "--keep", "suite.toml")
    assert "the same: evolve " in out
    positions = read_positions(author.home / "suite.toml")
    assert all(position.best for position in positions), "an empty sheet is not kept"
    position = positions[-1]
    assert position.best[0].startswith("evolve ")
    path = author.home / "playerCode" / "smac" / "player_mine.py"
    path.write_text(path.read_text().replace("orders.evolve_level(", "str("))
    out = author.ok(*arguments, code=1)
    assert f"less: {position.best[0]}" in out


def test_breakpoints_stop_in_the_wanted_turn_alone(author: Author, key: str) -> None:
    author.bot("player_left.py", BOT.format("breakpoint(); return 'LEFT'"))
    with pytest.MonkeyPatch.context() as patch:
        turns = list[int]()
        patch.setattr("sys.breakpointhook", lambda: turns.append(1))
        author.ok("ask", "player_left", "--match", key, "--turn", "4", "--in-process")
    assert len(turns) == 2, "two slimes"


# -- suites of positions ------------------------------------------------------------------------


def keep_positions(author: Author, key: str) -> Path:
    """Keep two positions of the match."""
    arguments = ("ask", "player_left", "--match", key, "--turn", "4", "--keep", "suite.toml")
    assert "kept 2 positions in suite.toml" in author.ok(*arguments)
    return author.home / "suite.toml"


def test_a_position_is_kept_with_its_match_and_asked_again(author: Author, key: str) -> None:
    suite = keep_positions(author, key)
    first, second = read_positions(suite)
    assert (first.turn, first.team, first.best, first.piece) == (4, 1, ("LEFT",), 1)
    assert first.replay == second.replay == suite.parent / first.replay
    assert first.replay.exists()
    out = author.ok("ask", "player_left", "--positions", "suite.toml")
    assert out.endswith("2 of 2 positions right\n")
    author.bot("player_other.py", OTHERWISE)
    out = author.ok("ask", "player_other", "--positions", "suite.toml", code=1)
    assert "WRONG  turn 4: ordered UP; best: LEFT" in out


def test_a_fault_is_nothing_to_be_kept(author: Author, key: str) -> None:
    author.bot("player_left.py", BOT.format("return 1 / 0"))
    arguments = ("ask", "player_left", "--match", key, "--turn", "4", "--keep", "suite.toml")
    assert "ordered nothing there that could be expected" in read_error(author.run(*arguments))
    assert not (author.home / "suite.toml").exists()


def test_what_is_to_be_avoided_is_wrong(author: Author, key: str) -> None:
    suite = keep_positions(author, key)
    text = (
        suite.read_text()
        .replace('best = ["LEFT"]', "best = []")
        .replace("avoid = []", 'avoid = ["LEFT"]')
    )
    suite.write_text(text)
    out = author.ok("ask", "player_left", "--positions", "suite.toml", code=1)
    assert "ordered LEFT; to be avoided: LEFT" in out


def test_the_fixture_asks_positions_and_checks(author: Author, key: str, tmp_path: Path) -> None:
    suite = keep_positions(author, key)
    bench = Workbench(tmp_path / "bench")
    parameters = positions_in(suite)
    assert [parameter.id for parameter in parameters] == ["turn 4", "turn 4"]
    answer = bench.ask(author.home / "playerCode" / "player_left.py", parameters[0].values[0])
    assert (answer.is_right, answer.why) == (True, "ordered LEFT")
    report = bench.check(author.home / "playerCode" / "player_left.py", turns=2, preset="small")
    assert report.problems == ()
    bench.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[position]]\nturn = 1\n", "missing required field `replay`"),
        ("[[position]]\nreplay = 'a'\nturn = 1\n", "expects nothing: name orders in best or avoid"),
        ("[[position]]\nreplay = 'a'\nturn = 'x'\nbest = ['a']", "Expected `int`, got `str`"),
        ("[[position]]\nreplay = 'a'\nturn = 1\nbets = ['a']", "unknown field `bets`"),
        ("[[position", "is not TOML"),
        ("", "has no position"),
    ],
)
def test_what_is_wrong_in_a_suite_is_told(author: Author, text: str, message: str) -> None:
    author.bot("player_left.py", WALKER)
    (author.home / "suite.toml").write_text(text)
    assert message in read_error(author.run("ask", "player_left", "--positions", "suite.toml"))


def test_an_expected_order_that_is_none_is_told(author: Author, key: str) -> None:
    suite = keep_positions(author, key)
    suite.write_text(suite.read_text().replace('best = ["LEFT"]', 'best = ["LEFFT"]'))
    done = author.run("ask", "player_left", "--positions", "suite.toml")
    assert isinstance(done.exception, BadSettings)
    assert "'LEFFT' cannot be ordered there; did you mean 'LEFT'?" in str(done.exception)


def test_a_match_that_is_gone_is_told(author: Author, key: str) -> None:
    suite = keep_positions(author, key)
    read_positions(suite)[0].replay.unlink()
    done = author.run("ask", "player_left", "--positions", "suite.toml")
    assert isinstance(done.exception, BadReplay)
