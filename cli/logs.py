"""What bots printed, for their authors: with each traceback once."""

import re
from collections.abc import Iterator
from pathlib import Path

from engine.result import MatchResult

HEADING = re.compile(r"^--- (.*)$", re.MULTILINE)
TRACEBACK = "Traceback (most recent call last):\n"


def bot_logs(result: MatchResult) -> str:
    """Return what the bots of a match printed, and the tracebacks of what they raised."""
    if result.in_process:
        return "with --in-process what bots print is not kept: it was printed above"
    logs = sorted(Path(result.folder).glob("*.log"))
    parts = [f"==> {log} <==\n{folded(log.read_text(encoding='utf-8'))}" for log in logs]
    return "\n".join(parts) or "the bots printed nothing"


def folded(log: str) -> str:
    """Return a log in which a traceback that was shown before is only counted."""
    seen, parts = set[str](), list[str]()
    again: list[str] = []
    for place, text in _sections(log):
        printed, mark, trace = text.partition(TRACEBACK)
        is_known = bool(mark) and trace in seen
        seen.add(trace)
        if is_known and not printed:
            again.append(place)
            continue
        parts += _repeated(again)
        again = [place] if is_known else []
        parts.append(f"{_heading(place)}{printed if is_known else text}")
    return "".join([*parts, *_repeated(again)])


def _sections(log: str) -> Iterator[tuple[str, str]]:
    """Yield each heading with what stands below it; before the first one it is ''."""
    first, *others = HEADING.split(log)
    yield "", first
    for place, text in zip(others[::2], others[1::2], strict=True):
        yield place, text.removeprefix("\n")


def _heading(place: str) -> str:
    return f"--- {place}\n" if place else ""


def _repeated(places: list[str]) -> list[str]:
    if not places:
        return []
    times = "once" if len(places) == 1 else f"{len(places)} times"
    return [f"[a traceback as above repeated {times}, the last one in: {places[-1]}]\n"]
