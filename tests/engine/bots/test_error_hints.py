"""What is said beside the words of an exception of a bot."""

from pathlib import Path

import pytest

from engine.bots.error_hints import find_hint
from engine.bots.syntax_hints import THIS_PYTHON
from engine.games.slime_mind.pieces import Slime

ATTRIBUTES = [
    *("attack", "current_hp", "id", "level", "max_hp", "max_level", "maximum_hp"),
    *("ready_to_merge", "score", "team", "x", "xp", "y"),
]
BOT = Path("bot.py")
SLIME = Slime(1, 1, 3, 4, 1, 1, 12, 11, 11, 3, False)


def hint(code: str) -> str:
    with pytest.raises(AttributeError) as raised:
        exec(code, {"slime": SLIME})
    return find_hint(raised.value, BOT)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("slime.hp", ". Did you mean: 'current_hp' or 'max_hp' or 'maximum_hp'?"),
        ("slime.minimum_hp", ". Did you mean: 'maximum_hp'?"),
        ("slime.x = 5", ": what a bot is shown cannot be changed; return an order instead"),
        ("None.x", ": it is None; methods that find nothing return None"),
        ("slime.where", f"; it has {', '.join(ATTRIBUTES)}"),
        ("(5).where", ""),
        ("__import__('math').sumpro_of", "; this is " + THIS_PYTHON),
    ],
)
def test_an_attribute_that_is_not_there_is_told_with_what_is(code: str, expected: str) -> None:
    assert hint(code) == expected


def test_an_exception_of_a_bots_own_has_no_hint() -> None:
    assert find_hint(AttributeError("nothing of ours"), BOT) == ""
