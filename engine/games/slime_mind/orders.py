"""What a Slime Mind bot may answer: one of ten commands."""

from enum import StrEnum
from functools import lru_cache

from engine.game import Refusal


class Command(StrEnum):
    """The ten commands of a slime (rules 5.3)."""

    LEFT = "LEFT"
    RIGHT = "RIGHT"
    UP = "UP"
    DOWN = "DOWN"
    BITELEFT = "BITELEFT"
    BITERIGHT = "BITERIGHT"
    BITEUP = "BITEUP"
    BITEDOWN = "BITEDOWN"
    SPLIT = "SPLIT"
    MERGE = "MERGE"

    __hash__ = str.__hash__  # Enum's own is written in Python, and every order is looked up


COMMANDS = {str(command): command for command in Command}
MAX_ANSWER_LENGTH = 20
"""The letters of an answer that are looked at for a hint."""
IDLE = frozenset(("", "NONE", "NOTHING", "WAIT", "STAY", "PASS", "SKIP", "STOP", "IDLE", "NOOP"))
"""What other games call doing nothing."""


def parse(answer: object) -> Command | Refusal:
    """Return the command of an answer: exactly one of the ten words, in capitals."""
    if type(answer) is not str:
        why = ""
        if answer is None:
            why = " (a way through decide ends without return)"
        elif isinstance(answer, list | tuple):
            why = " (one command for each call)"
        return Refusal(f"an answer must be a string such as 'LEFT', not {answer!r:.60}{why}")
    command = COMMANDS.get(answer)
    if command is None:
        expected = ", ".join(COMMANDS)
        why = f"is not a valid command; expected one of {expected}{_command_hint(answer)}"
        return Refusal(f"{answer!r:.60} {why}")
    return command


@lru_cache(maxsize=100)  # a wrong bot answers the same again and again
def _command_hint(answer: str) -> str:
    """Return a hint for a command in other letters (`BITE_LEFT`), or one like `WAIT`."""
    if len(answer) > MAX_ANSWER_LENGTH:
        return ""
    last = answer.upper().rpartition(".")[2]
    meant = "".join(letter for letter in last if letter.isalpha())
    if meant in IDLE:
        return "; none does nothing, but one that cannot be carried out is no fault (rules 6)"
    alike = [word for word in COMMANDS if sorted(word) == sorted(meant)]  # RIGTH
    return f"; did you mean '{alike[0]}'?" if alike else ""
