"""The messages between a seat and its worker: one line of JSON each.

Engine to worker: a `Start`, then asks `[nonce, events, about, view]`. Worker to engine: a
`Reply` to each, which must carry its nonce: so a late or forged answer is recognized.
"""

import msgspec

from engine.bot_output import ASK_BYTES
from engine.bot_output_api import NOTHING
from engine.bots.programs.becoming import Program
from engine.bots.sandbox import Confinement
from engine.fault import Cause
from engine.limits import Limits

START_NONCE = 0
REPLY_OVERHEAD = 2_048
"""Bytes a reply may have beyond the answer: its nonce, or the words of a problem."""
NOTES_BYTES = ASK_BYTES + 100
"""Bytes of notes that a reply may have beyond that."""

BROKEN_STATUS = 70
"""Exit code of a worker that cannot be resumed (the bot broke its board, its pipe, its Python)."""
OUT_OF_MEMORY_STATUS = 71
"""Exit code of a worker whose bot has left it no memory."""


class Start(msgspec.Struct):
    """All a worker needs to make its player.

    `state` is a snapshot: a worker that replaces a broken one starts from the present
    board, however long the match has been.
    """

    game: str
    bot: str
    """Path of the private copy: `.../bot.py` or `.../bot/__init__.py`."""
    name: str
    team: int
    seed: int
    confinement: Confinement
    packages: tuple[str, ...]
    limits: Limits
    state: msgspec.Raw
    program: Program | None = None
    """What the worker becomes, for a bot that is a program."""


class Problem(msgspec.Struct, array_like=True):
    """Why there is no answer. A bot can forge one: the seat asks whether the cause can be."""

    cause: Cause
    detail: str


class Reply(msgspec.Struct, array_like=True):
    """What the bot answered, or the problem it had."""

    nonce: int
    answer: object = None
    problem: Problem | None = None
    notes: msgspec.Raw = NOTHING
    """What the bot drew and logged; anything at all, if the bot forged it."""
