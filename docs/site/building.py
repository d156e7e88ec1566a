"""Builds the site: a folder of sources, then MkDocs over it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from docs.site.pages import SitePages
from server.site.documents import read_contents

HERE = Path(__file__).parent
SETTINGS = HERE / "mkdocs.yml"
ASSETS = HERE / "assets"
LOGO = Path("resources", "sprites", "slime_mind", "slime_1.svg")
FONTS = "resources/fonts"
MARK = "sitemap.xml"
"""What each site that MkDocs built has: a folder without it is not ours to replace."""
MOST_S = 300
"""The longest that a build may take, seconds."""


class SiteFailed(Exception):
    """Why there is no site."""


def build_site(home: Path, out: Path) -> None:
    """Build the documentation of the project in `home` into `out`, which an older site may fill.

    Raises: SiteFailed if MkDocs warns of anything, or `out` holds something else.
    """
    if out.exists() and not (out.is_dir() and ((out / MARK).exists() or not any(out.iterdir()))):
        raise SiteFailed(f"{out} holds something else than a site. Choose another folder: --out")
    with tempfile.TemporaryDirectory() as name:
        sources = Path(name)
        _write_sources(home, sources)
        _run_mkdocs(sources, out.resolve())


def _write_sources(home: Path, sources: Path) -> None:
    """Write what MkDocs reads: its settings, the pages, and what belongs to them."""
    chapters = read_contents(home)
    names = [name for one in chapters for name in one.names]
    doors = [one for one in chapters if one.board]
    pages = SitePages(home, _source_url(home), names, doors)
    docs = sources / "docs"
    for path, text in pages.texts():
        _write(docs / path, text)
    for path in pages.linked_files():
        target = docs / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(home / path, target)
    shutil.copytree(ASSETS, docs / "assets")
    shutil.copy(home / LOGO, docs / "assets" / "slime.svg")
    for font in (home / FONTS).glob("*.woff2"):
        shutil.copy(font, docs / "assets")
    nav = [{one.title: [pages.listed(name) for name in one.names]} for one in chapters]
    settings = SETTINGS.read_text(encoding="utf-8")
    _write(sources / "mkdocs.yml", f"{settings}\nnav: {json.dumps(nav)}\n")  # JSON is YAML, too


def _source_url(home: Path) -> str:
    """Return the address of the repository's files, or "" as long as nobody publishes it."""
    project = tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source: str = project["urls"]["Source"]
    return "" if "/OWNER/" in source else f"{source}/blob/main"


def _run_mkdocs(sources: Path, out: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir"]
    # The theme's notice of its successor is no fault of a page.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    try:
        done = subprocess.run(
            [*command, str(out)],
            cwd=sources,
            env=environment,
            capture_output=True,
            text=True,
            timeout=MOST_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SiteFailed(f"MkDocs did not end within {MOST_S} seconds") from error
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        said = "\n".join(line for line in lines if line and not line.startswith("INFO"))
        raise SiteFailed(f"MkDocs refuses the pages:\n{said}")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
