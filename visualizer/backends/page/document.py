"""Puts an HTML file together: template, style, program and data, and nothing from elsewhere."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from html import escape

from engine.catalog import DEFAULT_GAME
from visualizer import theme
from visualizer.backends.page.bundling import WEB, concatenate_modules, without_space
from visualizer.backends.page.texts import deflate

PROGRAM = "viewer/main"
"""The module that shows the match of a page."""
STYLE_SPACE = re.compile(r"/\*.*?\*/|\s+(?=[\s{}])|(?<=[{};,:])\s+", re.DOTALL)
"""What style sheets lose: comments, indents, and the space that separates nothing."""
LIVE_HEADER = (
    '<a class="home" href="{home}" aria-label="All games">←</a>'
    '<button type="button" id="live" title="To where the match is now (End)">connecting …</button>'
)
"""What a page that a server feeds has before its heading."""
WATCHED, ORDERED_ON = "loading watched", "loading ordered"
"""The classes of a page's body: one that is only watched has more room for the match."""
KEYS = "Keys and buttons"
SLOT = re.compile(r"\{\{(\w+)\}\}")


def page_html(
    title: str, game: str, data: Mapping[str, bytes], *, poster: str = "", teams: str = ""
) -> bytes:
    """Return a whole page; `data` goes into script tags of these ids, which nothing runs.

    `poster` and `teams` are HTML, shown until the program runs.
    """
    program = concatenate_modules(PROGRAM)
    tags = (
        f'<script type="text/plain" id="{name}">{b64encode(content).decode()}</script>'
        for name, content in {
            "style": _deflate_text(_details()),
            "program": _deflate_text(program),
            **data,
        }.items()
    )
    policy = _policy((_boot(), program), (_style(), _details()))
    return _fill_page(
        title,
        game,
        classes=WATCHED,
        meta=f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">',
        icon="data:,",
        head=f"<style>{_style()}</style>",
        before="",
        poster=poster,
        teams=teams,
        panels="",
        help_title=KEYS,
        help="",
        foot="",
        program="\n".join((*tags, f"<script>{_boot()}</script>")),
    )


PREVIEW = """<meta property="og:site_name" content="Slime Mind Arena">
<meta property="og:title" content="{title} · {game}">
<meta property="og:description" content="A match of {game}: watch it move by move.">"""
PREVIEW_PICTURE = """<meta property="og:image" content="{address}">
<meta name="twitter:card" content="summary_large_image">"""
"""What programs show of a link to a match: who plays, and not who wins."""


def live_document(
    title: str,
    game: str,
    *,
    styles: Iterable[str],
    script: str,
    home: str,
    panels: str = "",
    how_to_play: str = "",
    foot: str = "",
    preview: str = "",
    poster: str = "",
) -> bytes:
    """Return the page of a match that a server sends: its parts are files at these addresses.

    `home`: the address of the server's first page; `preview`: that of a picture, if there is
    one; `poster`: as in `document`; `panels`, `how_to_play` and `foot`: HTML that
    stands before the panels of the viewer, in its help, and at the end of the page.
    """
    return _fill_page(
        title,
        game,
        classes=ORDERED_ON if panels else WATCHED,
        meta='<meta name="referrer" content="same-origin">',
        icon=f"{escape(home)}static/sprites/{DEFAULT_GAME}/slime_1.svg",
        head="\n".join(
            (
                PREVIEW.format(title=escape(title), game=escape(game)),
                *([PREVIEW_PICTURE.format(address=escape(preview))] if preview else []),
                *(f'<link rel="stylesheet" href="{escape(style)}">' for style in styles),
            )
        ),
        before=LIVE_HEADER.format(home=escape(home)),
        poster=poster,
        teams="",
        panels=panels,
        help_title="How to play" if how_to_play else KEYS,
        help=f"{how_to_play}<h3>{KEYS}</h3>" if how_to_play else "",
        foot=foot,
        program=f'<script type="module" src="{escape(script)}"></script>',
    )


def _fill_page(title: str, game: str, **parts: str) -> bytes:
    values = {
        **parts,
        "title": f"{escape(title)} · {escape(game)}",
        "heading": f"{escape(title)} <span>{escape(game)}</span>",
    }
    # One pass: a bot named `{{program}}` must not be filled in.
    return SLOT.sub(lambda slot: values[slot[1]], _read("viewer/page.html")).encode()


@cache
def _style() -> str:
    """Return the style sheet, with the colors of the theme."""
    colors = theme.style_variables(theme.PAGE_DARK, theme.PAGE_LIGHT)
    return STYLE_SPACE.sub("", f"{colors}\n{_read('viewer/page.css')}")


@cache
def _details() -> str:
    """Return the typeface, and the style sheet of what is shown once the program runs."""
    return theme.font_faces() + STYLE_SPACE.sub("", _read("viewer/details.css"))


@cache
def _deflate_text(text: str) -> bytes:
    return deflate(text.encode())


@cache
def _boot() -> str:
    """Return the script that unpacks the program and runs it."""
    return without_space(_read("viewer/boot.js"))


def _policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Return the content security policy: our scripts and styles alone run, nothing is fetched."""
    of_scripts, of_styles = (
        " ".join(f"'{_hash(part)}'" for part in parts) for parts in (scripts, styles)
    )
    return (
        f"default-src 'none'; script-src {of_scripts}; style-src {of_styles}; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")
