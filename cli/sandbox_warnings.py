"""Warn of bots that were not confined, in a summary."""

from engine.bots.sandbox import DANGER, Level
from engine.result import Protection
from engine.support.typed_commands import detect_commands


def level_warnings(level: Level, *, as_root: bool, warns_of_root: bool) -> list[str]:
    """Return what is to be said of bots that ran without a sandbox, or as root."""
    if level is Level.OFF:
        who = "as root, " if as_root else ""
        return [f"off: the bots ran {who}without any limits of the system (--sandbox)"]
    if as_root and warns_of_root:
        text = "the bots ran as root, who could take limits off again: play untrusted bots"
        return [f"{text} as an ordinary user"]
    return []


def protection_warnings(protection: Protection, *, warns_of_root: bool) -> list[str]:
    """Return what is to be said of what did not confine the bots of a match."""
    warnings = level_warnings(
        protection.level, as_root=protection.as_root, warns_of_root=warns_of_root
    )
    if protection.failings and protection.level is not Level.OFF:
        dangers = ", ".join(DANGER[layer] for layer in protection.failings)
        warnings.append(f"incomplete: a bot {dangers} ({detect_commands().main} info sandbox)")
    return warnings
