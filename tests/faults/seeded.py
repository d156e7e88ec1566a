"""A seeded fault: a small change that breaks the product, and the tests that must notice."""

from pathlib import Path
from typing import NamedTuple


class SeededFault(NamedTuple):
    """What is wrong in the product, as a text to put in place of another.

    `tests` are node ids or files of pytest, as few and cheap as possible; none of them is slow.
    """

    name: str
    """A sentence."""
    file: str
    old: str
    """Occurs exactly once in the file."""
    new: str
    tests: tuple[str, ...]

    def apply_to(self, text: str) -> str | None:
        """Return the text of the file with the fault, None where it does not apply."""
        return text.replace(self.old, self.new) if text.count(self.old) == 1 else None


def faulty_path(home: Path, fault: SeededFault) -> Path:
    return home / fault.file
