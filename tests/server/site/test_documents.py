"""The documents as pages: links lead on, nothing of them is passed through, words are found."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest

from runners.configuration import HOME
from server.http.page_requests import Pages
from server.site.documents import Document, Documents, read_contents, read_moved_pages
from tests.server.members import Browser, Server, page_text

HREF = re.compile(r'(?:href|src)="([^"]+)"')


@pytest.fixture
def visitor(lasting: Server) -> Browser:
    return lasting.browser()


def a_document(folder: Path, text: str, name: str = "docs/a.md") -> Document:
    path = folder / "a.md"
    path.write_text(text, encoding="utf-8")
    return Document(name, path, frozenset({name, "docs/rules/smac.md", "README.md"}))


@pytest.mark.slow
def test_every_document_is_a_page_and_every_link_on_it_leads_somewhere(visitor: Browser) -> None:
    index = visitor.get("/docs")
    pages = {link for link in HREF.findall(index.text) if link.startswith("/docs/")}
    assert {"/docs/README.md", "/docs/writing_a_bot.md", "/docs/rules/smac.md"} <= pages
    anchors: dict[str, set[str]] = {}
    links: set[str] = set()
    for page in pages:
        answer = visitor.get(page)
        assert answer.status_code == 200
        article = answer.text.partition("<article")[2].partition("</article>")[0]
        anchors[page] = set(re.findall(r'id="([^"]+)"', article))
        links |= {urljoin(page, unescape(link)) for link in HREF.findall(article)}
    inner = {link for link in links if not link.startswith("http")}
    assert inner
    for link in inner:
        page, _, anchor = link.partition("#")
        assert visitor.get(page).status_code == 200, link
        assert not anchor or anchor in anchors[page], link


def test_the_index_lists_the_pages_by_chapters(visitor: Browser) -> None:
    index = visitor.get("/docs").text
    chapters = read_contents(HOME)
    assert re.findall("<h2>(.+)</h2>", index) == [chapter.title for chapter in chapters]
    names = [name.removeprefix("docs/") for chapter in chapters for name in chapter.names]
    listed = index.partition("<h2>")[2]
    assert re.findall(r'<li><a href="/docs/([^"]+)"', listed) == names


def test_the_index_opens_with_four_doors_and_a_board_for_each(visitor: Browser) -> None:
    index = visitor.get("/docs").text
    doors = index.split('class="card door"')[1:]
    assert [re.findall("<h2>(.+)</h2>", door)[0] for door in doors] == [
        *("Play", "Write", "Organize", "Operate")
    ]
    boards = [re.findall('<img src="([^"]+)"', door) for door in doors]
    assert len({board for (board,) in boards}) == 4
    assert all(visitor.get(board).status_code == 200 for (board,) in boards)


def test_a_copy_without_its_documents_has_an_empty_index(tmp_path: Path) -> None:
    assert read_contents(tmp_path) == []
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "contents.toml").write_text(
        '[[chapters]]\ntitle = "A"\npages = ["a.md"]\n[[chapters]]\ntitle = "B"\npages = ["b.md"]\n'
    )
    (tmp_path / "b.md").write_text("# B\n")
    assert [tuple(chapter) for chapter in read_contents(tmp_path)] == [("B", ("b.md",), "", "")]


def test_html_is_not_passed_through(tmp_path: Path) -> None:
    html = a_document(
        tmp_path,
        "# A <b>b</b>\n\n<script>alert(1)</script>\n\n<img src=x onerror=y>\n\n"
        "a <i onclick=z>b</i> [c](javascript:alert(1)) [d](data:text/html,x) `<b>`\n\n"
        "![e](https://evil.test/x.png) ![f](../../etc/passwd)\n",
    ).html
    assert "<script" not in html
    assert "<img" not in html
    assert "onclick" not in html
    assert "javascript:" not in re.sub("<[^>]*>", "", html).replace("javascript:alert(1)", "")
    assert not HREF.findall(html)
    assert "<code>&lt;b&gt;</code>" in html


def test_links_and_headings_are_mended(tmp_path: Path) -> None:
    document = a_document(
        tmp_path,
        "# What it *costs*\n\nA first paragraph.\n\n## Twice!\n\n## Twice\n\n"
        "[a](rules/smac.md#the-dish) [b](../README.md) [c](../LICENSE) [d](#twice) "
        "[e](https://example.org/x)\n\n|   | y |\n|---|--:|\n| 1 | 2 |\n",
    )
    assert (document.title, document.summary) == ("What it costs", "A first paragraph.")
    assert [one.anchor for one in document.sections] == ["what-it-costs", "twice", "twice-1"]
    assert HREF.findall(document.html) == [
        "/docs/rules/smac.md#the-dish",
        "/docs/README.md",
        "/docs/a.md#twice",
        "https://example.org/x",
    ]
    assert '<table tabindex="0">' in document.html
    assert re.findall("<th.*?>", document.html.partition("<table")[2]) == [
        "<thead>",
        '<th class="right">',
    ]
    assert '<td>1</td>\n<td class="right">2</td>' in document.html


def test_footnotes_are_at_the_end_and_lead_back(tmp_path: Path) -> None:
    document = a_document(
        tmp_path, "# A title[^1]\n\nWords[^b].\n\n[^1]: [a](rules/smac.md)\n[^b]: Late.\n\n## End\n"
    )
    assert [one.anchor for one in document.sections] == ["a-title", "end"]
    assert (document.title, document.summary) == ("A title", "Words.")
    assert HREF.findall(document.html) == [
        *("#fn1", "#fn2"),
        *("/docs/rules/smac.md", "#fnref1", "#fnref2"),
    ]
    assert re.findall(r'id="(fn[^"]*)"', document.html) == ["fnref1", "fnref2", "fn1", "fn2"]


def test_words_are_found_where_they_stand_with_headings_first(
    lasting: Server, visitor: Browser
) -> None:
    documents = Documents(Pages(lasting.site.people, lasting.site.audit))
    found = documents.search("clocks")
    assert found[0].section.title == "Clocks"
    assert "<mark>" in found[-1].excerpt
    page = page_text(visitor.get("/docs?q=clocks"))
    assert "sections" in page
    assert "Clocks" in page
    assert (
        documents.search("tourn")[0].section.title
        == documents.search("tournament")[0].section.title
    )
    assert documents.search("clocks nowheretobefound") == []
    assert documents.search("   ") == []


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("--keep-going", "Options"),
        ("bite_xp", "1. The numbers"),
        ("port 8123 cannot be used: [Errno 98]", "Messages"),
        ("no bot 'player_mime': neither a path nor a file in playerCode", "Messages"),
        ("limit time", "Resource limits"),
        ("several machines", "Clusters"),
        ("points glossary", "Glossary"),
    ],
)
def test_options_settings_and_messages_are_found(lasting: Server, query: str, title: str) -> None:
    documents = Documents(Pages(lasting.site.people, lasting.site.audit))
    assert title in [one.section.title for one in documents.search(query)][:5]


def test_a_search_has_the_changelog_last(lasting: Server) -> None:
    documents = Documents(Pages(lasting.site.people, lasting.site.audit))
    names = [one.section.document.name for one in documents.search("interrupted")]
    assert "CHANGELOG.md" in names
    assert names == sorted(names, key=lambda name: name == "CHANGELOG.md")


def test_what_is_searched_for_is_shown_as_text(visitor: Browser) -> None:
    answer = visitor.client.get("/docs", params={"q": "<script>alert(1)</script> [("})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert "No sections" in page_text(answer)


@pytest.mark.parametrize(
    "path",
    [
        *("/docs/nothing.md", "/docs/../pyproject.toml", "/docs/%2e%2e/pyproject.toml"),
        *("/docs/images/..%2f..%2fLICENSE", "/docs/images/README.md", "/docs/images/none.png"),
        "/docs//etc/passwd",
    ],
)
def test_no_other_file_is_sent(visitor: Browser, path: str) -> None:
    assert visitor.get(path).status_code == 404


@pytest.mark.parametrize(("former", "name"), read_moved_pages(HOME).items())
def test_the_former_address_of_a_page_leads_to_it(visitor: Browser, former: str, name: str) -> None:
    answer = visitor.client.get(f"/docs/{former}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (301, f"/docs/{name}")
    page, _, anchor = name.partition("#")
    text = visitor.get(f"/docs/{page}").text
    assert "<article" in text
    assert not anchor or f'id="{anchor}"' in text
