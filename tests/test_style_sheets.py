"""The sheets of a page's parts: none styles what another part has made."""

import re
from itertools import chain, permutations
from pathlib import Path

from tests.cases import for_each

HOME = Path(__file__).parents[1]
WEB = HOME / "web"
TEMPLATES = "server/templates"
BASE = "base"
"""The part whose classes all pages of the site give to what they make."""
SHEETS = {
    "viewer": ("viewer/details.css", "viewer/page.css", "viewer/live.css"),
    "boards": (
        "boards/board.css",
        "boards/slime_mind.css",
        "boards/smac.css",
        "boards/how_to_play.css",
    ),
    "run": ("designer/run.css",),
    BASE: ("site/style.css", "site/members.css"),
    "arena": ("site/arena.css",),
    "contests": ("site/ladders.css", "site/tournament.css", "shared/podium.css"),
    "front": ("site/front.css", "boards/how_to_play.css"),
    "designer": ("designer/designer.css",),
    "write": ("write/write.css",),
}
MAKERS = {
    "viewer": ("web/viewer/*.js", "web/viewer/page.html"),
    "boards": ("web/boards/*.js",),
    "run": ("web/designer/run.js", f"{TEMPLATES}/run_panel.html"),
    BASE: (),
    "arena": (f"{TEMPLATES}/version.html", f"{TEMPLATES}/submit.html", f"{TEMPLATES}/bots.html"),
    "contests": tuple(
        f"{TEMPLATES}/{name}.html"
        for name in ("*ladder*", "*contest*", "*tournament", "*_rows", "bot")
    ),
    "front": (f"{TEMPLATES}/start.html", f"{TEMPLATES}/visitors.html", "web/site/front.js"),
    "designer": ("web/designer/[!r]*.js", f"{TEMPLATES}/design*.html"),
    "write": ("web/write/*.js", f"{TEMPLATES}/write.html"),
}
"""The scripts and templates that give classes to what they make."""
PAGES = (
    ("viewer", "boards"),
    ("viewer", "run"),
    (BASE, "arena", "designer", "write"),  # `write` shows the steps of a check, as `arena` has them
    (BASE, "contests"),
    (BASE, "front"),
)
"""The parts whose sheets meet in one page."""
SHARED = {"card", "quiet", "unseen", "primary", "zoom", "figure", "heading", "named", "designing"}
"""Classes that parts have by the same name on purpose: the boards move the viewer's zoom."""
CLASSES = re.compile(r"""(?:class(?:: *|=)|classList\.(?:add|toggle)\()["`]([^"`]*)["`]""")
FILLED_IN = re.compile(r"\{[{%].*?[}%]\}")
ALONE = re.compile(r"\.([\w-]+)")
"""A selector that is met wherever its class stands."""


def alone_in(part: str) -> set[str]:
    """Return the classes that sheets of a part style wherever they stand."""
    found = set[str]()
    for name in SHEETS[part]:
        text = re.sub(r"/\*.*?\*/", "", (WEB / name).read_text(), flags=re.DOTALL)
        for heads in re.findall(r"([^{}]+)\{", text):
            selectors = (one.strip() for one in re.split(r",(?![^(]*\))", heads))
            found |= {one[1:] for one in selectors if ALONE.fullmatch(one)}
    return found


def classes_made_by(part: str) -> set[str]:
    """Return the classes that scripts and templates of a part give to what they make."""
    paths = list(chain.from_iterable(map(HOME.glob, MAKERS[part])))
    assert part == BASE or paths, f"nothing makes the part {part}"
    texts = (FILLED_IN.sub(" ", path.read_text()) for path in paths)
    return {name for text in texts for words in CLASSES.findall(text) for name in words.split()}


@for_each("styling, making", {pair: None for page in PAGES for pair in permutations(page, 2)})
def test_no_class_of_one_part_is_styled_by_the_sheet_of_another(styling: str, making: str) -> None:
    made = set[str]() if styling == BASE else classes_made_by(making)
    both = alone_in(styling) & (made | alone_in(making)) - SHARED
    assert not both, (
        f"{sorted(both)}: made or styled in the part {making}, and styled wherever they stand by a "
        f"sheet of {styling}: rename one, or say within what it stands"
    )
