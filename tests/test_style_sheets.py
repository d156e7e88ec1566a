"""The sheets of a page's parts: none styles what another part has made."""

import re
from itertools import product
from pathlib import Path

import pytest

WEB = Path(__file__).parents[1] / "web"
PARTS = {
    "viewer": ("details.css", "page.css", "live.css"),
    "boards": ("board.css", "slime_mind.css", "smac.css", "how_to_play.css"),
}
"""The folders whose scripts and sheets meet in one page, with those sheets."""
SHARED = {"card", "quiet", "unseen", "primary", "zoom"}
"""Classes that both parts have by the same name on purpose: the boards move the viewer's zoom."""
CLASSES = re.compile(r"""class: *["`]([^"`]*)["`]""")
ALONE = re.compile(r"\.([\w-]+)")
"""A selector that is met wherever its class stands."""


def alone_in(part: str) -> set[str]:
    """Return the classes that sheets of a part style wherever they stand."""
    found = set[str]()
    for name in PARTS[part]:
        text = re.sub(r"/\*.*?\*/", "", (WEB / part / name).read_text(), flags=re.DOTALL)
        for heads in re.findall(r"([^{}]+)\{", text):
            selectors = (one.strip() for one in re.split(r",(?![^(]*\))", heads))
            found |= {one[1:] for one in selectors if ALONE.fullmatch(one)}
    return found


def made_by(part: str) -> set[str]:
    """Return the classes that scripts of a part give to what they make."""
    texts = (path.read_text() for path in (WEB / part).glob("*.js"))
    return {name for text in texts for words in CLASSES.findall(text) for name in words.split()}


@pytest.mark.parametrize(
    ("styling", "making"), [pair for pair in product(PARTS, PARTS) if pair[0] != pair[1]]
)
def test_no_class_of_one_part_is_styled_by_the_sheet_of_another(styling: str, making: str) -> None:
    own = alone_in(making)
    assert made_by(making)
    both = alone_in(styling) & (made_by(making) | own) - SHARED
    assert not both, (
        f"{sorted(both)}: made or styled in web/{making}, and styled wherever they stand by a "
        f"sheet of web/{styling}: rename one, or say within what it stands"
    )
