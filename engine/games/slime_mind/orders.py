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


def parse(answer: object) -> Command | Refusal:
    """Return the command of an answer: exactly one of the ten words, in capitals."""
    if type(answer) is not str:
        return Refusal(f"an answer must be a string such as 'LEFT', not {answer!r:.60}")
    command = COMMANDS.get(answer)
    if command is None:
        expected = ", ".join(COMMANDS)
        return Refusal(f"{answer!r:.60} is not a valid command; expected one of {expected}")
    return command
