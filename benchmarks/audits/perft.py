"""Counts the move sequences of Smack! (perft).

A position that two sequences lead to counts twice. How move generators are compared: another one
must come to the same numbers, which stand in docs/rules/smack.md for the start. A ply more takes
some 100 times as long.
"""

import time
from collections.abc import Iterator

import click

from engine.games.smack.notation import BadNotation, parse_position, position_text
from engine.games.smack.position import START, Position


def perft(position: Position, depth: int) -> int:
    """Return the number of ways to play this many plies (perft)."""
    if depth == 1:
        return position.count_moves()
    return sum(perft(position.after(move), depth - 1) for move in position.moves())


def table(position: Position, depth: int) -> Iterator[str]:
    """Print a line per depth, as soon as it is known."""
    yield f"{'depth':>5} {'sequences':>13} {'seconds':>9} {'sequences/s':>12}"
    for plies in range(1, depth + 1):
        began = time.perf_counter()
        sequences = perft(position, plies)
        took = time.perf_counter() - began
        yield f"{plies:>5} {sequences:>13,} {took:>9.3f} {sequences / took:>12,.0f}"


@click.command(help=__doc__)
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 6), help="Plies.")
@click.option(
    "--position", "text", default=position_text(START), help="As text; default: the start."
)
def main(depth: int, text: str) -> None:
    try:
        position = parse_position(text)
    except BadNotation as problem:
        raise click.BadParameter(str(problem), param_hint="--position") from None
    for line in table(position, depth):
        click.echo(line)
