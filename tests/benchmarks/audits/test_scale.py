"""The table of what a league needs."""

from benchmarks.audits.scale import League, Need, as_table


def test_what_gives_first_stands_first() -> None:
    small = Need("tables", "9 ms", "1 h", 0.021, "a core", "more web processes")
    large = Need("playing", "500 ms", "139 h", 5.79, "a core", "more machines")
    lines = as_table([small, large]).splitlines()
    assert lines[2] == "| playing | 500 ms | 139 h | 5.8 of a core | more machines |"
    assert lines[3].startswith("| tables |")


def test_bots_are_shared_by_the_ladders() -> None:
    assert League(10_000, 1_000_000, 10).bots_of_ladder == 1_000
