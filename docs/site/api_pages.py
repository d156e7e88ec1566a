"""The reference of the players of each game, docs/api/GAME.md, and of the library, from docstrings.

`python3 -m docs.site.api_pages` writes what stands between the marks again.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

import slime_mind_arena
from engine.catalog import GAMES
from server.writing.reference import EntryKind, ReferenceEntry, describe, make_reference
from slime_mind_arena import library

FOLDER = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- made from docstrings: begin -->", "<!-- made from docstrings: end -->"
SHARED = ("Simulation", "Draw", "Log")
"""What is the same in all games stands on one page."""
SHARED_MEMBERS = ("draw", "log", "limits")
PAGE_OF_SHARED = "slime_mind"
LEFT_OUT = ("Settings", "Limits")
"""What a command lists, and the rules; the limits stand on the page about writing a bot."""
BASES = {"Soldier": "Shape", "FlagRunner": "Soldier", "Rock": "Plant"}
SHORTER = (
    (r"tuple\[int, int\]", "Cell"),
    (r"Rock \| Plant \| Slime", "Piece"),
    (r"Optional\[P\]", "P | None"),
    (r"\b(Simulation|Simulator)\[[^\]]*\]", r"\1"),
    (r"\(self(?:, )?", "("),
    (r" -> None$", ""),
    (r'\*, color: str = "", key: str = ""', '*, color="", key=""'),
    (r"\b([xyuv]2?): (?:int|float)\b", r"\1"),
    (r"\b(team|seed|ask|wanted): (?:Callable\[\[\w+\], bool\] \| None|[\w |]+) = None", r"\1=None"),
)
"""Types as authors call them."""
MATCH = r'game: str = slime_mind(, seed=None)?, preset: .*, out: Place = "results"'
OF_LIBRARY = (
    (r"str \| PathLike\[str\]", "Place"),
    (r"\w+Path\((\w+)\)", r'"\1"'),
    (MATCH, "**match"),
)
WITHOUT_CELLS = "smack"
"""A game in which a pair of whole numbers is no place."""


def render_reference(game: str) -> str:
    """Return the classes and functions of a game in Markdown: signatures, and what they are."""
    return _render(list(_select(game)), SHORTER[game == WITHOUT_CELLS :])


def render_library() -> str:
    """Return the functions and classes of the library in Markdown."""
    return _render(describe(slime_mind_arena.__all__, library), (*SHORTER[1:], *OF_LIBRARY))


def _render(entries: list[ReferenceEntry], shorter: Sequence[tuple[str, str]]) -> str:
    functions = [one for one in entries if one.kind is EntryKind.FUNCTION]
    parts = ["### Functions", "", *(_line(one, shorter) for one in functions)] if functions else []
    for place, owner in enumerate(entries):
        if owner.kind is EntryKind.CLASS:
            members = list(takewhile(lambda one: one.of, entries[place + 1 :]))
            parts += [f"### {owner.name}", "", _one_line(owner.text), ""]
            constants = [one for one in members if one.kind is EntryKind.CONSTANT]
            parts += [_line(one, shorter) for one in members if one not in constants]
            parts += [", ".join(f"`{one.name}`" for one in constants) + "\n"] * bool(constants)
    return "\n".join(parts).rstrip()


def with_reference(page: str, reference: str) -> str:
    """Return a page with its reference as it is to be."""
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{reference}\n\n{END}{after}"


def _select(game: str) -> Iterator[ReferenceEntry]:
    """Yield what stands on the page of a game: of a derived class what it adds."""
    skipped = {*LEFT_OUT, *(() if game == PAGE_OF_SHARED else (*SHARED, *SHARED_MEMBERS))}
    known: dict[str, set[tuple[str, str]]] = {}
    for one in make_reference(game).entries:
        known.setdefault(one.of, set()).add((one.name, one.text))
        inherited = known.get(BASES[one.of], set()) if one.of in BASES else set()
        if not {one.name, one.of} & skipped and (one.name, one.text) not in inherited:
            yield one


def _line(one: ReferenceEntry, shorter: Sequence[tuple[str, str]]) -> str:
    signature = one.signature
    for pattern, replacement in shorter:
        signature = re.sub(pattern, replacement, signature)
    is_called = one.kind in (EntryKind.METHOD, EntryKind.FUNCTION)
    code = f"{one.name}{signature}" if is_called else f"{one.name}: {signature}"
    return f"`{code}`: {_one_line(one.text)}\n" if one.text else f"`{code}`\n"


def _one_line(text: str) -> str:
    """Return a docstring in one line; the arrow of a signature says that something is returned."""
    text = " ".join(text.split()).removeprefix("Return ")
    return text[:1].upper() + text[1:]


def make_references() -> dict[str, str]:
    """Return all references by the page in which they stand, relative to docs/."""
    return {
        **{f"api/{game}.md": render_reference(game) for game in GAMES},
        "library.md": render_library(),
    }


def main(folder: Path = FOLDER) -> None:
    """Write each reference into its page."""
    for name, reference in make_references().items():
        file = folder / name
        file.write_text(with_reference(file.read_text("utf-8"), reference), "utf-8")


if __name__ == "__main__":
    main()
