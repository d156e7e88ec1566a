"""Format what bots printed for their authors, with each traceback once."""

from pathlib import Path

from engine.bots.log_reading import explain_first_exception, parse_sections
from engine.result import MatchResult
from engine.support.wording import times_in_words


def bot_logs(result: MatchResult) -> str:
    """Return what the bots of a match printed, and the tracebacks of what they raised."""
    if result.in_process:
        return "with --in-process what bots print is not kept: it was printed above"
    logs = sorted(Path(result.folder).glob("*.log"))
    parts = [f"==> {log} <==\n{fold_tracebacks(log.read_text(encoding='utf-8'))}" for log in logs]
    return "\n".join(parts) or "the bots printed nothing"


def explain_exception(folder: str, team: int) -> list[str]:
    """Return what the log of a team's bot says of its first exception; nothing without a log."""
    for log in Path(folder).glob(f"{team}-*.log"):
        return explain_first_exception(log.read_text("utf-8", "replace"))
    return []


def fold_tracebacks(log: str) -> str:
    """Return a log in which a traceback that was shown before is only counted."""
    seen, parts = set[str](), list[str]()
    again: list[str] = []
    for section in parse_sections(log):
        is_known = section.traceback in seen
        if section.traceback:
            seen.add(section.traceback)
        if is_known and not section.printed:
            again.append(section.place)
            continue
        parts += _format_repeats(again)
        again = [section.place] if is_known else []
        heading = f"--- {section.place}\n" if section.place else ""
        parts.append(f"{heading}{section.printed if is_known else section.text}")
    return "".join([*parts, *_format_repeats(again)])


def _format_repeats(places: list[str]) -> list[str]:
    if not places:
        return []
    times = times_in_words(len(places))
    return [f"[a traceback as above repeated {times}, the last one in: {places[-1]}]\n"]
