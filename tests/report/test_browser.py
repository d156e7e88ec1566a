"""A report in a real browser, opened from the disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from report.boxes import Box, Slot
from report.report import Report
from runners.statistics.scores import Score
from tests.report.made_up import (
    a_rating,
    a_report,
    a_row,
    all_entries,
    hostile_report,
    unrated_rating,
    write_report_site,
)

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
PATIENCE_MS = 30_000
NAMES = (
    *("index.html", "crosstable.html", "rounds.html", "matches/1.html", "replays.html"),
    "bots/2.html",
)
SETTLED = {"timeout": PATIENCE_MS}

Open = Callable[..., Any]


def a_rich_report() -> Report:
    rows = [a_row(n, name=f"player_with_a_rather_long_name_{n + 1}") for n in range(12)]
    scores = [Score((n, n + 1), (1.0, 0.0)) for n in range(0, 12, 2) for _ in range(2)]
    slots = (Slot(entrant=0, points=1.0, has_won=True), Slot(entrant=1, points=0.0))
    boxes = tuple(Box(round=n, pairing=1, label=f"round {n}", slots=slots) for n in range(1, 9))
    return a_report(rows=rows, matches=132, scores=scores, rounds=boxes)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report_site(
        tmp_path_factory.mktemp("rich") / "site", a_rich_report(), all_entries(12)
    )


class Pages:
    """A page for each kind of screen: one that goes to another address begins anew there."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._pages: dict[str, Any] = {}
        self.troubles: list[str] = []
        """What went wrong in them, and whatever left the site."""
        self._site = ""

    def open(self, site: Path, name: str | Path, **options: Any) -> Any:
        page = self._page(DESKTOP | options)
        self._site = site.as_uri()
        page.goto(f"{self._site}/{name}")
        return page

    def close(self) -> None:
        for page in self._pages.values():
            page.context.close()

    def _page(self, options: dict[str, Any]) -> Any:
        key = repr(sorted(options.items()))
        if key not in self._pages:
            page = self._pages[key] = self._chromium.new_context(**options).new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("request", self._on_request)
            page.on("pageerror", lambda error: self.troubles.append(str(error)))
            page.on("console", lambda line: self.troubles.append(line.text))
            page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        return self._pages[key]

    def _on_request(self, request: Any) -> None:
        if not request.url.startswith(self._site):
            self.troubles.append(request.url)


@pytest.fixture(scope="module")
def pages(chromium: Any) -> Iterator[Pages]:
    pages = Pages(chromium)
    yield pages
    pages.close()


@pytest.fixture
def opened(pages: Pages) -> Iterator[Open]:
    """Opens pages; what goes wrong in them, and whatever leaves the site, fails the test."""
    pages.troubles.clear()
    yield pages.open
    assert pages.troubles == []


@pytest.mark.slow
@pytest.mark.variants(2)
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_fits_a_phone_by_night_and_by_day(
    site: Path, opened: Open, name: str, scheme: str
) -> None:
    page = opened(site, name, color_scheme=scheme, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme


@pytest.mark.slow
@pytest.mark.variants(1)
@pytest.mark.parametrize("name", NAMES)
def test_a_page_fits_a_desk(site: Path, opened: Open, name: str) -> None:
    page = opened(site, name)
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    assert page.evaluate("getComputedStyle(document.querySelector('header')).display") == "flex"


@pytest.mark.slow
def test_what_strangers_write_does_nothing(tmp_path: Path, opened: Open) -> None:
    site = write_report_site(tmp_path / "site", *hostile_report())
    paths = sorted(site.rglob("*.html"))
    assert len(paths) > 1
    for path in paths:
        page = opened(site, path.relative_to(site))
        assert page.locator("script").count() == 1
        assert page.locator("main img").count() == 0


def _column(page: Any, number: int) -> list[str]:
    cells = page.locator(f"tbody tr td:nth-child({number})").all_inner_texts()
    return [cell.split("\n")[0] for cell in cells]


@pytest.mark.slow
def test_a_table_is_sorted_by_the_column_that_is_chosen(site: Path, opened: Open) -> None:
    page = opened(site, "index.html")
    points = _column(page, 5)
    assert points == [str(n) for n in range(99, 87, -1)]
    page.get_by_role("button", name="Points").click()
    assert _column(page, 5) == points
    page.get_by_role("button", name="Points").click()
    assert _column(page, 5) == points[::-1]
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Points")


def test_numbers_in_names_are_sorted_as_numbers(site: Path, opened: Open) -> None:
    page = opened(site, "index.html")
    page.get_by_role("button", name="Bot").click()
    assert _column(page, 2) == [f"player_with_a_rather_long_name_{n}" for n in range(1, 13)]


def test_what_has_no_figure_is_sorted_last(tmp_path: Path, opened: Open) -> None:
    ratings = [unrated_rating(0), a_rating(1), a_rating(2)]
    site = write_report_site(tmp_path / "site", a_report(ratings=ratings), all_entries(3))
    page = opened(site, "index.html")
    for order in (["player_2", "player_3"], ["player_3", "player_2"]):
        page.get_by_role("button", name="Rating").click()
        assert _column(page, 2) == [*order, "player_1"]


@pytest.mark.slow
def test_results_are_hidden_until_they_are_wanted(site: Path, opened: Open) -> None:
    page = opened(site, "matches/1.html")
    scores = page.locator(".side b")
    assert scores.first.is_visible()
    page.click(".hide-results")
    assert not any(scores.nth(number).is_visible() for number in range(4))
    assert not page.locator("td.ended .spoiler").first.is_visible()
    weight = "name => getComputedStyle(name).fontWeight"
    assert page.locator(".side.won a").first.evaluate(weight) == "400"
    page.reload()
    assert page.get_attribute(".hide-results", "aria-pressed") == "true"
    page.click(".hide-results")
    assert scores.first.is_visible()


def test_a_match_is_watched_without_its_result_where_results_are_hidden(
    tmp_path: Path, opened: Open
) -> None:
    entries = all_entries(2)
    key = entries[0].key
    report = a_report(replays={key: f"replays/{key}.html"}, matches=len(entries))
    page = opened(write_report_site(tmp_path / "site", report, entries), "matches/1.html")
    page.click(".hide-results")
    assert page.evaluate("document.querySelector('a.watch').hash") == "#hide"
    page.click(".hide-results")
    assert page.evaluate("document.querySelector('a.watch').hash") == ""


@pytest.mark.slow
def test_the_theme_is_chosen_and_remembered(site: Path, opened: Open) -> None:
    page = opened(site, "index.html", color_scheme="dark")
    page.click(".theme")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    page.click("nav >> text=Crosstable")
    page.wait_for_url("**/crosstable.html")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


@pytest.mark.slow
def test_without_scripts_all_is_there_to_be_read(site: Path, opened: Open) -> None:
    page = opened(site, "index.html", java_script_enabled=False)
    assert page.locator("tbody tr").count() == 12
    assert page.locator("thead th").first.inner_text() == "#"


@pytest.mark.slow
def test_a_cell_of_the_crosstable_leads_to_its_matches(site: Path, opened: Open) -> None:
    page = opened(site, "crosstable.html")
    page.locator("tbody tr").first.locator("td a").nth(1).click()
    assert page.url.endswith("matches/1.html#r1-2-1")
    page.wait_for_selector("tr:target")


def test_a_table_that_goes_on_to_the_side_fades_out_there(site: Path, opened: Open) -> None:
    page = opened(site, "crosstable.html", **PHONE)
    faded = "getComputedStyle(document.querySelector('.scroll')).maskImage.includes('100% - 36px')"
    # Functions, since what is looked at again as a text is refused by the page's content policy.
    page.wait_for_function(f"() => {faded}", **SETTLED)
    page.evaluate("document.querySelector('.scroll').scrollLeft = 10000")
    page.wait_for_function(f"() => !{faded}", **SETTLED)
