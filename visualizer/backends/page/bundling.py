"""Puts a module of web/ and all that it imports together into one script.

Browsers load no modules from `file:` addresses, and on a phone each request costs a round trip.
"""

import re
from functools import cache
from pathlib import Path

WEB = Path(__file__).parents[3] / "web"
"""What a browser gets, in a folder for each purpose, and the tools that check and build it."""
PAGE_FOLDERS = ("boards", "designer", "report", "shared", "site", "viewer", "write")
"""Those of WEB that a browser gets as they are."""
IMPORT_PATTERN = re.compile(r'^import (?:(\{ [\w, ]+ \}) from )?"(\.[./\w]+)\.js";', re.MULTILINE)
"""What stands in braces, if anything, and the module it comes from, seen from the importing one."""
EXPORT_PATTERN = re.compile(r"^export (?:async )?(?:class|const|function\*?) (\w+)", re.MULTILINE)
EXPORT_WORD = re.compile(r"^export (?=\w)", re.MULTILINE)
SPACE_PATTERN = re.compile(
    r"/\*\* @[^*\n]*\*/ (?=\()|^ */\*\*[\s\S]*?\*/\n|^ *//.*\n|^ +|(?<=[][(){},;>]) +// .*$|^\n",
    re.MULTILINE,
)
"""Comments, indents and empty lines, for which no browser has a use."""


@cache
def bundle(entry: str) -> str:
    """Return a script that does what the module `entry` (such as `viewer/watch`) does.

    Each module keeps the names that it declares to itself, and hands on what it exports.
    """
    return "\n".join(map(_wrap_module, list_modules(entry)))


@cache
def concatenate_modules(entry: str) -> str:
    """Return the same, a fortieth shorter, of modules that declare no name twice."""
    return "".join(
        without_space(IMPORT_PATTERN.sub("", EXPORT_WORD.sub("", _read_source(module))))
        for module in list_modules(entry)
    )


@cache
def list_modules(entry: str) -> tuple[str, ...]:
    """Return all modules that are needed, each after those that it imports, `entry` as the last."""
    found: dict[str, None] = {}
    for _, other in IMPORT_PATTERN.findall(_read_source(entry)):
        found.update(dict.fromkeys(list_modules(_resolve_import(entry, other))))
    return (*found, entry)


def without_space(source: str) -> str:
    """Return a script without comments and indents."""
    return SPACE_PATTERN.sub("", source)


def _wrap_module(module: str) -> str:
    """Return a module as a function that is called at once and returns its exports."""
    # In a function of its own a module may declare any name, as in a file of its own. Imports are
    # constants: the modules they come from stand before it, and have returned their exports.
    source = _read_source(module)
    exports = ", ".join(EXPORT_PATTERN.findall(source))
    body = IMPORT_PATTERN.sub(
        lambda found: (
            f"const {found[1]} = {_variable_name(_resolve_import(module, found[2]))};"
            if found[1]
            else ""
        ),
        EXPORT_WORD.sub("", source),
    )
    body = f"{without_space(body)}return {{ {exports} }};"
    return f"const {_variable_name(module)} = (() => {{\n{body}\n}})();"


def _resolve_import(module: str, other: str) -> str:
    """Return the name of a module that `module` knows by a path from its own folder."""
    return (WEB / module).parent.joinpath(other).resolve().relative_to(WEB).as_posix()


def _variable_name(module: str) -> str:
    return f"${module.replace('/', '$')}"


def _read_source(module: str) -> str:
    return (WEB / f"{module}.js").read_text(encoding="utf-8")
