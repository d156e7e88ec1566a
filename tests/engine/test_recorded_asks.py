"""The asks of a recorded match, put to a bot of today."""

from pathlib import Path

import pytest

from engine.bots.finding import read_bot
from engine.errors import BadReplay
from engine.play_options import PlayOptions
from engine.replays.reading import Replay
from runners.authoring.workbench import Question, Workbench
from tests.cli.authors import Author
from tests.shell import BOT


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Replay:
    author = Author(tmp_path, monkeypatch)
    author.bot("player_left.py", BOT.format("return 'LEFT'"))
    key = author.play_match("player_left", "player_left")
    return Replay(author.home / "results" / "matches" / key / "replay.jsonl.gz")


def test_a_bot_that_begins_late_knows_the_board_of_that_turn(replay: Replay) -> None:
    source = "assert self.board.turn in (0, 7), self.board.turn; return 'UP'"
    bot = Path("late.py")
    bot.write_text(BOT.format(source))
    with Workbench(Path("out"), PlayOptions()) as workbench:
        question = Question(replay=replay, team=2, turns=range(7, 8), is_fresh=True)
        answers = list(workbench.ask(read_bot(bot), question))
    assert [str(answer.now) for answer in answers] == ["UP", "UP"]
    assert [answer.place for answer in answers] == ["turn 7, piece 2", "turn 7, piece 4"]


def test_what_it_orders_changes_nothing_of_the_match(replay: Replay) -> None:
    bot = Path("up.py")
    bot.write_text(BOT.format("return 'UP' if self.board.at(slime.x, slime.y) == slime else 1"))
    with Workbench(Path("out"), PlayOptions()) as workbench:
        question = Question(replay=replay, team=1, turns=range(1, 13))
        answers = list(workbench.ask(read_bot(bot), question))
    assert {str(answer.now) for answer in answers} == {"UP"}
    assert {str(answer.recorded) for answer in answers} == {"LEFT"}


def test_a_turn_in_which_nothing_is_asked_is_told(replay: Replay) -> None:
    bot = read_bot(Path("playerCode/player_left.py"))
    question = Question(replay=replay, team=1, turns=range(90, 95))
    with (
        Workbench(Path("out"), PlayOptions()) as workbench,
        pytest.raises(BadReplay, match="decides nothing"),
    ):
        list(workbench.ask(bot, question))
