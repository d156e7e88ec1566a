"""The site: it has the pages of the server, its links lead on, and it needs no other host."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from docs.site.building import SiteFailed, build_site
from docs.site.pages import SitePages
from runners.configuration import HOME
from server.site.documents import Document, read_contents
from tests.docs_site.html_pages import HtmlPage, article

NAMES = [name for chapter in read_contents(HOME) for name in chapter.names]
BACK = re.compile("↩\ufe0e?")
"""What leads from a footnote back to its place: two arrows, which only look the same."""
PROJECT = '[project.urls]\nSource = "https://github.com/{owner}/slime-mind"\n'
SHOWN = "https://github.com/me/slime-mind/blob/main"
CONTENTS = '[[chapters]]\ntitle = "All"\npages = ["README.md", "docs/a.md"]\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    build_site(HOME, out)
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, HtmlPage]:
    found = sorted(site.rglob("*.html"))
    return {path: HtmlPage(path.read_text(encoding="utf-8")) for path in found}


def a_project(folder: Path, text: str, owner: str = "OWNER") -> Path:
    """Return a project with two pages, a file and a folder."""
    files = {
        "pyproject.toml": PROJECT.format(owner=owner),
        "README.md": "# Read\n\n[A](docs/a.md#here)\n",
        "docs/a.md": f"# A\n\n## Here\n\n{text}\n",
        "docs/contents.toml": CONTENTS,
        "playerCode/x.py": "",
        "resources/sprites/slime_mind/slime_1.svg": "<svg/>",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def test_the_contents_name_each_document_once() -> None:
    documents = {path.relative_to(HOME).as_posix() for path in (HOME / "docs").rglob("*.md")}
    assert sorted(NAMES) == sorted({*documents, "README.md", "CONTRIBUTING.md", "CHANGELOG.md"})


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_the_words_that_it_has_on_a_server(site: Path, name: str) -> None:
    place = Path(SitePages(HOME, "", NAMES).place_of(name)).with_suffix(".html")
    ours = HtmlPage(article((site / place).read_text(encoding="utf-8"))).words
    other = HtmlPage(str(Document(name, HOME / name, frozenset(NAMES)).html)).words
    if name == "README.md":  # its table of pictures is HTML, which a server leaves out
        heading = "Abotintenlines"
        ours, other = ours.partition(heading)[2], other.partition(heading)[2]
    assert BACK.sub("", ours) == BACK.sub("", other)


def test_each_link_and_anchor_leads_somewhere(site: Path, pages: dict[Path, HtmlPage]) -> None:
    assert len(pages) > len(NAMES)  # and the page of what was not found
    lost = []
    for path, page in pages.items():
        for link in (*page.links, *page.loaded):
            if re.match("https?:|mailto:|data:", link):
                continue
            target, _, anchor = unquote(link).partition("#")
            folder = site if link.startswith("/") else path.parent
            file = (folder / target.lstrip("/")).resolve() if target else path
            file = file / "index.html" if file.is_dir() else file
            if not file.is_file() or (anchor and anchor not in pages[file].anchors):
                lost.append(f"{path.relative_to(site)}: {link}")
    assert lost == []


def test_no_page_loads_anything_from_another_host(site: Path, pages: dict[Path, HtmlPage]) -> None:
    assert [each for page in pages.values() for each in page.loaded if "//" in each] == []
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert [style for style in styles if re.search(r"url\(['\"]?(?:https?:)?//", style)] == []


@pytest.mark.slow
def test_pages_opened_from_a_disk_search_and_ask_no_other_host(chromium: Any, site: Path) -> None:
    page = chromium.new_page()
    addresses: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((site / "rules" / "smac.html").as_uri())
    page.click(".md-search__input")
    found = page.locator(".md-search-result__item")
    page.keyboard.type("tourn")
    found.first.wait_for()
    titles = [title.split("\n")[0] for title in found.all_inner_texts()]
    assert "Changelog" not in titles[:-1]
    page.click(".md-search__input", click_count=3)
    page.keyboard.type("side-swapped")
    page.locator(".md-search-result__item a").first.click()
    page.wait_for_url("**/*.html?h=*")
    assert "side-swapped" in page.locator("article").inner_text().casefold()
    assert [each for each in addresses if not each.startswith(("file:", "data:"))] == []
    assert errors == []
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_code_is_whole_and_the_button_that_copies_it_covers_nothing(
    chromium: Any, site: Path, width: int
) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto((site / "organizing.html").as_uri())
    page.locator("pre button").first.wait_for(state="attached")
    blocks = page.evaluate(
        """() => [...document.querySelectorAll("pre:has(button)")].map((pre) => {
            const code = pre.querySelector("code");
            const style = getComputedStyle(code), place = code.getBoundingClientRect();
            const button = pre.querySelector("button").getBoundingClientRect();
            const isBeside = place.right - parseFloat(style.paddingRight) <= button.left;
            const isBelow = place.top + parseFloat(style.paddingTop) >= button.bottom;
            const isWhole = code.scrollWidth <= code.clientWidth || style.overflowX == "auto";
            return [isBeside || isBelow, isWhole, style.whiteSpace == "pre" || innerWidth > 600];
        })"""
    )
    assert blocks
    assert {tuple(block) for block in blocks} == {(True, True, True)}
    broken = page.evaluate(
        """() => [...document.querySelectorAll(":not(pre) > code")].filter((code) =>
            /^--[\\w-]{1,20}$/.test(code.innerText) && code.getClientRects().length > 1).length"""
    )
    assert broken == 0
    page.close()


def test_a_link_to_nothing_is_refused_by_its_name(tmp_path: Path) -> None:
    home = a_project(tmp_path / "home", "[away](#away)")
    with pytest.raises(SiteFailed, match="#away"):
        build_site(home, tmp_path / "site")


def test_files_of_the_repository_are_copied_until_somebody_publishes_it(tmp_path: Path) -> None:
    text = "[x](../playerCode/x.py) [all](../playerCode) `a` \n\n```\n[y](../y.py)\n```\n"
    for owner, links in (
        ("OWNER", ["playerCode/x.py"]),
        (
            "me",
            [f"https://github.com/me/slime-mind/blob/main/playerCode{x}" for x in ("/x.py", "")],
        ),
    ):
        home = a_project(tmp_path / owner, text, owner)
        build_site(home, home / "site")
        page = HtmlPage(article((home / "site" / "a.html").read_text(encoding="utf-8")))
        assert [link for link in page.links if not link.startswith("#")] == links
        assert (home / "site" / "playerCode" / "x.py").exists() == (owner == "OWNER")
        assert "[y](../y.py)" in page.words


def test_a_folder_that_holds_something_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SiteFailed, match="something else than a site"):
        build_site(HOME, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
