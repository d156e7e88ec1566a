"""What bots printed, found again by turn and piece."""

from pathlib import Path

from visualizer.model.drawings import MAX_LINES, read_logs

LOG = """before anything was asked
--- turn 1, slime 3
hungry
still hungry
--- turn 1, slime 5

--- turn 2
about nothing in particular
--- turn 2, slime 3
\x1b[31mred\x07
--- turning away
"""


def test_lines_belong_to_the_round_they_were_printed_in(tmp_path: Path) -> None:
    (tmp_path / "1-player_one.log").write_text(LOG)
    (tmp_path / "2-player_1-3.log").write_text("--- turn 1, slime 4\nmine\n")
    assert read_logs(tmp_path) == {
        (0, 1, 0): ["before anything was asked"],
        (1, 1, 3): ["hungry", "still hungry"],
        (2, 1, 0): ["about nothing in particular"],
        (2, 1, 3): ["·[31mred·", "--- turning away"],
        (1, 2, 4): ["mine"],
    }


def test_a_bot_that_floods_its_log_is_cut(tmp_path: Path) -> None:
    (tmp_path / "1-loud.log").write_text("--- turn 7, slime 1\n" + "loud\n" * 5_000)
    assert read_logs(tmp_path) == {(7, 1, 1): ["loud"] * MAX_LINES}


def test_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "1-odd.log").write_bytes(b"--- turn 1, slime 1\n\xff\xfe ok\n")
    assert read_logs(tmp_path)[1, 1, 1][0].endswith(" ok")


def test_without_logs_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text("{}")
    assert read_logs(tmp_path) == {}
    assert read_logs(tmp_path / "nowhere") == {}
