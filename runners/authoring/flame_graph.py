"""A flame graph of a profile: as one SVG picture, or as JSON for speedscope.app."""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from engine.errors import UsageError
from engine.support.files import write_whole
from engine.support.sanitizing import one_line
from runners.authoring.sampling import Function, Stack

WIDTH, ROW, EDGE, HEAD = 1_200, 20, 10, 46
LETTER = 6.6
"""The width of a letter, about."""
NARROWEST = 0.4
"""The narrowest box that is drawn, pixels."""
OWN = ("#f4a259", "#f2b36d", "#ee964b", "#f7c58a")
OTHERS = ("#9fb8ad", "#aebfd0", "#b7c3b0", "#a9b7c9")
"""The colors of the bot's own functions, and of what they call."""
SCHEMA = "https://www.speedscope.app/file-format-schema.json"


class Node:
    """A function with its callers above it: how often it was seen, and what it calls."""

    def __init__(self) -> None:
        self.count = 0
        self.below: dict[Function, Node] = {}

    def add(self, stack: Stack, count: int) -> None:
        """Count a stack, the outermost function first."""
        node = self
        node.count += count
        for function in stack:
            node = node.below.setdefault(function, Node())
            node.count += count

    @property
    def depth(self) -> int:
        """Return how many functions call each other below."""
        return 1 + max((node.depth for node in self.below.values()), default=0)


def write_flame_graph(path: Path, title: str, stacks: Mapping[Stack, int], total_us: int) -> None:
    """Write it as the end of the name says. Raises: UsageError, EngineFailure."""
    if path.suffix == ".svg":
        write_whole(path, flame_svg(title, stacks, total_us).encode())
    elif path.suffix == ".json":
        write_whole(path, msgspec.json.encode(speedscope(title, stacks, total_us)))
    else:
        raise UsageError(f"{path}: a flame graph is a .svg, or a .json for speedscope.app")


def flame_svg(title: str, stacks: Mapping[Stack, int], total_us: int) -> str:
    """Return the picture: callers above, what they call below, as wide as the time they took."""
    root = Node()
    for stack, count in sorted(stacks.items(), key=lambda item: [str(f) for f in item[0]]):
        root.add(stack, count)
    height = HEAD + root.depth * ROW + EDGE
    us = total_us / max(1, root.count)
    boxes = "\n".join(_boxes(root, EDGE, HEAD, (WIDTH - 2 * EDGE) / max(1, root.count), us))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="monospace" font-size="11">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n'
        f'<text x="{EDGE}" y="18" font-size="14" fill="#222222">{escape(one_line(title))}</text>\n'
        f'<text x="{EDGE}" y="36" fill="#666666">as wide as its time; orange is your own code; '
        "point at a box for its figures</text>\n"
        f"{boxes}\n</svg>\n"
    )


def _boxes(node: Node, left: float, top: int, per_sample: float, us: float) -> Iterator[str]:
    for function, below in node.below.items():
        width = below.count * per_sample
        if width >= NARROWEST:
            yield _box(function, below.count, (left, top, width), us)
            yield from _boxes(below, left, top + ROW, per_sample, us)
        left += width


def _box(function: Function, count: int, place: tuple[float, int, float], us: float) -> str:
    left, top, width = place
    colors = OWN if function.is_own else OTHERS
    color = colors[sum(map(ord, function.name)) % len(colors)]
    letters = int((width - 6) / LETTER)
    name = one_line(function.name)
    shown = name if len(name) <= letters else f"{name[: letters - 1]}…" if letters > 3 else ""
    words = f"{name} ({one_line(function.file)}, line {function.line}): {count * us / 1_000:.1f} ms"
    return (
        f"<g><title>{escape(words)}</title>"
        f'<rect x="{left:.2f}" y="{top}" width="{max(0.3, width - 0.5):.2f}" height="{ROW - 1}" '
        f'fill="{color}" rx="2"/>'
        f'<text x="{left + 4:.2f}" y="{top + 14}" fill="#1a1a1a">{escape(shown)}</text></g>'
    )


def speedscope(title: str, stacks: Mapping[Stack, int], total_us: int) -> dict[str, Any]:
    """Return the profile in the file format of speedscope."""
    functions = {function: None for stack in stacks for function in stack}
    numbers = {function: number for number, function in enumerate(functions)}
    samples = sum(stacks.values())
    us = total_us / max(1, samples)
    return {
        "$schema": SCHEMA,
        "name": title,
        "shared": {
            "frames": [
                {"name": each.name, "file": each.file, "line": each.line} for each in functions
            ]
        },
        "profiles": [
            {
                "type": "sampled",
                "name": title,
                "unit": "microseconds",
                "startValue": 0,
                "endValue": total_us,
                "samples": [[numbers[function] for function in stack] for stack in stacks],
                "weights": [count * us for count in stacks.values()],
            }
        ],
    }
