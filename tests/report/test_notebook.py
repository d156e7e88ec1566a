"""What shows itself in a notebook, and the starter notebook."""

import json
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.errors import UsageError
from report.notebook import (
    MAX_ROWS,
    ShownMatch,
    Table,
    html_table,
    play,
    replay,
    results,
    standings,
)
from runners.configuration import HOME
from tests.engine.bots.matches import a_bot
from tests.shell import QUICK, WALKER, Shell

HOSTILE = "<img src=x onerror=alert(1)>"
NOTEBOOK = HOME / "docs" / "notebook.ipynb"


class Tags(HTMLParser):
    """The tags of a text, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> ShownMatch:
    home = tmp_path_factory.mktemp("notebook")
    draws = "self.draw.mark(1, 1, key='plan')\nreturn 'UP'"
    one, two = a_bot(home, draws, name="player_one"), a_bot(home, "return 'DOWN'")
    return play(
        str(one), str(two), seed=1, preset="small", settings={"max_turns": 3}, out=home / "out"
    )


def test_a_match_shows_a_row_for_each_team(match: ShownMatch) -> None:
    assert [(row["team"], row["bot"], row["turns"]) for row in match.rows] == [
        (1, "player_one", 3),
        (2, "player_test", 3),
    ]
    html = match._repr_html_()
    assert html.count("<tr>") == 3
    assert "player_test" in html


def test_a_replay_shows_its_page_in_a_frame_that_reaches_nothing(match: ShownMatch) -> None:
    ((tag, attributes),) = Tags(match.replay(turn=2)._repr_html_()).found
    assert (tag, attributes["sandbox"]) == ("iframe", "allow-scripts")
    assert "src" not in attributes
    page = attributes["srcdoc"]
    assert page == match.replay(turn=2).page.decode()
    assert page.startswith("<!doctype html>")
    assert "default-src 'none'" in page


def test_the_scores_of_a_replay_are_rows(match: ShownMatch) -> None:
    scores = match.replay().scores
    assert len(scores) == 2 * 4
    assert scores.rows[0] == {"turn": 0, "team": 1, "bot": "player_one", "score": 0.0} | {
        "score": scores.rows[0]["score"]
    }
    assert {row["turn"] for row in scores.rows} == {0, 1, 2, 3}


def test_all_results_of_a_folder_are_listed(match: ShownMatch) -> None:
    found = results(match._out)
    assert found.rows == match.rows
    assert found.caption.startswith("1 match of ")
    assert len(results(match._out / "nothing")) == 0
    assert "nothing yet" in results(match._out / "nothing")._repr_html_()


def test_the_newest_replay_is_shown_where_none_is_named(match: ShownMatch) -> None:
    newest = replay(out=match._out)
    assert newest.replay.spec.key == match.result.key


def test_standings_without_a_tournament_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="play a tournament first"):
        standings(out=tmp_path)


def test_texts_of_strangers_are_no_markup() -> None:
    html = html_table([{HOSTILE: HOSTILE}], HOSTILE)
    assert {tag for tag, _ in Tags(html).found} <= {
        *("table", "caption", "thead", "tbody", "tr", "th", "td")
    }
    assert unescape(html).count(HOSTILE) == 3


def test_a_long_table_says_how_many_rows_are_left_out() -> None:
    html = html_table([{"n": number} for number in range(MAX_ROWS + 7)])
    assert html.count("<td>") == MAX_ROWS
    assert "7 more rows" in html


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_a_missing_library_is_named_with_how_to_install_it(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=f"pip install {library}"):
        getattr(Table([{"a": 1}]), f"to_{library}")()


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_rows_become_a_frame_of_an_installed_library(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = ModuleType(library)
    frames.DataFrame = lambda rows, **_: ("a frame", rows)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, library, frames)
    assert getattr(Table([{"a": 1}]), f"to_{library}")() == ("a frame", [{"a": 1}])


def test_the_starter_notebook_runs_and_shows_something_in_every_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "playerCode").symlink_to(HOME / "playerCode")
    content = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert content["nbformat"] == 4
    names: dict[str, Any] = {}
    shown = []
    for cell in content["cells"]:
        assert cell.get("outputs", []) == []
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).split("\n")
            exec("\n".join(lines), names)
            if last.startswith("from "):
                exec(last, names)
            else:
                shown.append(eval(last, names))
    tables = [each for each in shown if hasattr(each, "_repr_html_")]
    assert len(tables) >= 3
    assert all(each._repr_html_().startswith(("<table>", "<iframe ")) for each in tables)


@pytest.mark.slow
def test_the_standings_of_a_tournament_are_a_table(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for name in ("one", "two", "three"):
        shell.bot(f"player_{name}.py", WALKER)
    assert shell.run("tournament", *QUICK, "-j", "1", "--name", "spring").code == 0
    table = standings(out=tmp_path / "results")
    assert {row["bot"] for row in table.rows} == {"player_one", "player_two", "player_three"}
    assert table.caption == "spring, 6 matches"
    assert "Elo" not in table.rows[0]
    assert set(table.rows[0]) >= {"rank", "points", "wins", "elo", "rating"}
