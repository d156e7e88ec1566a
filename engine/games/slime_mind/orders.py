"""What a Slime Mind bot may answer: one of ten commands."""

from enum import StrEnum

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
LONGEST = 20
"""The letters of an answer that are looked at for a hint."""


def parse(answer: object) -> Command | Refusal:
    """Return the command of an answer: exactly one of the ten words, in capitals."""
    if type(answer) is not str:
        why = " (a way through decide ends without return)" if answer is None else ""
        return Refusal(f"an answer must be a string such as 'LEFT', not {answer!r:.60}{why}")
    command = COMMANDS.get(answer)
    if command is None:
        expected = ", ".join(COMMANDS)
        why = f"is not a valid command; expected one of {expected}{_meant_by(answer)}"
        return Refusal(f"{answer!r:.60} {why}")
    return command


def _meant_by(answer: str) -> str:
    """Return a hint for a command in other letters: `left`, `BITE_LEFT`, `Command.LEFT`."""
    if len(answer) > LONGEST:
        return ""
    last = answer.upper().rpartition(".")[2]
    meant = "".join(letter for letter in last if letter.isalpha())
    return f"; did you mean '{meant}'?" if meant in COMMANDS else ""
