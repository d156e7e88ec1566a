"""One test of many cases: for claims about data, where each case takes next to no time."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def for_each(
    names: str, cases: Iterable[Any], *, name_of: Callable[[Any], object] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Have a test try all cases, and list those that fail; `names` and `cases` as `parametrize`.

    A thousand cases as items of pytest would cost more to collect than to try. Fixtures of the
    test are shared by its cases. Other errors than failed assertions end the test.
    """
    arguments = [name.strip() for name in names.split(",")]
    tried = list(cases)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def try_all(**fixtures: Any) -> None:
            problems = []
            for case in tried:
                values = (case,) if len(arguments) == 1 else case
                try:
                    test(**dict(zip(arguments, values, strict=True)), **fixtures)
                except (AssertionError, pytest.fail.Exception) as error:
                    problems.append(f"{name_of(case)}: {error}")
                except Exception as error:
                    error.add_note(f"This was the case {name_of(case)}.")
                    raise
            assert tried, "there is no case"
            assert not problems, "\n".join(problems)

        return present_as(try_all, test, without=arguments)

    return decorate


def present_as(
    function: Callable[..., None], original: Callable[..., None], without: list[str]
) -> Callable[..., None]:
    """Give a function the name, docstring, marks and parameters of a test, some left out."""
    signature = inspect.signature(original)
    saved = [one for name, one in signature.parameters.items() if name not in without]
    vars(function).update(vars(original))
    function.__name__, function.__qualname__ = original.__name__, original.__qualname__
    function.__doc__, function.__module__ = original.__doc__, original.__module__
    vars(function)["__signature__"] = signature.replace(parameters=saved)
    return function
