"""The reference of each game's players, docs/api/GAME.md, made from their docstrings.

`python3 -m docs.site.api_pages` writes what stands between the marks again.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from engine.catalog import GAMES
from server.writing.reference import EntryKind, ReferenceEntry, make_reference

FOLDER = Path(__file__).resolve().parents[1] / "api"
BEGIN, END = "<!-- made from docstrings: begin -->", "<!-- made from docstrings: end -->"
SHARED = ("Simulation", "Draw", "Log", "Limits")
"""What is the same in all games stands on one page."""
PAGE_OF_SHARED = "slime_mind"
LEFT_OUT = ("Settings",)
"""What `main.py settings` lists, and the rules."""
BASES = {"Soldier": "Shape", "FlagRunner": "Soldier"}
SHORTER = (
    (r"tuple\[int, int\]", "Cell"),
    (r"Rock \| Plant \| Slime", "Piece"),
    (r"Optional\[P\]", "P | None"),
    (r"\b(Simulation|Simulator)\[[^\]]*\]", r"\1"),
    (r"\(self(?:, )?", "("),
    (r" -> None$", ""),
)
"""Types as authors call them."""
WITHOUT_CELLS = "smack"
"""A game in which a pair of whole numbers is no place."""


def render_reference(game: str) -> str:
    """Return the classes and functions of a game in Markdown: signatures, and what they are."""
    entries = list(_select(game))
    functions = [one for one in entries if one.kind is EntryKind.FUNCTION]
    parts = ["### Functions", "", *(_line(one, game) for one in functions), ""] if functions else []
    for place, owner in enumerate(entries):
        if owner.kind is EntryKind.CLASS:
            members = list(takewhile(lambda one: one.of, entries[place + 1 :]))
            parts += [f"### {owner.name}", "", _one_line(owner.text), ""]
            parts += [*(_line(one, game) for one in members), ""] if members else []
    return "\n".join(parts).rstrip()


def with_reference(page: str, game: str) -> str:
    """Return a page with its reference as it is to be."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{render_reference(game)}\n\n{END}{after}"


def _select(game: str) -> Iterator[ReferenceEntry]:
    """Yield what stands on the page of a game: of a derived class what it adds."""
    skipped = {*LEFT_OUT, *(() if game == PAGE_OF_SHARED else SHARED)}
    known: dict[str, set[tuple[str, str]]] = {}
    for one in make_reference(game).entries:
        known.setdefault(one.of, set()).add((one.name, one.text))
        inherited = known.get(BASES[one.of], set()) if one.of in BASES else set()
        if not {one.name, one.of} & skipped and (one.name, one.text) not in inherited:
            yield one


def _line(one: ReferenceEntry, game: str) -> str:
    signature = one.signature
    for pattern, words in SHORTER[game == WITHOUT_CELLS :]:
        signature = re.sub(pattern, words, signature)
    is_called = one.kind in (EntryKind.METHOD, EntryKind.FUNCTION)
    code = f"{one.name}{signature}" if is_called else f"{one.name}: {signature}"
    return f"- `{code}`: {_one_line(one.text)}" if one.text else f"- `{code}`"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def main(folder: Path = FOLDER) -> None:
    """Write the reference of each game into its page."""
    for game in GAMES:
        file = folder / f"{game}.md"
        file.write_text(with_reference(file.read_text("utf-8"), game), "utf-8")


if __name__ == "__main__":
    main()
