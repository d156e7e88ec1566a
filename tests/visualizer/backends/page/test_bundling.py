"""Modules of web/ in one script."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import needs
from tests.web_check import SCRIPTS
from visualizer.backends.page import bundling
from visualizer.backends.page.bundling import bundle, list_modules

FILES = {
    "shared/numbers": """
// Counts.
export const ONE = 1;
const hidden = 40;
/** @param {number} number */
export function plus(number) {
  return hidden + number; // two names of other modules are `hidden`, too
}
""",
    "shared/starting": """
globalThis.began = (globalThis.began ?? 0) + 1;
""",
    "viewer/other": """
import { plus } from "../shared/numbers.js";
import "../shared/starting.js";

const hidden = plus(1);
export class Shown {
  get text() {
    return `${hidden}`;
  }
}
""",
    "viewer/main": """
import "../shared/starting.js";
import { ONE, plus } from "../shared/numbers.js";
import { Shown } from "./other.js";

const hidden = ONE;
console.log(new Shown().text, plus(hidden + 1), globalThis.began);
""",
}


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, source in FILES.items():
        path = tmp_path / f"{name}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    monkeypatch.setattr(bundling, "WEB", tmp_path)
    for saved in (bundle, list_modules):
        saved.cache_clear()
    yield tmp_path
    for saved in (bundle, list_modules):
        saved.cache_clear()


def test_modules_come_after_those_they_import_and_once(web: Path) -> None:
    assert list_modules("viewer/main") == (
        "shared/starting",
        "shared/numbers",
        "viewer/other",
        "viewer/main",
    )


@needs.program("node")
def test_a_bundle_does_what_its_modules_do(web: Path) -> None:
    words = subprocess.run(
        ["node", "--input-type=module"],
        input=bundle("viewer/main"),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert words == "41 42 1\n"


def test_a_bundle_has_no_comments_and_no_indents(web: Path) -> None:
    assert not re.search(r"/\*|//|^ |^$", bundle("viewer/main").rstrip(), re.MULTILINE)


def test_every_module_is_written_as_bundles_understand_it() -> None:
    for path in SCRIPTS:
        text = path.read_text()
        imports = re.findall(r"^import\b.*", text, re.MULTILINE)
        assert len(imports) == len(bundling.IMPORT_PATTERN.findall(text)), path
        exports = re.findall(r"^export\b.*", text, re.MULTILINE)
        assert len(exports) == len(bundling.EXPORT_PATTERN.findall(text)), path
