"""The names that people choose, and which of them look alike.

Source: Unicode Technical Standard 39, "Unicode Security Mechanisms": the skeleton of a text (4),
and restriction levels (5.2); Default_Ignorable_Code_Point of the Unicode Character Database.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from unicodedata import category, normalize
from unicodedata import name as name_in_unicode

import msgspec

from engine.support.sanitizing import make_printable
from runners.storage.tables import MAX_TYPED_LENGTH, name_key

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 2, 24
MAX_KEY_LENGTH = 60
"""Letters of a key; the database holds no more, and one letter can stand for 18."""
NAME_MARKS = ("(guest)", "(remote bot)")
"""What stands behind the names of those who play without an account, and of programs."""
DELETED_NAME = "deleted"
"""What stands where a person's name was."""
RESERVED = ("house", "the house")
"""What the author of the built-in bots is called."""


class BadName(Exception):
    """Why a name is not allowed."""


def validate_name(typed: str) -> str:
    """Return a name as it is shown: its blanks are single. Raises: BadName."""
    if len(typed) > MAX_TYPED_LENGTH:
        raise BadName(
            f"a name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} letters; this one has {len(typed)}"
        )
    name = " ".join(normalize("NFC", typed).split())
    if make_printable(name) != name:
        raise BadName("a name has printable letters only")
    seen = len(without_invisible(name))
    if seen < MIN_NAME_LENGTH or len(name) > MAX_NAME_LENGTH:
        has = min(seen, len(name)) if seen < MIN_NAME_LENGTH else len(name)
        raise BadName(
            f"a name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} letters; this one has {has}"
        )
    if not any(letter.isalnum() for letter in name):
        raise BadName("a name has at least one letter or digit")
    if mark := stray_mark(name):
        text = f"U+{ord(mark):04X} {name_in_unicode(mark, '')}".strip()
        raise BadName(f"no language writes the mark {text} there: a name has none such")
    if scripts := mixed_scripts(name):
        raise BadName(f"a word is written in one script; this one mixes {' and '.join(scripts)}")
    if len(name_key(name)) > MAX_KEY_LENGTH:
        raise BadName("a name has no letters that stand for whole words")
    _require_free(name)
    return name


def _require_free(name: str) -> None:
    """Raises: BadName for a name that stands for somebody else, or looks as if it did."""
    ends = tuple(form for mark in NAME_MARKS for form in skeletons(mark))  # its table is large
    if any(one.endswith(ends) for one in skeletons(name)):
        raise BadName("a name does not end as those of guests and remote bots do")
    if looks_like_one_of(name, (DELETED_NAME,)):
        raise BadName("this name stands for people who have left; choose another")
    if looks_like_one_of(name, RESERVED):
        raise BadName("this name stands for the bots that came with the server; choose another")


MAX_CACHED_SKELETONS = 20_000
"""Skeletons that are kept: one takes some ten microseconds."""
SHARED_SCRIPTS = frozenset({"COMMON", "INHERITED", "UNKNOWN"})
"""Scripts of letters that are used with any other: digits, dashes, marks."""
EAST_ASIAN = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that are written together in Japanese, Chinese and Korean."""
BETWEEN_WORDS = re.compile(r"[\s_.\-]+")
INVISIBLE_LETTERS = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Code points that are to be ignored where they are not understood, such as variation selectors."""
OF_EUROPE = frozenset(
    "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u030d\u030f\u0311"
    "\u0313\u0314\u031b\u0323\u0324\u0325\u0326\u0327\u0328\u0329\u032d\u032e\u0330\u0331\u0342"
    "\u0345\u0358"
)
"""Marks of letters that Unicode has with them; U+030D and U+0358 (Taiwanese), U+0329 (Yoruba)."""
OF_ARABIC = frozenset(map(chr, (*range(0x64B, 0x656), 0x670)))
WRITTEN_MARKS = {
    **dict.fromkeys(("LATIN", "GREEK", "CYRILLIC"), OF_EUROPE),
    **dict.fromkeys(("ARABIC", "SYRIAC"), OF_ARABIC),
    **dict.fromkeys(("HIRAGANA", "KATAKANA"), frozenset("\u3099\u309a")),
}
"""The marks of no script of their own that are written upon letters of each script."""
FAINT_MARKS = "\u0307\u0323"
"""Dots above and below a letter, which readers pass over."""
DIRECTION_MARKS = "\u200e\u200f"
"""They stand around letters from right to left in the table of confusable ones."""


class _Confusable(msgspec.Struct):
    c: str
    """What a letter looks like."""


def mixed_scripts(name: str) -> list[str]:
    """Return the scripts of a word that mixes some which nobody writes together; [] for none."""
    from confusable_homoglyphs.categories import unique_aliases  # its tables are large

    for word in BETWEEN_WORDS.split(name):
        scripts = set(unique_aliases(word)) - SHARED_SCRIPTS
        if len(scripts) > 1 and not any(scripts <= together for together in EAST_ASIAN):
            return sorted(script.title() for script in scripts)
    return []


def looks_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Return whether readers could take a name for one of the others."""
    own = skeletons(name)
    return any(skeletons(other) & own for other in others)


@lru_cache(MAX_CACHED_SKELETONS)
def skeletons(name: str) -> frozenset[str]:
    """Return what names that look alike have one of in common.

    There are two, as a name is written and in small letters: I looks like l, and is i as well.
    """
    return frozenset((_compute_skeleton(name), _compute_skeleton(name.casefold())))


def _compute_skeleton(name: str) -> str:
    letters = _prototype_letters()
    seen = "".join(
        letters.get(letter, letter)
        for letter, is_stray in _visible_characters(name)
        if not (is_stray or letter in FAINT_MARKS)
    )
    return normalize("NFD", seen).casefold()


def without_invisible(name: str) -> str:
    """Return a name without the code points that nobody sees."""
    return INVISIBLE_LETTERS.sub("", name)


def stray_mark(name: str) -> str:
    """Return the first mark of a name that no language writes upon its letter; '' for none.

    Such as an overlay, a circle around the letter, or a mark that it has already.
    """
    return next((letter for letter, is_stray in _visible_characters(name) if is_stray), "")


def _visible_characters(name: str) -> Iterator[tuple[str, bool]]:
    """Yield the visible letters and marks of a name, and whether each is a stray mark."""
    base, marks = "", ""
    for letter in normalize("NFD", without_invisible(name)):
        if category(letter).startswith("M"):
            yield letter, letter in marks or not _is_written(letter, base)
            marks += letter
        else:
            yield letter, False
            base, marks = letter, ""


@lru_cache(MAX_CACHED_SKELETONS)
def _is_written(mark: str, base: str) -> bool:
    from confusable_homoglyphs.categories import unique_aliases

    if not base.isalpha() or category(mark) == "Me":
        return False
    if set(unique_aliases(mark)) - SHARED_SCRIPTS:
        return True  # a mark of a script is no letter of another one: see mixed_scripts
    return any(mark in WRITTEN_MARKS.get(script, ()) for script in unique_aliases(base))


@cache
def _prototype_letters() -> dict[str, str]:
    """Return the letters that stand for each that looks like them."""
    neighbors = _confusable_letters()
    prototypes: dict[str, str] = {}
    for letter in neighbors:
        if letter not in prototypes:
            alike = _all_look_alikes(letter, neighbors)
            # Two letters that look like one stand for it: they may be typed themselves.
            prototype = max(alike, key=lambda one: (len(one), len(neighbors[one]), one))
            prototypes |= dict.fromkeys(alike, prototype)
    return {letter: shown for letter, shown in prototypes.items() if len(letter) == 1}


def _confusable_letters() -> dict[str, set[str]]:
    """Return what each letter looks like, in both directions."""
    from confusable_homoglyphs.utils import path  # its `confusables` would keep the whole table

    content = Path(path("confusables.json")).read_bytes()
    neighbors: dict[str, set[str]] = {}
    for letter, others in msgspec.json.decode(content, type=dict[str, list[_Confusable]]).items():
        for other in others:
            one, two = _strip_marks(letter), _strip_marks(other.c)
            neighbors.setdefault(one, set()).add(two)
            neighbors.setdefault(two, set()).add(one)
    return neighbors


def _strip_marks(letters: str) -> str:
    return normalize("NFD", letters.strip(DIRECTION_MARKS))


def _all_look_alikes(start: str, neighbors: Mapping[str, set[str]]) -> set[str]:
    """Return all that look like a letter, itself and those that look like these included."""
    found, to_visit = set[str](), [start]
    while to_visit:
        letter = to_visit.pop()
        if letter not in found:
            found.add(letter)
            to_visit += neighbors[letter]
    return found
