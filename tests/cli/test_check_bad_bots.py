"""What `check` says of the bad bots: the cause that a match names. As an ordinary user."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tests import needs
from tests.cli.checked_bots import Causes
from tests.engine.bots.bad_bots import bad_bots
from tests.engine.bots.contained import ROOT
from tests.engine.bots.house import CannotHouse, as_ordinary_user

decode = msgspec.json.Decoder(Causes).decode

Ask = Callable[[str], Causes]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    folder = Path(tempfile.mkdtemp(prefix="bad-bots-"))
    try:
        user = as_ordinary_user(folder)
    except CannotHouse as reason:
        needs.skip(str(reason))
    process = subprocess.Popen(
        [*user, sys.executable, "-m", "tests.cli.checked_bots", str(folder / "results")],
        cwd=ROOT,
        env={**os.environ, "HOME": str(folder), "TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def find_causes(name: str) -> Causes:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{name}\n")
        process.stdin.flush()
        return decode(process.stdout.readline())

    yield find_causes
    process.communicate()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.variants(1, all=8)
@pytest.mark.parametrize("name", bad_bots())
def test_the_cause_that_a_match_names_is_named(name: str, ask: Ask) -> None:
    causes = ask(name)
    assert causes.in_check[:1] == causes.in_match[:1]
    assert set(causes.in_match) <= set(causes.in_check)
