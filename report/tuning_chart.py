"""A picture of a tuning: each parameter over the iterations, as an SVG that needs nothing else."""

from collections.abc import Iterator, Sequence
from html import escape

from runners.statistics.spsa import Parameter, Shares, Spsa

WIDTH, ROW = 720, 130
"""Pixels: of the picture, and the height of a parameter in it."""
LEFT, RIGHT, TOP = 110, 90, 56
PLOT = 88
"""The height of a parameter's plot."""
STYLE = (
    ".back{fill:#fff}.ground{fill:#f1f4f7}.line{fill:none;stroke:#2f7de1;stroke-width:2}"
    ".start{stroke:#f28c28;stroke-dasharray:4 4}.now{fill:#2f7de1}"
    "text{font:13px system-ui,sans-serif;fill:#1c2733}.quiet{fill:#5d6b7a;font-size:11px}"
    ".title{font-size:16px;font-weight:600}"
    "@media(prefers-color-scheme:dark){text{fill:#e8edf3}.quiet{fill:#94a1b2}"
    ".back{fill:#11161d}.ground{fill:#1a212b}}"
)


def tuning_chart(title: str, spsa: Spsa, path: Sequence[Shares]) -> str:
    """Return the picture of a tuning as far as it came; `path` has the middles."""
    height = TOP + ROW * len(spsa.parameters)
    size = f'width="{WIDTH}" height="{height}"'
    space = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
    parts = [
        f'<svg {space} {size} role="img"><title>{escape(title)}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="back" {size}/>',
        _text(16, 28, title, "title"),
        _text(16, 46, f"{len(path) - 1} of {spsa.iterations} iterations", "quiet"),
    ]
    for number, parameter in enumerate(spsa.parameters):
        shares = [middle[number] for middle in path]
        parts += _row(parameter, shares, spsa.iterations, TOP + ROW * number)
    return "\n".join([*parts, "</svg>\n"])


def _row(
    parameter: Parameter, shares: Sequence[float], iterations: int, top: float
) -> Iterator[str]:
    """Yield the plot of a parameter between the ends of its range."""
    width, y = WIDTH - LEFT - RIGHT, top + 24
    points = [
        (LEFT + width * at / iterations, y + PLOT * (1 - share)) for at, share in enumerate(shares)
    ]
    start, (x, now) = points[0][1], points[-1]
    yield _text(16, y - 8, parameter.name, "")
    yield f'<rect class="ground" x="{LEFT}" y="{y}" width="{width}" height="{PLOT}"/>'
    yield (
        f'<line class="start" x1="{LEFT}" x2="{LEFT + width}" y1="{start:.1f}" y2="{start:.1f}"/>'
    )
    line = " ".join(f"{at:.1f},{down:.1f}" for at, down in points)
    yield f'<polyline class="line" points="{line}"/>'
    yield f'<circle cx="{x:.1f}" cy="{now:.1f}" r="4" class="now"/>'
    for share, down in ((1, y + 10), (0, y + PLOT)):
        value = _number(parameter.value(share))
        yield f'<text class="quiet" x="{LEFT - 8}" y="{down}" text-anchor="end">{value}</text>'
    yield _text(x + 10, now + 4, _number(parameter.value(shares[-1])), "")


def _number(value: float) -> str:
    return f"{value:.4g}"


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
