"""The entry of a worker that was started as a fresh interpreter instead of forked."""

import os
from typing import NoReturn

from engine.bots.worker import serve

STDIN, STDOUT, STDERR = 0, 1, 2


def main(_: int) -> NoReturn:
    """Take the pipes off stdin and stdout before anything can print to them."""
    reader, writer, log = os.dup(STDIN), os.dup(STDOUT), os.dup(STDERR)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, STDIN)
    os.dup2(log, STDOUT)
    serve(reader, writer, log)
