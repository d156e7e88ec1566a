"""The file as such: one script, one style, a policy that allows nothing else."""

import re
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from hashlib import sha256

from tests.views.matches import load_timeline
from tests.web_check import SCRIPTS
from visualizer.backends.page import render_replay_page
from visualizer.backends.page.bundling import WEB, list_modules
from visualizer.backends.page.document import PROGRAM, page_html
from visualizer.drawing.sprites import Sprites
from visualizer.theme import FONT_WEIGHTS, FONTS

DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def a_document(title: str = "a : b") -> str:
    return page_html(title, "Game", {"replay": b"\0<\xff"}).decode()


def digest(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


def inflate(base64: str) -> str:
    return zlib.decompress(b64decode(base64)).decode()


def between(page: str, start: str, end: str) -> str:
    return page.split(start)[1].split(end)[0]


def test_the_policy_allows_these_scripts_and_styles_and_nothing_from_elsewhere() -> None:
    page = a_document()
    policy = between(page, 'Content-Security-Policy" content="', '">')
    boot = between(page, "<script>", "</script>")
    program = inflate(between(page, 'id="program">', "</script>"))
    style = between(page, "<style>", "</style>")
    details = inflate(between(page, 'id="style">', "</script>"))
    assert policy == (
        f"default-src 'none'; script-src {digest(boot)} {digest(program)}; "
        f"style-src {digest(style)} {digest(details)}; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def test_nothing_is_loaded_from_anywhere() -> None:
    page = a_document()
    assert re.findall(r'\s(?:src|href|action)="(?!data:)', page) == []
    program = inflate(between(page, 'id="program">', "</script>"))
    assert set(re.findall(r"\w+://[^\s\"']*", page + program)) == {"http://www.w3.org/2000/svg"}


def test_a_strangers_name_stays_text() -> None:
    page = a_document("</title><script>alert(1)</script>")
    assert "alert(1)</script>" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2


def test_a_name_that_looks_like_a_slot_is_none() -> None:
    assert "<title>{{style}} · Game</title>" in a_document("{{style}}")
    assert "<title>{{program}} · Game</title>" in a_document("{{program}}")


def test_data_is_letters_and_digits() -> None:
    content = between(a_document(), 'id="replay">', "</script>")
    assert b64decode(content) == b"\0<\xff"


def test_modules_in_one_script_have_no_name_in_common() -> None:
    names = Counter[str]()
    for module in ("viewer/boot", *list_modules(PROGRAM)):
        names.update(DECLARED.findall((WEB / f"{module}.js").read_text()))
    assert [name for name, count in names.items() if count > 1] == []


def test_the_program_has_no_comments_and_so_no_types() -> None:
    program = inflate(between(a_document(), 'id="program">', "</script>"))
    assert re.findall(r"/\*.*|.* // .*", program) == []


def test_data_never_becomes_html() -> None:
    for module in SCRIPTS:
        text = module.read_text()
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text
        )


def test_the_typeface_is_in_the_page_which_stays_small() -> None:
    files = [(FONTS / f"Inter-{weight}.woff2").read_bytes() for weight in FONT_WEIGHTS]
    assert sum(map(len, files)) <= 25_000
    details = inflate(between(a_document(), 'id="style">', "</script>"))
    assert [b64encode(file).decode() in details for file in files] == [True, True]
    timeline = load_timeline("smack")
    page = render_replay_page(timeline, Sprites(timeline.replay.game.name))
    assert len(page) <= 145_000
