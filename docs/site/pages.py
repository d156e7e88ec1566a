"""The pages of the site: the documents, with links that lead to pages and files of the site."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from posixpath import dirname, normpath, relpath

from server.site.documents import (
    CHANGELOG,
    MAX_UNBROKEN_LENGTH,
    TITLES_BY_PAGE,
    UNBREAKABLE_CODE,
    Chapter,
)

INDEX = "index.md"
README = "README.md"
FOLDER = "docs/"
FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r'(\]\(|(?:href|src)=")(?!https?:|mailto:|#)([^)"\s#]+)')
TABLE_ROW = re.compile(r"^\|.*$", re.MULTILINE)
CODE = re.compile(r"`[^`]+`")
LAST_IN_SEARCH = "---\nsearch: {boost: 0.01}\n---\n"
NOT_HEADING = re.compile(r"^(?!#| {4}).+$", re.MULTILINE)
SHORT_NAME = re.compile(rf"(?<!`)`(?=[^`]{{1,{MAX_UNBROKEN_LENGTH}}}`){UNBREAKABLE_CODE}`(?!`)")
FOLDER_LINK = re.compile(r"\[([^\]]+)\]\(([^):#\s]+)\)")


class SitePages:
    """The documents as MkDocs reads them, and the files that they link to."""

    def __init__(
        self, home: Path, source_url: str, names: Sequence[str], doors: Sequence[Chapter] = ()
    ) -> None:
        """`names`: the pages, relative to `home`; `doors`: the chapters with which the site begins.

        `source_url`: where the files of the repository are shown, or "": then the site has copies
        of those that pages link to.
        """
        self._home = home
        self._source_url = source_url
        self._names = names
        self._doors = doors
        self._linked: set[str] = set()

    def place_of(self, name: str) -> str:
        """Return the path of a page in the site's sources."""
        return INDEX if name == README else name.removeprefix(FOLDER)

    def listed(self, name: str) -> str | dict[str, str]:
        """Return a page as MkDocs lists it: its path, with a title where it has one of its own."""
        place = self.place_of(name)
        return {TITLES_BY_PAGE[name]: place} if name in TITLES_BY_PAGE else place

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the path and the text of each page."""
        for name in self._names:
            yield self.place_of(name), self._mended(name)

    def linked_files(self) -> list[str]:
        """Return the files of the project that the texts link to, relative to it."""
        return sorted(self._linked)

    def _mended(self, name: str) -> str:
        """Return a page's text; what is between fences stays as it is."""
        text = (self._home / name).read_text(encoding="utf-8")
        if name == README:
            title, rest = text.split("\n", 1)
            text = f"{title}\n\n{_render_doors(self._doors)}{rest}"
        if name == CHANGELOG:
            text = LAST_IN_SEARCH + text
        pieces = FENCED.split(text)
        for number in range(0, len(pieces), 2):
            piece = TABLE_ROW.sub(_with_plain_bars, pieces[number])
            piece = FOLDER_LINK.sub(lambda link: self._without_folder(name, link), piece)
            piece = NOT_HEADING.sub(_mark_short_names, piece)
            pieces[number] = LINK.sub(lambda link: self._mended_link(name, link), piece)
        return "".join(pieces)

    def _without_folder(self, name: str, link: re.Match[str]) -> str:
        """Return a link, or its words where it leads to a folder, of which there is no page."""
        text, path = link.groups()
        is_page = self._source_url or not (self._home / _target(name, path)).is_dir()
        return link[0] if is_page else text

    def _mended_link(self, name: str, link: re.Match[str]) -> str:
        before, path = link.groups()
        target = _target(name, path)
        if target in self._names:
            to = self.place_of(target)
            if before != "](":  # MkDocs leaves the links of HTML as they are
                to = f"{to.removesuffix('.md')}.html"
        elif self._source_url and not target.startswith("images/"):
            return f"{before}{self._source_url}/{target}"
        else:
            to = target
            self._linked.add(target)
        return f"{before}{relpath(to, dirname(self.place_of(name)) or '.')}"


def _render_doors(doors: Sequence[Chapter]) -> str:
    """Return the HTML of chapters as doors, each with its board; a door leads to its first page."""
    links = [
        f'<a href="{one.names[0]}"><img src="{one.board}" alt=""><b>{one.title}</b>'
        f"<span>{one.about}</span></a>"
        for one in doors
    ]
    return f'<div class="doors">{"".join(links)}</div>\n\n' if links else ""


def _target(name: str, path: str) -> str:
    """Return where a link of a page leads, relative to the project."""
    return normpath(f"{dirname(name)}/{path}").removeprefix("/")


def _mark_short_names(line: re.Match[str]) -> str:
    """Return a line whose short names, which are not to be broken, have a class."""
    return SHORT_NAME.sub(r"\g<0>{.whole}", line[0])


def _with_plain_bars(row: re.Match[str]) -> str:
    """Return a row of a table without what escapes bars in code: Python-Markdown would show it."""
    return CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0])
