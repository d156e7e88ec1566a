"""What somebody may have meant by a word that nothing is called by."""

import pytest
from click.testing import CliRunner

from cli.main import cli
from engine.errors import SlimeMindError
from engine.support.wording import did_you_mean
from tests.cases import for_each


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("max_turn", ["rows", "max_turns"], "; did you mean 'max_turns'?"),
        ("max_turn", ["rows"], ""),
        ("", [], ""),
    ],
)
def test_the_closest_name_is_suggested(word: str, known: list[str], hint: str) -> None:
    assert did_you_mean(word, known) == hint


@for_each(
    "text, meant",
    [
        ("serie", "series"),
        ("-g smak", "smack"),
        ("--runner torunament", "tournament"),
        ("--sandbox strickt", "strict"),
        ("tournament --format swis", "swiss"),
        ("info settings --preset smal", "small"),
        ("info settings --set max_turn=3", "max_turns"),
        ("info settings --limit cpu=3", "cpu_ms"),
        ("-1 player_onne", "player_one"),
        ("versus player_one player_tow", "player_two"),
    ],
)
def test_a_word_of_the_command_line_that_is_nearly_right_is_told_so(text: str, meant: str) -> None:
    done = CliRunner().invoke(cli, text.split())
    output = str(done.exception) if isinstance(done.exception, SlimeMindError) else done.output
    assert f"did you mean '{meant}'?" in output


def test_an_option_that_is_nearly_right_is_told_so() -> None:
    assert "--preset" in CliRunner().invoke(cli, ["--prest", "small"]).output
