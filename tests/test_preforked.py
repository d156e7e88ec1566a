"""What a prefork server forks is as a new Python would be."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import needs
from tests.forking import zygotes_address
from tests.preforked import ForkedProcess

pytestmark = needs.FORK


def forked_process(
    code: str, *words: str, cwd: Path = Path("/"), files: Sequence[int] = ()
) -> ForkedProcess:
    return ForkedProcess(
        zygotes_address(), ["-c", code, *words], env={"A": "b"}, cwd=str(cwd), pass_fds=files
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", 0),
        ("import sys; sys.exit()", 0),
        ("import sys; sys.exit(3)", 3),
        ("import os; os._exit(4)", 4),
        ("import os; os.kill(os.getpid(), 9)", -9),
    ],
)
def test_its_exit_code_is_told(code: str, expected: int) -> None:
    assert forked_process(code).wait() == expected


def test_an_error_is_shown_and_is_exit_code_1(capfd: pytest.CaptureFixture[str]) -> None:
    assert forked_process("raise ValueError('here')").wait() == 1
    assert capfd.readouterr().err.endswith("ValueError: here\n")


def test_it_has_its_words_folder_and_environment(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = "import os, sys; print(sys.argv, os.getcwd(), dict(os.environ))"
    assert forked_process(code, "one", "two", cwd=tmp_path).wait() == 0
    assert capfd.readouterr().out == f"['-c', 'one', 'two'] {tmp_path} {{'A': 'b'}}\n"


def test_it_has_the_files_it_is_given_by_their_numbers_and_no_others() -> None:
    reader, writer = os.pipe()
    code = (
        "import os, sys; number = int(sys.argv[1]); "
        "files = [int(name) for name in os.listdir('/dev/fd')]; "
        "os.write(number, repr([n for n in files if n > 2 and n != number]).encode())"
    )
    process = forked_process(code, str(writer), files=[writer])
    os.close(writer)
    with os.fdopen(reader) as told:
        others = told.read()
    assert process.wait() == 0
    assert others in {"[3]", "[4]"}  # the folder, while it is read


def test_it_is_not_over_before_it_ends() -> None:
    reader, writer = os.pipe()
    process = forked_process(
        "import sys; open(int(sys.argv[1])).read()", str(reader), files=[reader]
    )
    assert process.poll() is None
    os.close(reader)
    os.close(writer)
    assert process.wait() == 0
    assert process.poll() == 0


def test_it_hears_the_signals_we_hear(capfd: pytest.CaptureFixture[str]) -> None:
    code = (
        "import signal; print(*(signal.getsignal(n).name for n in (signal.SIGHUP, signal.SIGTERM)))"
    )
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        process = forked_process(code)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert process.wait() == 0
    assert capfd.readouterr().out == "SIG_IGN SIG_DFL\n"
