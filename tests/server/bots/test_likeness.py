"""What stays of a file when names, spaces and comments are changed."""

import pytest

from engine.bots.finding import Packed
from server.bots.likeness import LikenessReader, of_source, of_text, own_digests
from tests.server.bots.submitting import GOOD, HOME

SOURCE = '''
"""A bot."""
from engine.games.slime_mind.player import SlimeMindPlayer

class Player(SlimeMindPlayer):
    """It walks."""
    def decide(self, slime):
        """Return an order."""
        # the nearest
        for plant in self.board.plants:
            if plant.x > slime.x:
                return "RIGHT"
        return "LEFT"
'''
CHANGED = """
from engine.games.slime_mind.player import SlimeMindPlayer as Base


class Player(Base):
  def decide(me, it):
      for food in me.board.plants:   # look for food
          if (food.x > it.x):
              return "RIGHT"

      return "LEFT"
"""


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("plant", "food").replace("slime", "it"),
        SOURCE.replace("    ", "\t"),
        SOURCE.replace("\n", "\r\n"),
        SOURCE.replace("        # the nearest\n", "\n\n"),
        SOURCE.replace('    """It walks."""\n', ""),
        SOURCE.replace('"""A bot."""', '"""Mine."""\n# by me'),
        SOURCE.replace('return "LEFT"', 'return (\n    "LEFT")')
        .replace("(\n", "")
        .replace('")', '"'),
    ],
)
def test_names_spaces_comments_and_docstrings_make_no_difference(changed: str) -> None:
    assert changed != SOURCE
    assert of_source(changed.encode()) == of_source(SOURCE.encode())


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace(">", "<"),
        SOURCE.replace('"RIGHT"', '"UP"'),
        SOURCE.replace("slime.x", "plant.x"),
        SOURCE.replace("for plant", "if plant"),
        CHANGED,
        SOURCE + "x = 1\n",
    ],
)
def test_what_is_decided_otherwise_is_another_bot(changed: str) -> None:
    assert of_source(changed.encode()).digest != of_source(SOURCE.encode()).digest


def test_what_python_cannot_read_is_compared_without_its_spaces() -> None:
    broken = b"def decide(:\n  '''no end"
    assert of_source(broken) == of_text(broken)
    assert of_text(b"a  b\n") == of_text(b"a b")


def test_short_files_and_the_projects_own_are_not_compared() -> None:
    packed = Packed(
        files={
            "__init__.py": SOURCE.encode(),
            "starter.py": GOOD,
            "template.py": (HOME / "playerCode" / "player_base.py").read_bytes(),
            "tiny.py": b"x = 1\n",
            "table.json": b"[1, 2]",
            "weights.json": b"[1, 2]" * 50,
            "bot.toml": b'language = "rust"\n' * 50,
        },
        is_folder=True,
    )
    with LikenessReader() as reader:
        found = dict(reader.files_of(packed))
    assert found == {
        "__init__.py": of_source(SOURCE.encode()),
        "weights.json": of_text(b"[1, 2]" * 50),
    }


def test_a_starter_bot_with_other_names_is_the_projects_own() -> None:
    assert of_source(GOOD.replace(b"slime", b"it")).digest in own_digests()


def test_a_source_that_is_too_much_is_compared_as_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> bytes:
        raise TimeoutError("it took too long")

    monkeypatch.setattr("engine.bots.confined_child.ConfinedChild.ask", ask)
    packed = Packed(files={"player_x.py": SOURCE.encode()}, is_folder=False)
    with LikenessReader() as reader:
        assert dict(reader.files_of(packed)) == {"player_x.py": of_text(SOURCE.encode())}
