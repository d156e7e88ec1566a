"""Names that look like others: letters of several scripts in a word, and confusable letters.

Source: Unicode Technical Standard 39, "Unicode Security Mechanisms": the skeleton of a text (4),
and restriction levels (5.2).
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from unicodedata import normalize

MOST_KEPT = 20_000
"""Skeletons that are kept: one takes some ten microseconds."""
UNSCRIPTED = frozenset({"COMMON", "INHERITED", "UNKNOWN"})
"""Scripts of letters that are used with any other: digits, dashes, marks."""
EAST_ASIAN = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that are written together in Japanese, Chinese and Korean."""
BETWEEN_WORDS = re.compile(r"[\s_.\-]+")
DIRECTION_MARKS = "\u200e\u200f"
"""They stand around letters from right to left in the table of confusable ones."""


def mixed_scripts(name: str) -> list[str]:
    """Return the scripts of a word that mixes some which nobody writes together; [] for none."""
    from confusable_homoglyphs.categories import unique_aliases  # its tables are large

    for word in BETWEEN_WORDS.split(name):
        scripts = set(unique_aliases(word)) - UNSCRIPTED
        if len(scripts) > 1 and not any(scripts <= together for together in EAST_ASIAN):
            return sorted(script.title() for script in scripts)
    return []


def looks_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Return whether readers could take a name for one of the others."""
    mine = skeleton(name)
    return any(skeleton(other) == mine for other in others)


@lru_cache(MOST_KEPT)
def skeleton(name: str) -> str:
    """Return what names share that look alike, such as with a Cyrillic letter for a Latin one."""
    letters = _prototypes()
    decomposed = normalize("NFD", name)
    shown = "".join(letters.get(letter, letter) for letter in decomposed)
    return normalize("NFD", shown).casefold()


@cache
def _prototypes() -> dict[str, str]:
    """Return the letters that stand for each that looks like them."""
    neighbors = _confusable()
    prototypes: dict[str, str] = {}
    for letter in neighbors:
        if letter not in prototypes:
            alike = _alike(letter, neighbors)
            # Two letters that look like one stand for it: they may be typed themselves.
            prototype = max(alike, key=lambda one: (len(one), len(neighbors[one]), one))
            prototypes |= dict.fromkeys(alike, prototype)
    return {letter: shown for letter, shown in prototypes.items() if len(letter) == 1}


def _confusable() -> dict[str, set[str]]:
    """Return what each letter looks like, in both directions."""
    from confusable_homoglyphs.confusables import confusables_data

    neighbors: dict[str, set[str]] = {}
    for letter, others in confusables_data.items():
        for other in others:
            one, two = _bare(letter), _bare(other["c"])
            neighbors.setdefault(one, set()).add(two)
            neighbors.setdefault(two, set()).add(one)
    return neighbors


def _bare(letters: str) -> str:
    return normalize("NFD", letters.strip(DIRECTION_MARKS))


def _alike(start: str, neighbors: Mapping[str, set[str]]) -> set[str]:
    """Return all that look like a letter, itself and those that look like these included."""
    found, to_visit = set[str](), [start]
    while to_visit:
        letter = to_visit.pop()
        if letter not in found:
            found.add(letter)
            to_visit += neighbors[letter]
    return found
