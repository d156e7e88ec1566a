"""Tables as files."""

import json
from pathlib import Path

from report.files import write_table


def test_a_table_is_written_in_both_ways(tmp_path: Path) -> None:
    write_table(tmp_path, "bots", [{"name": "a, b", "points": 1.5}, {"name": "=c", "points": None}])
    assert (tmp_path / "bots.csv").read_text() == 'name,points\n"a, b",1.5\n\'=c,\n'
    assert json.loads((tmp_path / "bots.json").read_text()) == [
        {"name": "a, b", "points": 1.5},
        {"name": "=c", "points": None},
    ]


def test_an_empty_table_is_a_table(tmp_path: Path) -> None:
    write_table(tmp_path, "none", [])
    assert json.loads((tmp_path / "none.json").read_text()) == []
