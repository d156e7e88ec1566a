"""What tests read of a page: its words, links, anchors, and what it loads."""

import re
from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "source", "wbr"})
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class HtmlPage(HTMLParser):
    """A page, read once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []
        self._texts: list[str] = []
        self._hidden = 0
        self.feed(text)

    @property
    def words(self) -> str:
        """Return what stands on the page, without space."""
        return re.sub(r"\s+", "", "".join(self._texts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])
        if tag in VOID:
            return
        if (
            self._hidden
            or tag in ("script", "style", "sup")
            or "headerlink" in values.get("class", "")
        ):
            self._hidden += 1

    def handle_endtag(self, tag: str) -> None:
        if self._hidden and tag not in VOID:
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._texts.append(data)


def article(text: str) -> str:
    """Return what a page has of its document."""
    return text.partition("<article")[2].partition("</article>")[0].partition(">")[2]
