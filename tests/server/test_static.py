"""The files that a browser loads."""

import re
from pathlib import Path

import server
from tests.cases import for_each
from tests.web_check import FILES, SCRIPTS
from visualizer.backends.page.bundling import WEB
from visualizer.theme import font_faces, site_style

SERVER = Path(server.__file__).parent
INLINE = re.compile(r"<style|<script(?![^>]* src=)| style=| on[a-z]+=", re.IGNORECASE)
"""What the content security policy of the pages forbids."""


def test_the_colors_are_those_of_the_theme() -> None:
    """`theme.css` is a copy, so that it is a file like the others: write the difference there."""
    assert (WEB / "shared/theme.css").read_text(
        "utf-8"
    ) == f"{font_faces('../fonts')}{site_style()}\n"


def test_nothing_but_scripts_their_types_and_styles_can_be_loaded() -> None:
    kinds = {path.name[path.name.index(".") :] for path in FILES}
    assert kinds == {".css", ".d.ts", ".html", ".js"}


def test_every_imported_module_is_there() -> None:
    imported = [
        (module, line.split('"')[1])
        for module in SCRIPTS
        for line in module.read_text("utf-8").splitlines()
        if line.startswith(("import ", "} from "))
    ]
    assert len(imported) > len(SCRIPTS) // 2
    assert [one for one in imported if not (one[0].parent / one[1]).is_file()] == []


IMPORTED = re.compile(r'^(?:import|\}) .*?(?:\{ (.*) \} )?from "([./\w]+)";', re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def test_imports_name_what_the_other_module_exports() -> None:
    for module in SCRIPTS:
        text = module.read_text("utf-8")
        found = IMPORTED.findall(text)
        named = re.findall(r'^import \{.*"|^\} from "', text, re.MULTILINE)
        assert len(found) == len(named), module
        for names, other in found:
            exported = EXPORTED.findall((module.parent / other).read_text("utf-8"))
            assert set(names.split(", ")) <= set(exported), (module, other)


@for_each("page", sorted((SERVER / "templates").glob("*.html")))
def test_pages_have_no_inline_script_or_style(page: Path) -> None:
    assert INLINE.search(page.read_text("utf-8")) is None


def test_scripts_make_elements_of_text_and_never_of_html() -> None:
    for module in SCRIPTS:
        source = module.read_text("utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function"):
            assert way not in source, f"{module}: {way}"


def test_what_is_wider_than_a_page_is_scrolled_with_the_keyboard_too() -> None:
    wide = [
        (page.name, opening)
        for page in (SERVER / "templates").glob("*.html")
        for opening in re.findall(r'<div class="wide[^>]*>', page.read_text("utf-8"))
    ]
    assert wide
    assert [one for one in wide if 'tabindex="0"' not in one[1]] == []
