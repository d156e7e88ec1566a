"""The command `sandbox`: what confines bots on this machine."""

from collections.abc import Mapping

import click

from engine.bots.sandbox import DANGER, ENCLOSES, PURPOSE, Failings, Layer, Level, is_root
from engine.bots.sandbox.trials import enclosures_here, failings_here


@click.command()
def sandbox() -> None:
    """Show sandbox status.

    Every layer of it, and what can be put around each bot, is tried out on this machine.
    """
    click.echo(sandbox_table(failings_here(), enclosures_here()))


def sandbox_table(failings: Failings, enclosures: Mapping[Level, str]) -> str:
    """Return every layer and enclosure: whether it holds here, what for, and if not, why."""
    lines = []
    for layer in Layer:
        state = "does not hold" if layer in failings else "holds"
        lines.append(f"  {layer:<8} {state:<14} {PURPOSE[layer]}")
        if layer in failings:
            lines.append(f"  {'':<8} {'':<14} because: {failings[layer]}; a bot {DANGER[layer]}")
    lines += ["", "What can be put around each bot:"]
    for level, why in enclosures.items():
        state = "does not hold" if why else "holds"
        lines.append(f"  --sandbox {level:<7} {state:<14} {ENCLOSES[level]}")
        lines += [f"  {'':<17} {'':<14} because: {why}"] if why else []
    if is_root():
        lines.append("You are root: play untrusted bots as an ordinary user.")
    return "\n".join(["What confines a bot on this machine:", *lines])
