"""A whole site: its pages, its files, and strangers' text in them."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from report import site as match_lists
from report.report import Report
from runners.contests.highlights import Highlight, HighlightKind
from runners.contests.ledger import LedgerEntry, State
from tests.report.made_up import (
    HOSTILE,
    NAMES,
    a_rating,
    a_report,
    a_row,
    all_entries,
    an_entry,
    hostile_report,
    unrated_rating,
    write_report_site,
)
from visualizer.theme import TEAM_COLORS

ELEMENTS_OF_OURS = {"script": {"site.js"}, "link": {"site.css", "data:,"}}


class Elements(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.found.append((tag, attributes))
        self.ids += [found] if (found := attributes.get("id")) else []
        self.links += [
            value for name in ("href", "src") if (value := attributes.get(name)) is not None
        ]


def elements(path: Path) -> Elements:
    return Elements(path.read_text(encoding="utf-8"))


def find_pages(site: Path) -> list[Path]:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 1
    return pages


def text(site: Path, page: str) -> str:
    return (site / page).read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_report_site(tmp_path / "site", a_report(), all_entries(3))


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return write_report_site(tmp_path / "site", *hostile_report())


def test_a_report_is_pages_and_files(site: Path) -> None:
    assert sorted(str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()) == [
        *("bots/1.html", "bots/2.html", "bots/3.html", "crosstable.html", "files/crosstable.csv"),
        *("files/crosstable.json", "files/matches.csv", "files/matches.json"),
        *("files/standings.csv", "files/standings.json", "files/teams.csv", "files/teams.json"),
        *("index.html", "matches/1.html", "replays.html", "site.css", "site.js"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("made", ["site", "hostile"])
def test_every_link_leads_somewhere(made: str, request: pytest.FixtureRequest) -> None:
    site: Path = request.getfixturevalue(made)
    for page in find_pages(site):
        for link in elements(page).links:
            if link == "data:,":
                continue
            target, _, place = link.partition("#")
            path = page.parent / target if target else page
            assert path.is_file(), f"{page}: {link}"
            if place:
                assert place in elements(path).ids, f"{page}: {link}"


def test_no_id_stands_twice_on_a_page(hostile: Path) -> None:
    for page in find_pages(hostile):
        ids = elements(page).ids
        assert len(ids) == len(set(ids)), page


def test_strangers_text_makes_no_element(hostile: Path, tmp_path: Path) -> None:
    report, entries = hostile_report()
    for row in report.rows:
        row.entrant = a_row(row.number, title="a", author="b", version="c").entrant
    harmless = write_report_site(tmp_path / "tame", report, entries)
    for page in find_pages(hostile):
        same = harmless / page.relative_to(hostile)
        assert _shape(page) == _shape(same), page


def _shape(page: Path) -> list[tuple[str, list[str]]]:
    """Elements, and which attributes they have."""
    return [(tag, sorted(attributes)) for tag, attributes in elements(page).found]


def test_no_script_runs_but_ours(hostile: Path) -> None:
    for page in find_pages(hostile):
        for tag, attributes in elements(page).found:
            assert not [name for name in attributes if name.startswith("on")], page
            if tag in ELEMENTS_OF_OURS:
                link = attributes.get("src") or attributes.get("href") or ""
                assert link.removeprefix("../") in ELEMENTS_OF_OURS[tag], page


def test_characters_that_command_are_dots(hostile: Path) -> None:
    content = "".join(page.read_text(encoding="utf-8") for page in find_pages(hostile))
    assert "turned · around·and broken·[31m" in content
    assert not re.search("[\u202e\x1b]", content)


def test_files_are_named_by_us(hostile: Path) -> None:
    names = {path.name for path in hostile.rglob("*")}
    assert not [name for name in names if not re.fullmatch(r"[a-z]+|[a-z0-9]+\.[a-z]+", name)]


def test_spreadsheets_run_no_name(hostile: Path) -> None:
    paths = list((hostile / "files").glob("*.csv"))
    assert paths
    for path in paths:
        with path.open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))], path


def test_programs_read_names_as_they_are(hostile: Path) -> None:
    standings = json.loads(text(hostile, "files/standings.json"))
    assert [row["name"] for row in standings] == list(NAMES)
    assert json.loads(text(hostile, "files/teams.json"))[0]["out"] == f"{HOSTILE} & more"


def test_a_csv_file_says_the_same_as_its_json(site: Path) -> None:
    for name in ("standings", "matches", "teams", "crosstable"):
        rows = json.loads(text(site, f"files/{name}.json"))
        with (site / f"files/{name}.csv").open(newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        said = [
            {key: "" if value is None else str(value) for key, value in row.items()} for row in rows
        ]
        assert lines == said, name


def test_matches_are_split_over_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_lists, "ON_A_PAGE", 4)
    site = write_report_site(tmp_path / "site", a_report(4, 12), all_entries(4))
    assert [len(_match_ids(site, page)) for page in (1, 2, 3)] == [4, 4, 4]
    assert "matches/3.html#r1-5-1" in elements(site / "crosstable.html").links


def _match_ids(site: Path, page: int) -> list[str]:
    return [one for one in elements(site / f"matches/{page}.html").ids if one.startswith("r")]


def test_a_tournament_without_a_match_has_a_report(tmp_path: Path) -> None:
    site = write_report_site(tmp_path / "site", a_report(2, 0), [])
    assert "No match is scheduled yet." in text(site, "matches/1.html")
    assert json.loads(text(site, "files/matches.json")) == []


def test_what_is_open_is_said(tmp_path: Path) -> None:
    site = write_report_site(
        tmp_path / "site", a_report(2, 0, still_open=1), [an_entry(state=State.OPEN)]
    )
    assert "1 remaining" in text(site, "index.html")
    assert "not played yet" in text(site, "matches/1.html")
    assert "No matches yet." in text(site, "bots/1.html")


def test_a_match_names_its_end_its_seed_and_its_command(site: Path) -> None:
    page = text(site, "matches/1.html")
    assert "last turn" in page
    assert "seed 7" in page
    assert "<code>python3 main.py --match 0000000100000001</code>" in page


def _with_highlight(replays: dict[str, str]) -> tuple[Report, list[LedgerEntry]]:
    entries = all_entries(3)
    highlight = Highlight(HighlightKind.UPSET, "the winner is rated 230 lower", entries[0])
    return a_report(highlights=[highlight], replays=replays), entries


def test_a_match_whose_replay_is_kept_can_be_watched(tmp_path: Path) -> None:
    key = all_entries(3)[0].key
    page = f"replays/{key}.html"
    site = write_report_site(tmp_path / "site", *_with_highlight({key: page}))
    for where, link in (("index.html", page), ("matches/1.html", f"../{page}")):
        assert link in elements(site / where).links


def test_a_match_whose_replay_is_gone_is_named_without_a_link(tmp_path: Path) -> None:
    site = write_report_site(tmp_path / "site", *_with_highlight({}))
    assert "the winner is rated 230 lower" in text(site, "replays.html")
    assert "replay not kept" in text(site, "replays.html")
    assert not [link for link in elements(site / "replays.html").links if "replays/" in link]


def test_a_match_of_four_lists_all_of_them(tmp_path: Path) -> None:
    site = write_report_site(tmp_path / "site", a_report(4, 1), [an_entry(0, 1, 2, 3)])
    links = elements(site / "matches/1.html").links
    assert [f"../bots/{number}.html" in links for number in (1, 2, 3, 4)] == [True] * 4


def test_a_large_crosstable_has_no_links(tmp_path: Path) -> None:
    site = write_report_site(tmp_path / "site", a_report(61, 2), all_entries(2))
    assert not [
        link for link in elements(site / "crosstable.html").links if "matches/1.html#" in link
    ]


def test_teams_have_the_colors_of_the_table(tmp_path: Path) -> None:
    sheet = (
        write_report_site(tmp_path / "site", a_report(game="smack"), []) / "site.css"
    ).read_text()
    assert all(f"{{--team:{color};" in sheet for color in TEAM_COLORS)


def test_an_unrated_bot_is_not_drawn(tmp_path: Path) -> None:
    report = a_report(2, 2, ratings=[a_rating(0), unrated_rating(1)])
    page = text(write_report_site(tmp_path / "site", report, all_entries(2)), "index.html")
    assert "not yet comparable" in page
    assert page.count('class="mark"') == 1
