"""The list of seeded faults (tests/faults) applies to the product as it is, and can be tried."""

import ast
import re
from functools import cache
from pathlib import Path

from bootstrap import HOME
from tests.cases import for_each
from tests.faults.catalog import FAULTS
from tests.faults.seeded import SeededFault, faulty_path
from tests.faults.trying import Result, attempt_all, copies, pytest_command

MIN_FAULTS = 200
SLOW = re.compile(r"mark\.(slow|exhaustive)")


def test_there_are_many_faults_each_with_its_own_name() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) >= MIN_FAULTS
    assert len(set(names)) == len(names)


@for_each("file", sorted({fault.file for fault in FAULTS}))
def test_the_faults_of_a_file_apply_to_it_and_compile(file: str) -> None:
    faults = [fault for fault in FAULTS if fault.file == file]
    text = faulty_path(HOME, faults[0]).read_text(encoding="utf-8")
    parsed = ast.dump(ast.parse(text)) if file.endswith(".py") else ""
    for fault in faults:
        changed = fault.apply_to(text)
        assert changed is not None, f"{fault.name} The text to replace is not there once"
        assert changed != text, fault.name
        if parsed:
            assert ast.dump(ast.parse(changed)) != parsed, fault.name


@for_each("test", sorted({test for fault in FAULTS for test in fault.tests}))
def test_the_tests_of_a_fault_are_there_in_the_usual_run(test: str) -> None:
    file, _, name = test.partition("::")
    tests = read_tests(file)
    wanted = [name.partition("[")[0]] if name else list(tests)
    assert set(wanted) <= set(tests)
    assert any(not tests[one] for one in wanted), f"{test} is slow"


@cache
def read_tests(file: str) -> dict[str, bool]:
    """Return the tests of a file by name, and whether they are slow."""
    module = ast.parse((HOME / file).read_text(encoding="utf-8"))
    marks = [ast.unparse(one) for one in module.body if isinstance(one, ast.Assign)]
    is_all_slow = any(one.startswith("pytestmark") and SLOW.search(one) for one in marks)
    return {
        one.name: is_all_slow or any(SLOW.search(ast.unparse(by)) for by in one.decorator_list)
        for one in module.body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")
    }


PRODUCT = "def answer():\n    return 1\n\n\ndef unused():\n    return 1\n"
OF_PRODUCT = "from product import answer\n\n\ndef test_answer():\n    assert answer() == 1\n"


def a_fault(name: str, old: str, new: str, test: str = "test_product.py") -> SeededFault:
    return SeededFault(name, "product.py", old, new, (test,))


def test_what_no_test_catches_is_said_to_be_missed(tmp_path: Path) -> None:
    """And a fault is undone before the next, though both have the same size."""
    (tmp_path / "product.py").write_text(PRODUCT)
    (tmp_path / "test_product.py").write_text(OF_PRODUCT)
    faults = (
        a_fault("caught", "answer():\n    return 1", "answer():\n    return 2"),
        a_fault("missed", "unused():\n    return 1", "unused():\n    return 2"),
        a_fault("does not apply", "return 1", "return 2"),
        a_fault("has no such test", "answer():", "unanswered():", "test_product.py::test_other"),
    )
    with copies(tmp_path, 1, pytest_command()) as made:
        trials = list(attempt_all(made, faults))
    assert [(trial.result, trial.detail) for trial in trials] == [
        (Result.CAUGHT, "test_product.py::test_answer"),
        (Result.MISSED, ""),
        (Result.NOT_APPLICABLE, ""),
        (Result.NOT_TESTED, "pytest ended with 4"),
    ]
    assert (tmp_path / "product.py").read_text() == PRODUCT
