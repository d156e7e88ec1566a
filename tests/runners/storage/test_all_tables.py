"""All tables are known to the schema, however their modules were imported before."""

import subprocess
import sys

from runners.configuration import HOME

LATE = """
from engine.support.lazy_import import lazy_imports

with lazy_imports():
    from runners.storage import game_tables, ladder_tables

from runners.storage.schema import tables

print({"games", "versions"} <= set(tables.tables))
"""


def test_tables_whose_modules_were_to_be_executed_later_are_made() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LATE], cwd=HOME, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
