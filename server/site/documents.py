"""The documents as pages: rendered from their Markdown, linked to each other, and searched."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from posixpath import normpath
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.footnote import footnote_plugin
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from runners.configuration import HOME
from server.http.errors import Denied
from server.http.markdown_text import make_thread_safe, token_text
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission
from server.identity.rate_limits import HOUR_S

FOLDER = "docs"
IMAGES = "images"
PICTURES = (".png", ".gif", ".svg")
MAX_QUERY_LENGTH = 100
"""Letters of a search."""
MAX_SEARCH_RESULTS = 30
PUNCTUATION = "'\"`.,:;!?()"
"""What may stand around a word that is looked for."""
LETTERS_AROUND = 90
"""Letters shown before and after the first word that was found."""
DEEPEST_HEADING = 6


class Section(NamedTuple):
    """A heading and the text below it."""

    document: "Document"
    title: str
    anchor: str
    level: int
    text: str


class Found(NamedTuple):
    """A section in which everything was found that was looked for."""

    section: Section
    excerpt: Markup


class Document:
    """A document; it is rendered when it is first asked for."""

    def __init__(self, name: str, path: Path, names: frozenset[str], site: str = "") -> None:
        """`name` is relative to the project; `names` are those of all documents.

        `site`: the path below which browsers find the server.
        """
        self.name = name
        self._path = path
        self._names = names
        self._site = site

    @property
    def address(self) -> str:
        """Return the path of its page."""
        return f"/docs/{self.name.removeprefix(f'{FOLDER}/')}"

    @property
    def title(self) -> str:
        return TITLES_BY_PAGE.get(self.name, self.sections[0].title)

    @property
    def summary(self) -> str:
        """Return its first paragraph."""
        return self.sections[0].text.partition("\n")[0]

    @cached_property
    def html(self) -> Markup:
        html = _MARKDOWN.renderer.render(self._tokens, _MARKDOWN.options, {})
        # Code that is wider than the page is scrolled with the keyboard, too.
        return Markup(html.replace("<pre>", '<pre tabindex="0">'))

    @cached_property
    def sections(self) -> list[Section]:
        found: list[Section] = []
        title, anchor, level, texts = self.name, "", 1, list[str]()
        tokens = iter(self._tokens)
        for token in tokens:
            if token.type == "heading_open":
                if found or texts or anchor:
                    found.append(Section(self, title, anchor, level, "\n".join(texts)))
                anchor, level, texts = str(token.attrs["id"]), int(token.tag[1:]), []
                title = token_text(next(tokens))
            elif token.content:
                texts.append(token_text(token))
        return [*found, Section(self, title, anchor, level, "\n".join(texts))]

    @cached_property
    def _tokens(self) -> list[Token]:
        tokens = _MARKDOWN.parse(self._path.read_text(encoding="utf-8"))
        _make_accessible(tokens)
        for token in tokens:
            if "style" in token.attrs:  # text-align:right, which the policy of pages forbids
                token.attrs = {"class": str(token.attrs["style"]).partition(":")[2]}
            if token.children is not None:
                token.children = [*self._rewrite_tokens(token.children)]
        return [token for token in tokens if token.type != "html_block"]

    def _rewrite_tokens(self, children: Sequence[Token]) -> Iterator[Token]:
        """Yield what a line holds: links lead to pages of ours, and no HTML is passed through."""
        for token in children:
            if token.type == "link_open":
                self._mend_link(token)
            if token.type == "code_inline" and re.fullmatch(UNBREAKABLE_CODE, token.content):
                is_short = len(token.content) <= MAX_UNBROKEN_LENGTH
                token.attrs = {"class": "whole"} if is_short else {}
            if token.type != "html_inline":
                yield self._rewrite_image(token) if token.type == "image" else token

    def _mend_link(self, token: Token) -> None:
        address = str(token.attrs.get("href", ""))
        parts = urlsplit(address)
        if parts.scheme in ("http", "https"):
            token.attrSet("rel", "noopener noreferrer")
            return
        name = self._resolve_relative(parts.path) if parts.path else self.name
        token.attrs = {}  # to a file that is no page of ours
        if not parts.scheme and name in self._names:
            anchor = f"#{quote(parts.fragment)}" if parts.fragment else ""
            path = quote(name.removeprefix(f"{FOLDER}/"))
            token.attrs = {"href": f"{self._site}/docs/{path}{anchor}"}

    def _rewrite_image(self, token: Token) -> Token:
        """Return the picture, or the words that stand for one that is not here."""
        name = self._resolve_relative(str(token.attrs.get("src", "")))
        if name.startswith(f"{IMAGES}/") and _is_picture(name):
            token.attrs = {"src": f"{self._site}/docs/{quote(name)}", "alt": "", "loading": "lazy"}
            return token
        return Token("text", "", 0, content=token.content)

    def _resolve_relative(self, path: str) -> str:
        return normpath(f"{self.name.rpartition('/')[0]}/{path}").removeprefix("/")


class Documents(Part):
    """The documents of this project."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        chapters, self._moved = read_contents(HOME), read_moved_pages(HOME)
        names = frozenset(name for chapter in chapters for name in chapter.names)
        self._chapters = [
            (
                chapter,
                [Document(name, HOME / name, names, pages.public_path) for name in chapter.names],
            )
            for chapter in chapters
        ]
        self._documents = [one for _, documents in self._chapters for one in documents]
        self._by_address = {one.address: one for one in self._documents}

    @property
    def routes(self) -> Sequence[Route]:
        return [
            self._pages.route("/docs", Permission.ANYBODY, self._index_page),
            self._pages.route(f"/docs/{IMAGES}/{{name}}", Permission.ANYBODY, self._send_picture),
            self._pages.route("/docs/{name:path}", Permission.ANYBODY, self._document_page),
        ]

    def search(self, query: str) -> list[Found]:
        """Return the sections that have all words, also as beginnings of others.

        Those with them in their heading come first, and those of the changelog last.

        Messages differ in names and numbers: where no section has all words, those are returned
        that have the most, if these are more than half.
        """
        words = [
            one
            for word in query[:MAX_QUERY_LENGTH].casefold().split()
            if (one := word.strip(PUNCTUATION))
        ]
        most = len(words) // 2 + 1
        found: list[tuple[tuple[bool, int], Found]] = []
        for document in self._documents:
            for section in document.sections:
                title, text = section.title.casefold(), section.text.casefold()
                there = [word for word in words if word in title or word in text]
                if words and len(there) > most:
                    found, most = [], len(there)
                if words and len(there) == most:
                    hits = sum(100 * (word in title) + text.count(word) for word in there)
                    rank = (document.name == CHANGELOG, -hits)
                    found.append((rank, Found(section, _highlight_excerpt(section.text, there))))
        return [one for _, one in sorted(found, key=lambda one: one[0])][:MAX_SEARCH_RESULTS]

    def _index_page(self, request: PageRequest) -> Response:
        query = request.query_params.get("q", "")[:MAX_QUERY_LENGTH]
        found = self.search(query)
        return request.html("docs.html", chapters=self._chapters, query=query, found=found)

    def _document_page(self, request: PageRequest) -> Response:
        name = request.part("name")
        if name in self._moved:
            path = f"{self._pages.public_path}/docs/{self._moved[name]}"
            return RedirectResponse(path, HTTPStatus.MOVED_PERMANENTLY)
        document = self._by_address.get(f"/docs/{name}")
        if document is None:
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such document")
        return request.html("document.html", document=document)

    def _send_picture(self, request: PageRequest) -> Response:
        name = f"{IMAGES}/{request.part('name')}"
        if not _is_picture(name):
            raise Denied(HTTPStatus.NOT_FOUND, "there is no such picture")
        return FileResponse(HOME / name, headers={"cache-control": f"max-age={HOUR_S}"})


def _make_markdown() -> MarkdownIt:
    """Return what renders as GitHub does: HTML is recognized, so that it can be left out."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    footnote_plugin(markdown, inline=False)
    anchors_plugin(markdown, max_level=DEEPEST_HEADING)
    return make_thread_safe(markdown)


_MARKDOWN = _make_markdown()


def _make_accessible(tokens: Sequence[Token]) -> None:
    """Let wide tables be scrolled with the keyboard; a heading without words is none."""
    for opened, inner, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opened.type == "table_open":
            opened.attrSet("tabindex", "0")
        if opened.type == "th_open" and not inner.content:
            opened.tag = closed.tag = "td"


def _is_picture(name: str) -> bool:
    path = HOME / name
    is_ours = path.parent == HOME / IMAGES and path.suffix in PICTURES
    try:
        return is_ours and path.is_file()
    except OSError:  # a name that no file can have
        return False


def _highlight_excerpt(text: str, words: Sequence[str]) -> Markup:
    """Return the text around the first word, with all of them marked."""
    place = min((at for word in words if (at := text.casefold().find(word)) >= 0), default=0)
    start, end = max(0, place - LETTERS_AROUND), place + LETTERS_AROUND
    shown = "… " * (start > 0) + " ".join(text[start:end].split()) + " …" * (end < len(text))
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    pieces = re.split(f"({pattern})", shown, flags=re.IGNORECASE)
    marked = Markup("<mark>{}</mark>")
    return Markup("").join(
        marked.format(piece) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
    )


CONTENTS_FILE = "docs/contents.toml"
CHANGELOG = "CHANGELOG.md"
"""What was true once: a search has it last."""
UNBREAKABLE_CODE = r"[\w.-]*-[\w.-]*"
"""Code in a line, such as `--rate-limits`, that is not to be broken at its dashes."""
MAX_UNBROKEN_LENGTH = 26
TITLES_BY_PAGE = {"README.md": "Overview"}
"""How pages are listed whose first heading is another."""


class Chapter(NamedTuple):
    """Pages for one kind of reader."""

    title: str
    names: tuple[str, ...]
    """Paths of the pages, relative to the project."""
    about: str = ""
    board: str = ""
    """A picture of a match, relative to the project; '' where the chapter is no door."""


def read_contents(home: Path) -> list[Chapter]:
    """Return the chapters of the project in a folder, in their order.

    Pages that are not there are left out, as of a copy of the program without its documents.
    """
    chapters = [
        Chapter(
            each["title"],
            tuple(name for name in each["pages"] if (home / name).is_file()),
            each.get("about", ""),
            each.get("board", ""),
        )
        for each in _read(home).get("chapters", ())
    ]
    return [chapter for chapter in chapters if chapter.names]


def read_moved_pages(home: Path) -> dict[str, str]:
    """Return the former names of pages, to which others may still link, and where each is now."""
    moved: dict[str, str] = _read(home).get("moved", {})
    return moved


def _read(home: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((home / CONTENTS_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
